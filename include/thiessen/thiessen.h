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
 * Python and the command. thiessen_describe() lists them all, and docs/c-api.md has a table. A
 * later version may have more names, but needs no other functions for them. The C++ header of an
 * operation says what it means, costs and refuses. docs/semantics.md says what the results mean.
 *
 * A function that can fail returns a thiessen_status: THIESSEN_OK (0) or the kind of the error.
 * thiessen_last_error() names the argument, its value and the rule. No C++ exception leaves a
 * function. A null pointer, an unknown name, a type that does not exist, a negative extent and
 * strides that lead out of memory are errors like any other. Two things cannot be checked: that the
 * memory of an array is there, and that a handle is alive.
 *
 * Handles (contexts, calls, solvers) are made by thiessen_..._new() and freed by
 * thiessen_..._free(), which has no effect on null. Different threads may use different handles at
 * once. Axis order is array order: (y, x) or (z, y, x).
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

/**
 * Status of a function. It is a number and not an enum, so that every value can be passed safely.
 */
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

/**
 * Short name of a status: "ok", "invalid_argument" ..., "unknown". Never null, and always valid.
 */
THIESSEN_API const char* thiessen_status_name(thiessen_status status);

/**
 * Text of the last error in this thread: one line in UTF-8, at most 511 bytes. It is empty if no
 * function has failed. Never null. It is valid until the next function of this thread fails.
 */
THIESSEN_API const char* thiessen_last_error(void);

/**
 * Name of the argument in the last error, such as "spacing", at most 63 bytes. It is empty if the
 * error concerns no single argument. It is valid as long as thiessen_last_error().
 */
THIESSEN_API const char* thiessen_last_error_argument(void);

/** Version of the library: "0.9.0". THIESSEN_VERSION_MAJOR ... are the version of the headers. */
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
 * Memory in which the elements lie. THIESSEN_CUDA is memory of the device of a context on CUDA. The
 * operations nearest_site, nearest_site_batch, voronoi, cost_distance, summarise_slab, finish_slab
 * and the solvers take it for rasters. site_statistics and adjacency take it for labels. All other
 * arrays lie on the host.
 */
typedef int32_t thiessen_memory;

enum { THIESSEN_HOST = 0, THIESSEN_CUDA = 1 };

/** Longest list of axes: three of the raster, one of a batch of them and one of components. */
enum { THIESSEN_MAX_AXES = 5 };

/**
 * An array in memory of the caller or of a call. Rank 0, as in a struct of zeros, means: no array.
 */
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
 * Array of contiguous elements in C order, on the host. It also takes the address of data that is
 * only read. It cannot fail; the function that gets the array reports its errors.
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
 * The place where calls run: a device, its threads, and scratch memory that is kept from call to
 * call. A repeated call of the same size therefore asks for no scratch memory. A context runs one
 * call at a time. Different threads may use different contexts at once. If another thread uses the
 * context, the call fails with THIESSEN_INVALID_ARGUMENT. A callback may make calls on the context
 * of its own call, one at a time; they are parts of that call.
 */
typedef struct thiessen_context thiessen_context;

/**
 * Makes a context.
 *
 * device   "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1"; several CUDA devices as
 *          "cuda:0,cuda:1" or "cuda:all"; null: "auto", the CPU
 * threads  0 to 1024; 0: one for each processor that this process may use
 * stream   for a CUDA device: the caller's stream (cudaStream_t) for all work. It must belong to
 *          the device and outlive the context. Null: a stream of the context's own.
 *          cudaStreamLegacy and cudaStreamPerThread name the default streams.
 * context  becomes null after an error; to be freed by thiessen_context_free()
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for an unknown device or number of threads,
 * THIESSEN_UNSUPPORTED for a device that this machine does not have, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_context_new(const char* device, int32_t threads, void* stream,
                                                  thiessen_context** context);

/** Frees a context and its memory. No call may run on it, and no solver may depend on it. */
THIESSEN_API void thiessen_context_free(thiessen_context* context);

/** Name of the device, such as "cpu"; "" for null. Valid as long as the context. */
THIESSEN_API const char* thiessen_context_device(const thiessen_context* context);

/** Threads of the context; 0 for null. */
THIESSEN_API int32_t thiessen_context_threads(const thiessen_context* context);

/** Bytes of scratch memory that the context holds now; 0 for null. */
THIESSEN_API size_t thiessen_context_scratch_bytes(const thiessen_context* context);

/**
 * Gives the scratch memory back.
 * Error: THIESSEN_INVALID_ARGUMENT for null, or if a call is running.
 */
