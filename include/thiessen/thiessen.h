/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thiessen for C, and for every language that can call C.
 *
 * A program makes a call, sets its arguments by name and runs it:
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
 * later version may add names, but no new functions are needed for them. The C++ header of an
 * operation explains the operation, its cost and its errors. docs/semantics.md explains the
 * results.
 *
 * A function that can fail returns a thiessen_status: THIESSEN_OK (0) or the kind of the error.
 * The text of thiessen_last_error() then names the argument, its value and the rule. No C++
 * exception leaves a function. A null pointer, an unknown name, an unknown type, a negative extent
 * and strides that lead out of the address space are ordinary errors. The library cannot check
 * whether the memory of an array is still allocated, or whether a handle has been freed.
 *
 * Handles (contexts, calls, solvers) are made by thiessen_..._new() and freed by
 * thiessen_..._free(). Freeing null has no effect. Different threads may use different handles at
 * the same time. Axis order is array order: (y, x) or (z, y, x).
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
  THIESSEN_UNSUPPORTED = 2,      /**< no backend or method of this build supports the request */
  THIESSEN_OUT_OF_MEMORY = 3,    /**< memory could not be allocated */
  THIESSEN_CANCELLED = 4,        /**< by thiessen_context_cancel() or by the progress callback */
  THIESSEN_IO = 5,               /**< a file cannot be read or written */
  THIESSEN_INTERNAL = 6,         /**< any other error: a fault of the library */
  THIESSEN_DEVICE_FAILED = 7     /**< a device or its driver reports a fault */
};

/**
 * Short name of a status: "ok", "invalid_argument" ...; "unknown" for any other number. The text is
 * never null, and always valid.
 */
THIESSEN_API const char* thiessen_status_name(thiessen_status status);

/**
 * Text of the last error in this thread: one line in UTF-8, at most 511 bytes. The text is empty if
 * no function has failed. It is never null. It is valid until a function fails again in this
 * thread.
 */
THIESSEN_API const char* thiessen_last_error(void);

/**
 * Name of the argument in the last error, such as "spacing", at most 63 bytes. The name is empty if
 * the error concerns no single argument. It is valid as long as the text of thiessen_last_error().
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
 * Memory in which the elements lie. THIESSEN_CUDA means memory of the context's CUDA device. The
 * operations nearest_site, nearest_site_batch, voronoi, cost_distance, summarise_slab, finish_slab
 * and the solvers accept rasters in this memory. site_statistics and adjacency accept labels in it.
 * All other arrays must lie on the host.
 */
typedef int32_t thiessen_memory;

enum { THIESSEN_HOST = 0, THIESSEN_CUDA = 1 };

/** Most axes of an array: three of a raster, one of a batch of rasters and one of components. */
enum { THIESSEN_MAX_AXES = 5 };

/**
 * An array in memory of the caller or of a call. Rank 0 means that there is no array. A struct of
 * zeros therefore means "no array".
 */
typedef struct thiessen_array {
  void* data;                         /**< first element in array order; inputs are only read */
  int64_t extents[THIESSEN_MAX_AXES]; /**< elements along each axis, 0 or more */
  int64_t strides[THIESSEN_MAX_AXES]; /**< bytes from one element to the next, of any sign */
  int32_t rank;                       /**< number of axes, 0 to 5 */
  thiessen_type type;
  thiessen_memory memory;
  int32_t reserved; /**< 0 */
} thiessen_array;

/**
 * Array of contiguous elements in C order, on the host. The function cannot fail. If the array is
 * invalid, the function that receives the array reports the error.
 *
 * data     first element; for an input, it may be memory that is only read
 * rank     number of extents
 * extents  elements along each axis; null makes an array that every function refuses
 */
THIESSEN_API thiessen_array thiessen_contiguous(const void* data, thiessen_type type, int32_t rank,
                                                const int64_t* extents);

/** Site index of a cell that no site reaches, and of a nodata cell. */
enum { THIESSEN_SITE_UNREACHED = -1, THIESSEN_SITE_NODATA = -2 };

/* ---- contexts ----------------------------------------------------------------------------- */

