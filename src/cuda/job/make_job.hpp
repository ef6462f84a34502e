// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/job/domain.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/transfer.hpp"

namespace thiessen::cuda {

/// What makes a cell a site, with the values on the device.
Rule make_rule(const CudaSession& session, const SiteRule& rule, Transfer& transfer);

/// Copies the inputs of a call to the device, and takes memory there for its outputs.
Job make_job(const CudaSession& session, const Problem& problem, const ProblemViews& views,
             Transfer& transfer);

/// Does a call from its inputs to its outputs, wherever they are. search(session, job, device)
/// fills the outputs of the job; for a signed distance it does so again, in the complement.
template <class Search>
void run_call(ContextState& state, const Problem& problem, const ProblemViews& views,
              const Search& search) {
  const CudaSession& session = session_of(state);
  const CudaSession::Current current(session);
  Transfer transfer(state, views);
  Job job = make_job(session, problem, views, transfer);
  search(session, job, transfer.device());
  if (problem.signed_distance && views.out.distance) {
    job.rule.complement = true;
    job.inside = true;
    search(session, job, transfer.device());
  }
  if (job.domain) mark_outside(session, job);
  transfer.finish();
}

}  // namespace thiessen::cuda