THIESSEN_API thiessen_status thiessen_context_release_scratch(thiessen_context* context);

/**
 * Waits until all calls are done, and returns the status of the first fault on the device since the
 * last wait. This fault is then forgotten. THIESSEN_INVALID_ARGUMENT means an error of a caller in
 * device memory, and THIESSEN_DEVICE_FAILED an error of the device. A call waits by itself if any
 * of its arrays is on the host. A call on the CPU is always done when it returns.
 */
THIESSEN_API thiessen_status thiessen_context_synchronize(thiessen_context* context);

/**
 * Warning of the last call on the context: suspicious input that has an answer, such as no site at
 * all, or points that win no cell. Arrays in device memory are not checked.
 *
 * index  of the warning, from 0
 * count  becomes the number of sites or points that the warning is about; may be null
 *
 * Returns one line, valid until the next call on the context. Returns null if there are no more
 * warnings, and for a null context.
 */
THIESSEN_API const char* thiessen_context_warning(const thiessen_context* context, size_t index,
                                                  int64_t* count);

/**
 * Ends the running call soon, or the next one if none is running, with THIESSEN_CANCELLED. Its
 * outputs are then in an unspecified state, but the outputs of a solver stay as they were. It has
 * no effect if the running call is almost done, or on null. It is safe from any thread and from a
 * signal handler.
 */
THIESSEN_API void thiessen_context_cancel(thiessen_context* context);

/**
 * Gets the progress: a fraction from 0 to 1 that grows, at last 1. If it returns anything but 0,
 * the call is cancelled. Any thread may call it, but one at a time. It must return normally, and
 * not by longjmp or a C++ exception.
 */
typedef int (*thiessen_progress)(double fraction, void* user);

/**
 * Registers report(fraction, user), which later calls call from time to time; null: no reports.
 * Errors: THIESSEN_INVALID_ARGUMENT for a null context, or if a call is running,
 * THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_context_on_progress(thiessen_context* context,
                                                          thiessen_progress report, void* user);

/**
 * Devices of this build and their methods as JSON: a list of objects with the keys `name`,
 * `description`, `available`, `reason`, `methods`, `cost_methods` (names). A method has the keys
 * `name`, `exact` and `approximate_metrics`: the metrics for which an otherwise exact method is
 * approximate.
 *
 * json  valid until the next call of this function from this thread; null after an error
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for a null pointer, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_devices_json(const char** json);

/* ---- calls -------------------------------------------------------------------------------- */

/**
 * All operations as JSON, {"operations": [...]}. Each has a name, one line of help, a role, and
 * lists of its inputs, options, outputs and results. The role "function" runs on a context,
 * "solver" can also make a solver, "solver_only" only makes a solver, and "solver_function" runs on
 * a solver. An option has its kind, range, choices, unit and default. An array has its element
 * type, or the rule that gives it. An output has the values of cells without an answer. Infinities
 * and NaN are texts. Never null, and always valid.
 */
THIESSEN_API const char* thiessen_describe(void);

/**
 * A call of an operation. It is filled and run. It may be changed and run again, and keeps its
 * settings. A call belongs to one thread at a time. Arrays belong to the caller and must be there
 * while the call runs. The struct thiessen_array, texts and lists are copied when they are set.
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
 * operation, a value of another kind and a number out of range. The option then keeps its value.
 * The other error is THIESSEN_OUT_OF_MEMORY. thiessen_run() checks the rules between arguments. An
 * option that is set again has the last value.
 */

/** A flag: 0 or 1. */
THIESSEN_API thiessen_status thiessen_set_flag(thiessen_call* call, const char* option,
                                               int32_t flag);

/** A number, in the unit of the option. */
THIESSEN_API thiessen_status thiessen_set_number(thiessen_call* call, const char* option,
                                                 double number);

/** A count or a label. For `connectivity` it is the number of neighbours, such as 8. */
THIESSEN_API thiessen_status thiessen_set_integer(thiessen_call* call, const char* option,
                                                  int64_t number);

/** A seed, or a label of 2^63 and more. */
THIESSEN_API thiessen_status thiessen_set_unsigned(thiessen_call* call, const char* option,
                                                   uint64_t number);

/**
 * A choice ("manhattan") or a text ("circle:12"); null sets the default. "none" removes the value
 * of an option that has one by default, such as `background`.
 */
THIESSEN_API thiessen_status thiessen_set_text(thiessen_call* call, const char* option,
                                               const char* text);

