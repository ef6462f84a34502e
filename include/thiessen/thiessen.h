/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thiessen for C, and for every language that can call C.
 *
 * A program fills a call by names and runs it:
 *
 *   thiessen_context* context;
 *   thiessen_call* call;
 *   thiessen_context_new("cpu", 0, NULL, &context);
 *   thiessen_call_new("nearest_site", &call);
 *   thiessen_set_number(call, "unreached", 3);
 *   thiessen_set_input(call, "sites", &sites);
 *   thiessen_set_output(call, "labels", &labels);
 *   if (thiessen_run(context, call) != THIESSEN_OK) puts(thiessen_last_error());
 *   thiessen_call_free(call);
 *   thiessen_context_free(context);
 *
 * Operations, and the names of their inputs, options, outputs and results, are the same in C++,
 * Python and the command. thiessen_describe() lists them all; docs/c-api.md has a table. A later
 * version may have more names; it has no other functions for them. What an operation means, costs
 * and refuses, the C++ header of its name tells, and docs/semantics.md.
 *
 * A function that can fail returns a thiessen_status: THIESSEN_OK (0) or what kind
 * of thing went wrong. thiessen_last_error() says which argument, its value and the rule. No C++
 * exception leaves a function. A null pointer, an unknown name, a number of a type that does not
 * exist, a negative extent, strides that lead out of memory: all of these are errors like any
 * other. What cannot be checked is that the memory of an array is there, and that a handle is
 * alive.
 *
 * Handles (contexts, calls, solvers) are made by thiessen_..._new() and freed by
 * thiessen_..._free(), which has no effect on null. Different handles may be used by different
 * threads at once. Axis order is array order: (y, x) or (z, y, x).
 */
#ifndef THIESSEN_THIESSEN_H
#define THIESSEN_THIESSEN_H

#include <stddef.h>
#include <stdint.h>

#include "thiessen/export.hpp"
#include "thiessen/version.hpp"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ------------------------------------------------------------------------------- */

/** What came of a function. A number and not an enum, so that every value can be passed safely. */
typedef int32_t thiessen_status;

enum {
  THIESSEN_OK = 0,
  THIESSEN_INVALID_ARGUMENT = 1, /**< an argument breaks a documented rule */
  THIESSEN_UNSUPPORTED = 2,      /**< no backend or method of this build can do what is asked */
  THIESSEN_OUT_OF_MEMORY = 3,    /**< memory was refused */
  THIESSEN_CANCELLED = 4,        /**< by thiessen_context_cancel() or by the progress callback */
  THIESSEN_IO = 5,               /**< a file cannot be read or written */
  THIESSEN_INTERNAL = 6,         /**< anything else: a fault of the library */
  THIESSEN_DEVICE_FAILED = 7     /**< a device, or the driver of one, reports a fault */
};

/** Short name of a status: "ok", "invalid_argument" ..., "unknown". Never null, valid for ever. */
THIESSEN_API const char* thiessen_status_name(thiessen_status status);

/**
 * Text of the last function of this thread that failed, one line in UTF-8, at most 511 bytes; empty
 * if none has. Never null; valid until the next function of this thread that fails.
 */
THIESSEN_API const char* thiessen_last_error(void);

/**
 * Name of the argument that the last error is about, such as "spacing", at most 63 bytes;
 * empty for an error that is about no single one. Valid as long as thiessen_last_error().
 */
THIESSEN_API const char* thiessen_last_error_argument(void);

/** Version of the library: "0.1.0". THIESSEN_VERSION_MAJOR ... are the version of the headers. */
THIESSEN_API const char* thiessen_version(void);

/* ---- arrays ------------------------------------------------------------------------------- */

/** Type of one array element. */
typedef int32_t thiessen_type;

enum {
  THIESSEN_BOOL = 0, /**< one byte, zero or not */
  THIESSEN_U8 = 1,
  THIESSEN_I8 = 2,
  THIESSEN_U16 = 3,
  THIESSEN_I16 = 4,
  THIESSEN_U32 = 5,
  THIESSEN_I32 = 6,
  THIESSEN_U64 = 7,
  THIESSEN_I64 = 8,
  THIESSEN_F32 = 9,
  THIESSEN_F64 = 10
};

/**
 * Where the elements live. THIESSEN_CUDA is memory of the device of a context on CUDA. The
 * operations nearest_site, nearest_site_batch, voronoi, cost_distance, summarise_slab, finish_slab
 * and the solvers take it for rasters, and site_statistics and adjacency for labels; all else lies
 * on the host.
 */
typedef int32_t thiessen_memory;

enum { THIESSEN_HOST = 0, THIESSEN_CUDA = 1 };