/**
 * The place where calls run: a device, its threads, and scratch memory that is kept from one call
 * to the next. A repeated call of the same size therefore allocates no scratch memory. A context
 * runs one call at a time, and different threads may use different contexts at once. A call fails
 * with THIESSEN_INVALID_ARGUMENT while another thread is using the context. A callback may itself
 * run calls on the same context, one at a time. Such nested calls count as part of the outer call.
 */
typedef struct thiessen_context thiessen_context;

/**
 * Makes a context.
 *
 * device   "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1"; several CUDA devices as
 *          "cuda:0,cuda:1" or "cuda:all"; null: "auto", which is the CPU
 * threads  number of host threads, 0 to 1024; 0: one for each processor that this process may use
 * stream   for a CUDA device: the caller's stream (cudaStream_t) for all work. It must belong to
 *          the device and outlive the context. Null: the context makes a stream of its own.
 *          cudaStreamLegacy and cudaStreamPerThread select the default streams.
 * context  becomes the new context, or null after an error; free it by thiessen_context_free()
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for an unknown device or a number of threads out of range,
 * THIESSEN_UNSUPPORTED for a device that this machine does not have, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_context_new(const char* device, int32_t threads, void* stream,
                                                  thiessen_context** context);

/** Frees a context and its memory. No call may be running on it, and no solver may still use it. */
THIESSEN_API void thiessen_context_free(thiessen_context* context);

/** Name of the device, such as "cpu"; "" for null. Valid as long as the context. */
THIESSEN_API const char* thiessen_context_device(const thiessen_context* context);

/** Number of threads of the context; 0 for null. */
THIESSEN_API int32_t thiessen_context_threads(const thiessen_context* context);

/** Bytes of scratch memory that the context holds now; 0 for null. */
THIESSEN_API size_t thiessen_context_scratch_bytes(const thiessen_context* context);

/**
 * Releases the scratch memory.
 * Error: THIESSEN_INVALID_ARGUMENT for null, or while a call is running.
 */
THIESSEN_API thiessen_status thiessen_context_release_scratch(thiessen_context* context);

/**
 * Waits until all calls are done. It then returns the status of the first fault on the device since
 * the last wait, and clears this fault. THIESSEN_INVALID_ARGUMENT means that data in device memory
 * were invalid. THIESSEN_DEVICE_FAILED means that the device failed. If any array of a call is on
 * the host, the call itself waits before it returns. A call on the CPU is always done when it
 * returns.
 */
THIESSEN_API thiessen_status thiessen_context_synchronize(thiessen_context* context);

/**
 * A warning of the last call on the context: suspicious input that still has a result, such as no
 * site at all, or points that are nearest to no cell. Arrays in device memory are not checked.
 *
 * index  number of the warning, from 0
 * count  becomes the number of sites or points that the warning is about; may be null
 *
 * Returns one line of text, valid until the next call on the context. Returns null if the index is
 * beyond the last warning, and for a null context.
 */
THIESSEN_API const char* thiessen_context_warning(const thiessen_context* context, size_t index,
                                                  int64_t* count);

/**
 * Ends the running call soon, or the next one if none is running, with THIESSEN_CANCELLED. The
 * outputs of that call are then in an unspecified state, but the outputs of a solver stay as they
 * were. The function has no effect if the running call is almost done, or for null. It is safe from
 * any thread and from a signal handler.
 */
THIESSEN_API void thiessen_context_cancel(thiessen_context* context);

/**
 * A callback that receives the progress: a growing fraction from 0 to 1. The last value is 1. If
 * the callback returns anything but 0, the call is cancelled. The callback may run on any thread,
 * but never on two at once. It must return normally, and not by longjmp or a C++ exception.
 */
typedef int (*thiessen_progress)(double fraction, void* user);