/** A list of `count` numbers, such as the spacing of each axis; `numbers` may be null for 0. */
THIESSEN_API thiessen_status thiessen_set_numbers(thiessen_call* call, const char* option,
                                                  const double* numbers, size_t count);

/** A list of integers: flags of each axis, steps, labels, extents. */
THIESSEN_API thiessen_status thiessen_set_integers(thiessen_call* call, const char* option,
                                                   const int64_t* numbers, size_t count);

/** A list of labels of 2^63 and more. */
THIESSEN_API thiessen_status thiessen_set_unsigneds(thiessen_call* call, const char* option,
                                                    const uint64_t* numbers, size_t count);

/** Restores the default of an option. */
THIESSEN_API thiessen_status thiessen_set_default(thiessen_call* call, const char* option);

/**
 * An array that the call reads.
 *
 * array  its memory must be there, and not change, while the call runs; null or rank 0: none
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for a name that is no input of the operation, for an invalid
 * array, or for another element type if the operation has only one.
 */
THIESSEN_API thiessen_status thiessen_set_input(thiessen_call* call, const char* input,
                                                const thiessen_array* array);

/**
 * An array that the call writes. Some operations read it first. No two elements may share a byte,
 * and no other array of the call may share one with it.
 *
 * array  the caller's memory, which must be there while the call runs; null or rank 0: not wanted
 *
 * Errors: as thiessen_set_input().
 */
THIESSEN_API thiessen_status thiessen_set_output(thiessen_call* call, const char* output,
                                                 const thiessen_array* array);

/**
 * Lets the call make the memory of an output whenever it runs, on the host. thiessen_get_output()
 * then returns it. thiessen_set_output() takes this back. Error: THIESSEN_INVALID_ARGUMENT for a
 * name that is no output, or for an output that is also read.
 */
THIESSEN_API thiessen_status thiessen_want(thiessen_call* call, const char* output);

/**
 * An output, or a result, after the call has run.
 *
 * A result is a number, as an array of one element, or a list whose length the call finds. Its
 * elements are (rows), (rows, columns) or (rows, columns, columns) in C order. An empty list has 0
 * rows.
 *
 * array  becomes the array. Memory that the call made belongs to the call, and is valid until the
 *        call runs again or is freed. The rank is 0 for an output that is not wanted, and for
 *        results and memory of a call that has not run to its end.
 *
 * Error: THIESSEN_INVALID_ARGUMENT for a null pointer or an unknown name.
 */
THIESSEN_API thiessen_status thiessen_get_output(const thiessen_call* call, const char* output,
                                                 thiessen_array* array);

/**
 * Runs a call on a context. If all its arrays are on the device of the context, work is put on the
 * stream and the function returns (thiessen_context_synchronize()).
 *
 * Errors: as the C++ function throws. THIESSEN_INVALID_ARGUMENT also for a missing input, and for
 * an operation that runs on a solver. A call that is refused has written nothing.
 */
THIESSEN_API thiessen_status thiessen_run(thiessen_context* context, thiessen_call* call);

/* ---- solvers ------------------------------------------------------------------------------ */

/**
 * A solver keeps a problem and its answer while the problem changes. Other calls change and query
 * it:
 *
 *   made by a call of               changed and queried by calls of
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
 * Sites are named by their site index: the linear index of a cell of a raster, or the position in a
 * list of points. Positions never shift, because a removed point stays in the list as an absent
 * one. Runs on a solver are calls on its context, so only one runs at a time. docs/online.md has
 * more.
 */
typedef struct thiessen_solver thiessen_solver;

/**
 * Makes a solver of a call that is filled as for thiessen_run(). The outputs are then right.
 *
 * context  must outlive the solver
 * call     its inputs are copied, except the rasters of region_statistics. These, and the caller's
 *          outputs, must be there as long as the solver, and nobody else may write to the outputs.
 *          Outputs that the call makes belong to the solver as well. The call may be freed.
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
 * Runs a call that changes or queries a solver. thiessen_get_output() returns its results.
 *
 * A call that fails has changed nothing: outputs stay as they were, and updates still wait. Values
 * of a map in memory of a device are checked there, and "changes" or "solve" reports their errors.
 * Errors: THIESSEN_INVALID_ARGUMENT, also for an operation that is not for this solver,
 * THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED, THIESSEN_DEVICE_FAILED.
 */
THIESSEN_API thiessen_status thiessen_solver_run(thiessen_solver* solver, thiessen_call* call);

#ifdef __cplusplus
}
#endif

#endif