/** Longest list of axes: three of the raster, one of a batch of them and one of components. */
enum { THIESSEN_MAX_AXES = 5 };

/** An array, of the caller's memory or of a call's. With rank 0, as in a struct of zeros: none. */
typedef struct thiessen_array {
  void* data;                         /**< first element in array order; inputs are only read */
  int64_t extents[THIESSEN_MAX_AXES]; /**< elements along each axis, 0 or more */
  int64_t strides[THIESSEN_MAX_AXES]; /**< bytes from one element to the next, of any sign */
  int32_t rank;                       /**< axes, 0 to 5 */
  thiessen_type type;
  thiessen_memory memory;
  int32_t reserved; /**< 0 */
} thiessen_array;

/**
 * Array of contiguous elements in C order, on the host. Takes the address of data that is only
 * read, too. Cannot fail: what is wrong with it, the function that gets it will say.
 *
 * rank     number of extents
 * extents  elements along each axis; null makes an array that every function refuses
 */
THIESSEN_API thiessen_array thiessen_contiguous(const void* data, thiessen_type type, int32_t rank,
                                                const int64_t* extents);

/** Site index of a cell that no site reaches, and of a nodata cell. */
enum { THIESSEN_SITE_UNREACHED = -1, THIESSEN_SITE_NODATA = -2 };

/* ---- contexts ----------------------------------------------------------------------------- */

/**
 * Where calls run, and what is kept from call to call: a device, its threads, scratch memory. A
 * repeated call of the same size asks for no scratch memory again. One call at a time per context;
 * different contexts may be used from different threads at once. A call that finds its context in
 * use by another thread fails with THIESSEN_INVALID_ARGUMENT. A callback of a call may run others
 * on the same context, one at a time; they are parts of that call.
 */
typedef struct thiessen_context thiessen_context;

/**
 * Makes a context.
 *
 * device   "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1", several CUDA devices as
 *          "cuda:0,cuda:1" or "cuda:all"; null: "auto", the CPU
 * threads  0 to 1024; 0: one for each processor that this process may use
 * stream   for a CUDA device: the stream (cudaStream_t) that all work is put on, the caller's; it
 *          must belong to the device and outlive the context. Null: one of the context's own. The
 *          default streams are named by cudaStreamLegacy and cudaStreamPerThread.
 * context  becomes null after an error; to be freed by thiessen_context_free()
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for an unknown device or number of threads,
 * THIESSEN_UNSUPPORTED for a device that this machine does not have, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_context_new(const char* device, int32_t threads, void* stream,
                                                  thiessen_context** context);

/** Frees a context and its memory. No call may be running on it, and no solver stand on it. */
THIESSEN_API void thiessen_context_free(thiessen_context* context);

/** Name of the device, such as "cpu"; "" for null. Valid as long as the context. */
THIESSEN_API const char* thiessen_context_device(const thiessen_context* context);

/** Threads of the context; 0 for null. */
THIESSEN_API int32_t thiessen_context_threads(const thiessen_context* context);

/** Bytes of scratch memory that are held now; 0 for null. */
THIESSEN_API size_t thiessen_context_scratch_bytes(const thiessen_context* context);

/**
 * Gives the scratch memory back.
 * Error: THIESSEN_INVALID_ARGUMENT for null, or if a call is running.
 */
THIESSEN_API thiessen_status thiessen_context_release_scratch(thiessen_context* context);

/**
 * Waits until all that was called is done, and returns the status of the first fault that was found
 * on the device since the last time, which is then forgotten: THIESSEN_INVALID_ARGUMENT for what a
 * caller got wrong in device memory, THIESSEN_DEVICE_FAILED for the device's own. Calls wait by
 * themselves if any array of theirs is on the host; calls on the CPU always are done.
 */
THIESSEN_API thiessen_status thiessen_context_synchronize(thiessen_context* context);

/**
 * What the last call on the context found odd, though it has an answer: no site at all, points that
 * win no cell, ... What is in device memory is not looked at.
 *
 * index    of the warning, from 0
 * count    becomes the number of sites or points that the warning is about; may be null
 *
 * Returns one line, valid until the next call on the context; null where there are no more, and for
 * a null context.
 */
THIESSEN_API const char* thiessen_context_warning(const thiessen_context* context, size_t index,
                                                  int64_t* count);

/**
 * Ends the running call soon, or the next one if none is running, with THIESSEN_CANCELLED; its
 * outputs are then in an unspecified state, but the outputs of a solver as they were. No effect if
 * the running call is as good as done, or on null. Safe from any thread and from a signal handler.
 */
THIESSEN_API void thiessen_context_cancel(thiessen_context* context);