/**
 * Registers a callback. Later calls run report(fraction, user) from time to time. A null `report`
 * turns the reports off.
 * Errors: THIESSEN_INVALID_ARGUMENT for a null context, or while a call is running,
 * THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_context_on_progress(thiessen_context* context,
                                                          thiessen_progress report, void* user);

/**
 * Devices of this build and their methods as JSON: a list of objects with the keys `name`,
 * `description`, `available`, `reason`, `methods` and `cost_methods`. `cost_methods` is a list of
 * names. Each element of `methods` has the keys `name`, `exact` and `approximate_metrics`. An exact
 * method is approximate for the metrics in `approximate_metrics`.
 *
 * json  becomes the text, which is valid until this thread calls this function again; becomes null
 *       after an error
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for a null pointer, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_devices_json(const char** json);

/* ---- calls -------------------------------------------------------------------------------- */

/**
 * All operations as JSON: {"operations": [...]}. An operation has a name, one line of help, a role,
 * and lists of its inputs, options, outputs and results. An operation with the role "function" runs
 * on a context. With the role "solver" it can also make a solver, and with "solver_only" it only
 * makes a solver. With "solver_function" it runs on a solver. An option has its kind, range,
 * choices, unit and default. An array has its element type, or the rule for the element type. An
 * output has the values of unreached and nodata cells. Infinities and NaN are texts. The JSON text
 * is never null, and always valid.
 */
THIESSEN_API const char* thiessen_describe(void);

/**
 * A call of an operation: its arguments, and its results after a run. A call keeps its arguments,
 * so it may be changed and run again. Only one thread at a time may use a call. The memory of an
 * array belongs to the caller, and must stay allocated while the call runs. The struct
 * thiessen_array, texts and lists are copied when they are set.
 */
typedef struct thiessen_call thiessen_call;

/**
 * Makes a call in which every option has its default.
 *
 * call  becomes the new call, or null after an error; free it by thiessen_call_free()
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for an unknown operation, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_call_new(const char* operation, thiessen_call** call);

/** Frees a call, its results and the outputs that it allocated. */
THIESSEN_API void thiessen_call_free(thiessen_call* call);

/*
 * Setters of options. If an option is set twice, the last value counts.
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for a name that is no option of the operation, for a value of
 * another kind, or for a number out of range; THIESSEN_OUT_OF_MEMORY. After an error the option
 * keeps its value. thiessen_run() checks the rules between arguments.
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

/** A seed, or a label of 2^63 or more. */
THIESSEN_API thiessen_status thiessen_set_unsigned(thiessen_call* call, const char* option,
                                                   uint64_t number);

/**
 * A choice ("manhattan") or a text ("circle:12"). Null restores the default. Some options have a
 * value by default but may also have none, such as `background`. "none" removes the value.
 */
THIESSEN_API thiessen_status thiessen_set_text(thiessen_call* call, const char* option,
                                               const char* text);

/** A list of `count` numbers, such as the spacing of each axis; `numbers` may be null for 0. */
THIESSEN_API thiessen_status thiessen_set_numbers(thiessen_call* call, const char* option,
                                                  const double* numbers, size_t count);

/** A list of integers: flags (one for each axis), steps, labels or extents. */
THIESSEN_API thiessen_status thiessen_set_integers(thiessen_call* call, const char* option,
                                                   const int64_t* numbers, size_t count);

/** A list of labels, some of which are 2^63 or more. */
THIESSEN_API thiessen_status thiessen_set_unsigneds(thiessen_call* call, const char* option,
                                                    const uint64_t* numbers, size_t count);

/** Restores the default of an option. */
THIESSEN_API thiessen_status thiessen_set_default(thiessen_call* call, const char* option);

/**
 * Sets an array that the call reads.
 *
 * array  its memory must stay allocated and unchanged while the call runs; null or rank 0: no array
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for a name that is no input of the operation, for an invalid
 * array, or for a wrong element type if the input has a fixed one.
 */
THIESSEN_API thiessen_status thiessen_set_input(thiessen_call* call, const char* input,
                                                const thiessen_array* array);

/**
 * Sets an array that the call writes. Some operations read it first. No two elements of the array
 * may share a byte, and the array may share no byte with another array of the call.
 *
 * array  the caller's memory, which must stay allocated while the call runs; null or rank 0: the
 *        call does not compute this output
 *
 * Errors: as thiessen_set_input().
 */
THIESSEN_API thiessen_status thiessen_set_output(thiessen_call* call, const char* output,
                                                 const thiessen_array* array);

