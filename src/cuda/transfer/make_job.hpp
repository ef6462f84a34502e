// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/job/job.hpp"
#include "cuda/transfer/domain.hpp"
#include "cuda/transfer/transfer.hpp"

namespace thiessen::cuda {
inline namespace transfer {

/// What makes a cell a site, with the values on the device.
Rule make_rule(const CudaSession& session, const SiteRule& rule, Transfer& transfer);

/// Copies the inputs of a call to the device, and takes memory there for its outputs.
Job make_job(const CudaSession& session, const Problem& problem, const ProblemViews& views,
             Transfer& transfer);

/// Copies a slab's sites alone to the device, with their values.
Job make_slab_job(const CudaSession& session, const Problem& problem, const View<const void>& sites,
                  Transfer& transfer);

/// search(session, job, device) fills the outputs of the job; for a signed distance it does so
/// again, in the complement. Cells outside of the domain become nodata.
template <class Search>
void fill_outputs(const CudaSession& session, const Problem& problem, Job job, const Search& search,
                  Scratch::Frame& device) {
  search(session, job, device);
  if (problem.signed_distance && job.out.distance) {
    job.rule.complement = true;
    job.inside = true;
    search(session, job, device);
  }
  if (job.domain) mark_outside(session, job);
}

/// Does a call from its inputs to its outputs, wherever they are.
template <class Search>
void run_call(ContextState& state, const Problem& problem, const ProblemViews& views,
              const Search& search) {
  const CudaSession& session = session_of(state);
  const CudaSession::DeviceGuard guard(session);
  Transfer transfer(state, views);
  const Job job = make_job(session, problem, views, transfer);
  fill_outputs(session, problem, job, search, transfer.device());
  transfer.finish();
}

}  // namespace transfer
}  // namespace thiessen::cuda