/**
 * Gets the progress: a fraction from 0 to 1 that grows, at last 1. If it returns anything but 0,
 * the call is cancelled. Called from any thread, but one at a time; it must return, neither by
 * longjmp nor by a C++ exception.
 */
typedef int (*thiessen_progress)(double fraction, void* user);

/**
 * Calls report(fraction, user) from time to time during the calls to come; null: no reports.
 * Errors: THIESSEN_INVALID_ARGUMENT for a null context, or if a call is running,
 * THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_context_on_progress(thiessen_context* context,
                                                          thiessen_progress report, void* user);

/**
 * Devices of this build and their methods as JSON: a list of objects with the keys `name`,
 * `description`, `available`, `reason`, `methods`, `cost_methods` (names). A method has the keys
 * `name`, `exact` and `approximate_metrics`: metrics by which it is not exact, if it is by others.
 *
 * json  valid until the next call of this function from this thread; null after an error
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for a null pointer, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_devices_json(const char** json);

/* ---- calls -------------------------------------------------------------------------------- */

/**
 * All operations as JSON, {"operations": [...]}: of each the name, one line of help, its role
 * ("function" runs on a context, "solver" can make a solver, too, "solver_only" does nothing else,
 * "solver_function" runs on a solver), and lists of its inputs, options, outputs and results. An
 * option has its kind, range, choices, unit and default; an array its element type, or the rule
 * that gives it; an output the values of cells without an answer. Infinities and NaN are texts.
 * Never null, and valid for ever.
 */
THIESSEN_API const char* thiessen_describe(void);

/**
 * A call of an operation. It is filled, run, and may be changed and run again: what was set stays.
 * A call belongs to one thread at a time. Arrays are the caller's and must be there while the call
 * runs; thiessen_array itself, texts and lists are copied when they are set.
 */
typedef struct thiessen_call thiessen_call;

/**
 * Makes a call with the defaults of its operation.
 *
 * call  becomes null after an error; to be freed by thiessen_call_free()
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for a name that no operation has, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_call_new(const char* operation, thiessen_call** call);

/** Frees a call, its results and the outputs that it made. */
THIESSEN_API void thiessen_call_free(thiessen_call* call);

/*
 * Setters of options. Each refuses with THIESSEN_INVALID_ARGUMENT a name that is no option of the
 * operation, a value of another kind and a number out of range, and then the option keeps its
 * value; THIESSEN_OUT_OF_MEMORY is the other error. What depends on other arguments,
 * thiessen_run() says. An option that is set again has the last value.
 */

/** A flag: 0 or 1. */
THIESSEN_API thiessen_status thiessen_set_flag(thiessen_call* call, const char* option,
                                               int32_t flag);

/** A number, in the unit of the option. */
THIESSEN_API thiessen_status thiessen_set_number(thiessen_call* call, const char* option,
                                                 double number);

/** A count or a label; and for `connectivity` the number of neighbours, such as 8. */
THIESSEN_API thiessen_status thiessen_set_integer(thiessen_call* call, const char* option,
                                                  int64_t number);

/** A seed, or a label of 2^63 and more. */
THIESSEN_API thiessen_status thiessen_set_unsigned(thiessen_call* call, const char* option,
                                                   uint64_t number);

/**
 * A choice ("manhattan") or a text ("circle:12"); null sets the default. "none" takes the value of
 * an option away that has one by default, such as `background`.
 */
THIESSEN_API thiessen_status thiessen_set_text(thiessen_call* call, const char* option,
                                               const char* text);

/** A list of `count` numbers, such as the spacing of each axis; `numbers` may be null for 0. */
THIESSEN_API thiessen_status thiessen_set_numbers(thiessen_call* call, const char* option,
                                                  const double* numbers, size_t count);

/** The same of integers: flags of each axis, steps, labels, extents. */
THIESSEN_API thiessen_status thiessen_set_integers(thiessen_call* call, const char* option,
                                                   const int64_t* numbers, size_t count);

/** The same of labels of 2^63 and more. */
THIESSEN_API thiessen_status thiessen_set_unsigneds(thiessen_call* call, const char* option,
                                                    const uint64_t* numbers, size_t count);

/** Takes back what was set. */
THIESSEN_API thiessen_status thiessen_set_default(thiessen_call* call, const char* option);

/**
 * An array that the call reads.
 *
 * array  its memory must be there, and not change, while the call runs; null or rank 0: none
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for a name that is no input of the operation, an array that
 * makes no sense, or one of another element type where the operation has one alone.
 */
THIESSEN_API thiessen_status thiessen_set_input(thiessen_call* call, const char* input,
                                                const thiessen_array* array);