/**
 * Asks for an output in memory that the call allocates. Each run then provides the memory, on the
 * host, and thiessen_get_output() returns the array. A later thiessen_set_output() of the same
 * output cancels this request. Error: THIESSEN_INVALID_ARGUMENT for a name that is no output, or
 * for an output that is also read.
 */
THIESSEN_API thiessen_status thiessen_want(thiessen_call* call, const char* output);

/**
 * Returns an output or a result after the call has run.
 *
 * A result is either a number, in an array of one element, or a list. The call determines the
 * length of the list. The extents of a list are (rows), (rows, columns) or (rows, columns, columns)
 * in C order. An empty list has 0 rows.
 *
 * array  becomes the array. Memory that the call allocated belongs to the call, and is valid until
 *        the call runs again or is freed. The array has rank 0 if the output was not requested. If
 *        the call has not run to its end, results and outputs that the call allocates also have
 *        rank 0.
 *
 * Error: THIESSEN_INVALID_ARGUMENT for a null pointer or an unknown name.
 */
THIESSEN_API thiessen_status thiessen_get_output(const thiessen_call* call, const char* output,
                                                 thiessen_array* array);

/**
 * Runs a call on a context. If all its arrays are on the device of the context, the function puts
 * the work on the stream and returns without waiting. thiessen_context_synchronize() waits for it.
 *
 * Errors: the errors of the C++ function; THIESSEN_INVALID_ARGUMENT also for a missing input, and
 * for an operation that only makes a solver or runs on a solver. A call that is refused has written
 * nothing.
 */
THIESSEN_API thiessen_status thiessen_run(thiessen_context* context, thiessen_call* call);

/* ---- solvers ------------------------------------------------------------------------------ */

/**
 * A solver keeps a problem and its answer while the problem changes. Other calls change and query
 * it:
 *
 *   made by a call of               changed and queried by calls of
 *   nearest_site, voronoi           add_points, move_points, add_sites, move_sites, remove_sites,
 *                                   update_sites, update_box; find_sites; solve, enqueue, changes,
 *                                   changed_cells; solver_bytes
 *   cost_distance                   the same except update_sites; also update_map,
 *                                   update_blocked_faces, set_initial_cost
 *   region_statistics               update_regions; region_changes, region_table, region_adjacency
 *   cost_slab_queue                 next_cost_slab, add_cost_slab
 *
 *   thiessen_solver_new(context, problem, &solver);    (the outputs are now right)
 *   thiessen_set_input(update, "cells", &cells);       (a call of "update_map")
 *   thiessen_set_input(update, "values", &values);
 *   thiessen_solver_run(solver, update);
 *   thiessen_solver_run(solver, solve);                (a call of "solve": they are right again)
 *   thiessen_get_output(solve, "cells", &changed);
 *
 * Sites are named by their site index: the linear index of a cell of a raster, or the position in a
 * list of points. Positions never shift, because a removed point stays in the list as an absent
 * one. A run on a solver is a call on its context, so only one runs at a time. docs/online.md has
 * more.
 */
typedef struct thiessen_solver thiessen_solver;

/**
 * Makes a solver from a call whose arguments are set as for thiessen_run(). The outputs are right
 * when the function returns.
 *
 * context  must outlive the solver
 * call     its inputs are copied, except the rasters of region_statistics. These rasters and the
 *          caller's outputs must stay allocated as long as the solver exists. Nobody else may write
 *          to the outputs. The call may be freed before the solver: outputs that the call allocated
 *          then stay valid as long as the solver.
 * solver   becomes the new solver, or null after an error; free it by thiessen_solver_free()
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
 * A call that fails has changed nothing: the outputs stay as they were, and the updates still wait
 * for the next "solve". Map values in device memory are checked on the device. "changes" or "solve"
 * then reports illegal values.
 *
 * Errors: THIESSEN_INVALID_ARGUMENT, also for an operation that is not for this solver,
 * THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED, THIESSEN_DEVICE_FAILED.
 */
THIESSEN_API thiessen_status thiessen_solver_run(thiessen_solver* solver, thiessen_call* call);

#ifdef __cplusplus
}
#endif

#endif