/**
 * An array that the call writes, and first reads if the operation says so. No two elements may
 * share a byte, and no other array of the call may share one with it.
 *
 * array  the caller's memory, which must be there while the call runs; null or rank 0: not wanted
 *
 * Errors: as thiessen_set_input().
 */
THIESSEN_API thiessen_status thiessen_set_output(thiessen_call* call, const char* output,
                                                 const thiessen_array* array);

/**
 * Has the call make the memory of an output whenever it runs, on the host; thiessen_get_output()
 * has it then. thiessen_set_output() takes this back.
 * Error: THIESSEN_INVALID_ARGUMENT for a name that is no output, or for one that is read, too.
 */
THIESSEN_API thiessen_status thiessen_want(thiessen_call* call, const char* output);

/**
 * An output, or a result, after the call has run.
 *
 * A result is a number, as an array of one element, or a list whose length the call finds: (rows),
 * (rows, columns) or (rows, columns, columns) elements in C order. An empty list has 0 rows.
 *
 * array  becomes the array. Its memory, if the call made it, is the call's, and valid until the
 *        call runs again or is freed; rank 0 for an output that is not wanted, and for what a
 *        call finds or makes that has not run to its end
 *
 * Error: THIESSEN_INVALID_ARGUMENT for a null pointer or an unknown name.
 */
THIESSEN_API thiessen_status thiessen_get_output(const thiessen_call* call, const char* output,
                                                 thiessen_array* array);

/**
 * Runs a call on a context. If all its arrays are on the device of the context, work is put on the
 * stream and the function returns (thiessen_context_synchronize()).
 *
 * Errors: as the C++ function throws; THIESSEN_INVALID_ARGUMENT also for an input that is missing,
 * and for an operation that runs on a solver. A call that is refused has written nothing.
 */
THIESSEN_API thiessen_status thiessen_run(thiessen_context* context, thiessen_call* call);

/* ---- solvers ------------------------------------------------------------------------------ */

/**
 * What is kept while its problem changes, and that other calls change and ask:
 *
 *   made by a call of               changed and asked by calls of
 *   nearest_site, voronoi           add_points, move_points, add_sites, move_sites, remove_sites,
 *                                   update_sites, update_box; solve, enqueue, changes,
 *                                   changed_cells
 *   cost_distance                   the same but update_sites; update_map, set_initial_cost
 *   region_statistics               update_regions; region_table, region_adjacency
 *   cost_slab_queue                 next_cost_slab, add_cost_slab
 *
 *   thiessen_solver_new(context, problem, &solver);    (outputs are right from here on)
 *   thiessen_set_input(update, "cells", &cells);       (a call of "update_map")
 *   thiessen_set_input(update, "values", &values);
 *   thiessen_solver_run(solver, update);
 *   thiessen_solver_run(solver, solve);                (a call of "solve": outputs are right again)
 *   thiessen_get_output(solve, "cells", &changed);
 *
 * Sites are named by their site index: the linear index of a cell of a raster, or the position in
 * a list of points. Positions never shift: a point that was removed stays in the list as an absent
 * one. Runs on a solver are calls on its context: one at a time. docs/online.md tells more.
 */
typedef struct thiessen_solver thiessen_solver;

/**
 * Makes a solver of a call that is filled as for thiessen_run(); its outputs are right then.
 *
 * context  must outlive the solver
 * call     its inputs are copied, but for the rasters of region_statistics, which must be there as
 *          long as the solver. The same holds for the caller's outputs, to which nobody else may
 *          write. Outputs that the call makes are the solver's as well. The call may be freed.
 * solver   becomes null after an error; to be freed by thiessen_solver_free()
 *
 * Errors: THIESSEN_INVALID_ARGUMENT, also for an operation that makes no solver,
 * THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED.
 */
THIESSEN_API thiessen_status thiessen_solver_new(thiessen_context* context, thiessen_call* call,
                                                 thiessen_solver** solver);

/** Frees a solver. */
THIESSEN_API void thiessen_solver_free(thiessen_solver* solver);

/**
 * Runs a call that changes or asks a solver; thiessen_get_output() has its results.
 *
 * A call that fails has changed nothing: outputs are as they were, updates are still to be done.
 * Values of a map in memory of a device are checked there, and "changes" or "solve" tells what was
 * wrong with them. Errors: THIESSEN_INVALID_ARGUMENT, also for an operation that is not for this
 * solver, THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED,
 * THIESSEN_DEVICE_FAILED.
 */
THIESSEN_API thiessen_status thiessen_solver_run(thiessen_solver* solver, thiessen_call* call);

#ifdef __cplusplus
}
#endif

#endif
