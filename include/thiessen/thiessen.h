/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thiessen for C, and for every language that can call C.
 *
 * Every function but those that cannot fail returns a thiessen_status, THIESSEN_OK (0) or what kind
 * of thing went wrong; thiessen_last_error() says which argument, its value and the rule. No C++
 * exception leaves a function. A null pointer, an unknown number for a type or a metric, a negative
 * extent, strides that lead out of memory: all of these are errors like any other. What cannot be
 * checked is that the memory of an array is there.
 *
 * Structs of options begin with `size`, which must be sizeof of the struct, so that later versions
 * can append members; what is left zero, or what thiessen_..._init() wrote, keeps its meaning.
 *
 * The functions mean what those of the C++ headers of the same names mean; semantics are in
 * docs/semantics.md, determinism in docs/determinism.md. Axis order is array order: (y, x) or
 * (z, y, x).
 */
#ifndef THIESSEN_THIESSEN_H
#define THIESSEN_THIESSEN_H

#include <stddef.h>
#include <stdint.h>

#include "thiessen/export.hpp"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ------------------------------------------------------------------------------- */

/** What came of a call. A number and not an enum, so that every value can be passed safely. */
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

/** Short name of a status: "ok", "invalid_argument" ..., "unknown". Never null. */
THIESSEN_API const char* thiessen_status_name(thiessen_status status);

/**
 * Text of the last call of this thread that failed, one line, at most 511 bytes; empty if none has.
 * Never null; valid until the next call of this thread that fails.
 */
THIESSEN_API const char* thiessen_last_error(void);

/** Version of the library: "0.1.0". */
THIESSEN_API const char* thiessen_version(void);

/* ---- arrays and values -------------------------------------------------------------------- */

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
 * Where the elements live. thiessen_nearest_site(), thiessen_nearest_site_batch() and
 * thiessen_voronoi() take THIESSEN_CUDA where the context is on a CUDA device, and so do
 * thiessen_site_statistics() and thiessen_adjacency() for labels; the others take nothing but
 * THIESSEN_HOST.
 */
typedef int32_t thiessen_memory;

enum { THIESSEN_HOST = 0, THIESSEN_CUDA = 1 };

/** Longest list of axes: three of the raster, one of a batch of them and one of components. */
enum { THIESSEN_MAX_AXES = 5 };

/**
 * An array that the caller owns. With rank 0, as in a struct of zeros, it means "none" as an input
 * and "not wanted" as an output.
 */
typedef struct thiessen_array {
  void* data;                         /**< first element in array order; inputs are only read */
  int64_t extents[THIESSEN_MAX_AXES]; /**< cells along each axis, 0 or more */
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
 * extents  cells along each axis; null makes an array that every function refuses
 */
THIESSEN_API thiessen_array thiessen_contiguous(const void* data, thiessen_type type, int32_t rank,
                                                const int64_t* extents);

/** What a thiessen_value holds. */
typedef int32_t thiessen_value_kind;

enum {
  THIESSEN_VALUE_NONE = 0, /**< no value is given */
  THIESSEN_VALUE_I64 = 1,
  THIESSEN_VALUE_U64 = 2,
  THIESSEN_VALUE_F64 = 3
};

/** A label given as a number; the type of the label raster must be able to hold exactly it. */
typedef struct thiessen_value {
  thiessen_value_kind kind;
  int32_t reserved; /**< 0 */
  union {
    int64_t i64;
    uint64_t u64;
    double f64;
  } as;
} thiessen_value;

THIESSEN_API thiessen_value thiessen_value_i64(int64_t number);
THIESSEN_API thiessen_value thiessen_value_u64(uint64_t number);
THIESSEN_API thiessen_value thiessen_value_f64(double number);

/** Site index of a cell that no site reaches, and of a nodata cell. */
enum { THIESSEN_SITE_UNREACHED = -1, THIESSEN_SITE_NODATA = -2 };

/* ---- contexts ----------------------------------------------------------------------------- */

/**
 * Where a call runs, and what is kept from call to call: a device, its threads, scratch memory. A
 * repeated call of the same size asks for no scratch memory again. One call at a time per context;
 * different contexts may be used from different threads at once. A call that finds its context in
 * use by another thread fails with THIESSEN_INVALID_ARGUMENT. A callback of a call may make others
 * on the same context, one at a time; they are parts of that call.
 */
typedef struct thiessen_context thiessen_context;

typedef struct thiessen_context_options {
  size_t size;
  /** "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1", several CUDA devices as
      "cuda:0,cuda:1" or "cuda:all"; null means "auto" */
  const char* device;
  int32_t threads; /**< 0 to 1024; 0 means one for each processor of this process */
  /** For a CUDA device: the stream (cudaStream_t) that all work is put on, the caller's; it must
   * belong to the device and outlive the context. Null: one of the context's own. The default
   * streams are named by cudaStreamLegacy and cudaStreamPerThread. */
  void* stream;
} thiessen_context_options;

/**
 * Writes the defaults. size is sizeof *options as the caller's compiler knows it.
 * Error: THIESSEN_INVALID_ARGUMENT for a null pointer, or a size that no version of the struct has.
 */
THIESSEN_API thiessen_status thiessen_context_options_init(thiessen_context_options* options,
                                                           size_t size);

/**
 * Creates a context. options may be null: the defaults. *context becomes null if that fails.
 * Errors: THIESSEN_INVALID_ARGUMENT for an unknown device or number of threads,
 * THIESSEN_UNSUPPORTED for a device that this machine does not have, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_context_create(const thiessen_context_options* options,
                                                     thiessen_context** context);

/** Frees a context and its memory; without effect on null. No call may be running on it. */
THIESSEN_API void thiessen_context_destroy(thiessen_context* context);

/** Name of the device, such as "cpu"; "" for null. Valid as long as the context. */
THIESSEN_API const char* thiessen_context_device(const thiessen_context* context);

/** Threads of the context; 0 for null. */
THIESSEN_API int32_t thiessen_context_threads(const thiessen_context* context);

/** Bytes of scratch memory that are held now; 0 for null. */
THIESSEN_API size_t thiessen_context_scratch_bytes(const thiessen_context* context);

/** Gives the scratch memory back. Error: THIESSEN_INVALID_ARGUMENT for null, or if a call is
 * running. */
THIESSEN_API thiessen_status thiessen_context_release_scratch(thiessen_context* context);

/**
 * Waits until all that was called is done, and returns the status of the first fault that was found
 * on the device since the last time, which is then forgotten: THIESSEN_INVALID_ARGUMENT for what a
 * caller got wrong in device memory, THIESSEN_DEVICE_FAILED for the device's own. Calls wait by
 * themselves if any array of theirs is on the host; those on the CPU always are done.
 */
THIESSEN_API thiessen_status thiessen_context_synchronize(thiessen_context* context);

/**
 * What the last call on the context found odd, though it has an answer: no site at all, points that
 * win no cell, ... Warning `index`, from 0, as one line; null where there are no more, and for a
 * null context. *count, if that is not null, becomes the number of sites or points that it is
 * about. Valid until the next call on the context. What is in device memory is not looked at.
 */
THIESSEN_API const char* thiessen_context_warning(const thiessen_context* context, size_t index,
                                                  int64_t* count);

/**
 * Ends the running call soon, or the next one if none is running, with THIESSEN_CANCELLED; its
 * outputs are then in an unspecified state, but those of a solver as they were. Without effect if
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
 * *json is valid until the next call of this function from this thread, and null if it fails.
 * Errors: THIESSEN_INVALID_ARGUMENT for a null pointer, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_devices_json(const char** json);

/* ---- calls by names ----------------------------------------------------------------------- */

/**
 * A call of an operation, filled by names, which are the same in C++, Python and the command;
 * thiessen_describe() lists them all. It can be run again, and changed in between.
 *
 *   thiessen_call* call;
 *   thiessen_call_new("nearest_site", &call);
 *   thiessen_set_number(call, "max_distance", 3);
 *   thiessen_set_input(call, "sites", &sites);
 *   thiessen_set_output(call, "labels", &labels);
 *   if (thiessen_run(context, call) != THIESSEN_OK) puts(thiessen_last_error());
 *   thiessen_call_free(call);
 *
 * A call belongs to one thread at a time. Arrays are the caller's and must be there when the call
 * runs; texts and lists are copied.
 */
typedef struct thiessen_call thiessen_call;

/**
 * Makes a call with the defaults of its operation. *call becomes null if that fails.
 * Errors: THIESSEN_INVALID_ARGUMENT for a name that no operation has, THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_call_new(const char* operation, thiessen_call** call);

/** Frees a call and the outputs that it made; without effect on null. */
THIESSEN_API void thiessen_call_free(thiessen_call* call);

/*
 * Setters of options. Each refuses with THIESSEN_INVALID_ARGUMENT a name that is no option of the
 * operation, a value of another kind and a number out of range; what depends on other arguments,
 * thiessen_run() says. An option that is set again has the last value.
 */

/** flag: 0 or 1. */
THIESSEN_API thiessen_status thiessen_set_flag(thiessen_call* call, const char* option,
                                               int32_t flag);
THIESSEN_API thiessen_status thiessen_set_number(thiessen_call* call, const char* option,
                                                 double number);
/** For counts and labels; and for `connectivity`, the number of neighbours. */
THIESSEN_API thiessen_status thiessen_set_integer(thiessen_call* call, const char* option,
                                                  int64_t number);
/** For seeds, and labels of 2^63 and more. */
THIESSEN_API thiessen_status thiessen_set_unsigned(thiessen_call* call, const char* option,
                                                   uint64_t number);
/** For choices ("manhattan") and texts ("circle:12"); null sets the default. */
THIESSEN_API thiessen_status thiessen_set_text(thiessen_call* call, const char* option,
                                               const char* text);
/** A list, such as the spacing of each axis; null is a list of 0 numbers. */
THIESSEN_API thiessen_status thiessen_set_numbers(thiessen_call* call, const char* option,
                                                  const double* numbers, size_t count);
THIESSEN_API thiessen_status thiessen_set_integers(thiessen_call* call, const char* option,
                                                   const int64_t* numbers, size_t count);
/** For lists of labels of 2^63 and more. */
THIESSEN_API thiessen_status thiessen_set_unsigneds(thiessen_call* call, const char* option,
                                                    const uint64_t* numbers, size_t count);
THIESSEN_API thiessen_status thiessen_set_default(thiessen_call* call, const char* option);

/** An array that the call reads; null or rank 0: none. */
THIESSEN_API thiessen_status thiessen_set_input(thiessen_call* call, const char* input,
                                                const thiessen_array* array);

/** An array that the call writes; null or rank 0: not wanted. */
THIESSEN_API thiessen_status thiessen_set_output(thiessen_call* call, const char* output,
                                                 const thiessen_array* array);

/** Has the call make the memory of an output whenever it runs. */
THIESSEN_API thiessen_status thiessen_want(thiessen_call* call, const char* output);

/**
 * An output, or a result, after thiessen_run(): a result is an array of one axis, of one element if
 * it is a number. What the call made is valid until it runs again, or is freed.
 */
THIESSEN_API thiessen_status thiessen_get_output(const thiessen_call* call, const char* output,
                                                 thiessen_array* array);

/** Runs a call on a context. Errors: as the C++ function of the operation's name throws. */
THIESSEN_API thiessen_status thiessen_run(thiessen_context* context, thiessen_call* call);

/** All operations with their inputs, options, outputs and results as JSON. Never null; "{}" where
 * there is no memory for it. */
THIESSEN_API const char* thiessen_describe(void);

/* ---- nearest site ------------------------------------------------------------------------- */

/** How far apart two cells are, d being the difference of their coordinates times the spacing. The
 * last three exist in 2-D, with a spacing of 1, for sites on centres of cells; in them a is the
 * greater and b the smaller |d|. */
typedef int32_t thiessen_metric;

enum {
  THIESSEN_EUCLIDEAN = 0,      /**< the root of the sum of d squared */
  THIESSEN_MANHATTAN = 1,      /**< the sum of |d|, also called city-block */
  THIESSEN_CHESSBOARD = 2,     /**< the greatest |d| */
  THIESSEN_OCTAGONAL = 3,      /**< the greater of a and 2(a + b + 1)/3, rounded down */
  THIESSEN_CHAMFER_3_4 = 4,    /**< (3a + b)/3 */
  THIESSEN_CHAMFER_5_7_11 = 5, /**< (5a + b)/5, or (4a + 3b)/5 for 2b > a */
  THIESSEN_ELLIPSOIDAL = 6,    /**< metres on the Earth's ellipsoid; see latitude and longitude */
  THIESSEN_GREAT_CIRCLE = 7    /**< the same on a sphere */
};

/** What the outputs `distance` and `squared` measure to. */
typedef int32_t thiessen_distance_to;

enum {
  THIESSEN_TO_SITES = 0,
  THIESSEN_TO_ZEROS = 1,   /**< the nearest cell that holds 0 */
  THIESSEN_TO_BOUNDARY = 2 /**< the nearest cell that does not hold the same value */
};

typedef struct thiessen_nearest_site_options {
  size_t size;

  /** "exact" (linear time) or "brute-force" (cells times sites), with the same results;
   * "raster-gpu", "chamfer", "circle-growing", "dilation" or "expansion", with the same again, each
   * for some metrics ("chamfer" is not exact for THIESSEN_OCTAGONAL); or one of the jump flooding
   * family, which is not exact: "jfa", "1+jfa", "jfa+1", "jfa+2", "jfa2", "jfa-noise", "jfa-plus",
   * "jfa-star", as papers have them, in 2-D, "jfa-coeurjolly", "jfa+1-paper", "jfa+-paper",
   * "jfa-star-paper", "jfa-star+1-paper", and on CUDA "jfa-thrust"; null: "exact". */
  const char* method;
  thiessen_metric metric;
  thiessen_distance_to distance_to;

  /** World length of one cell along each axis, as many as the raster has axes, finite and > 0;
   * null: 1 on each. */
  const double* spacing;

  /** For each axis 1 if the raster goes on with its other end there, as a torus does, or 0; null:
   * no axis. */
  const int32_t* periodic;

  /** If there are any: exactly the cells of these values are the sites, also zero and NaN if
   * they are listed; for boolean sites 0 or 1. */
  const thiessen_value* values;
  size_t value_count;

  /** 1: every cell that is not nodata is a site, whatever it holds. Not together with
   * values. */
  int32_t zero_is_site;

  /** 1: a site cell gets minus the distance to the nearest cell that is not a site. Not together
   * with THIESSEN_TO_BOUNDARY. */
  int32_t signed_distance;

  /** Search limit in units of the spacing, inclusive, >= 0; initialised to infinity. */
  double max_distance;

  /** Cells of this value in the raster of sites lie outside of the domain: never a site, nodata in
   * every output. */
  thiessen_value nodata;

  /** Label of an unreached cell; THIESSEN_VALUE_NONE means 0. */
  thiessen_value unreached;

  /** For the jump flooding family only, in place of what the method does by itself. Jump lengths of
   * the passes in cells, each from 1 to 2^30; none: the method's own. */
  const int64_t* steps;
  size_t step_count;

  /** "square", or in 2-D "circle:N" or "random-circle:N", N from 1 to 64; null: the method's own.
   */
  const char* pattern;

  /** "none", "in-place" or "mask"; null: the method's own. */
  const char* noise;

  /** Seed of noise and random circles. */
  uint64_t seed;

  /** For "raster-gpu" only: up to so many sites every cell is compared with all of them; with more,
   * each cell looks around itself until it meets one. >= 0; initialised to -1: what was measured
   * for the device. */
  int64_t scan_sites;

  /** For "circle-growing" only: by how many cells (of the longest spacing) the radius grows from
   * round to round. 1 to 2^30; 0: 1. */
  int64_t growth_step;

  /** Label of the cells outside of the argument `domain`; THIESSEN_VALUE_NONE: `nodata`, without it
   * -1 where sites are numbered, and an error where they have labels of their own. */
  thiessen_value nodata_label;

  /** 1: what thiessen_context_warning() would tell of is an error. */
  int32_t strict;

  /** For "jfa-coeurjolly" and "jfa-thrust" only. 1: an empty cell measures as if it held the site
   * (row n, column 0) below a raster of n rows, as in the paper, and may stay empty. */
  int32_t literal;

  /** For the jump flooding family only, and not together with steps: "pow2", "half", "quarter" or
   * "third"; null: the method's own rule. */
  const char* step_rule;

  /** For "brute-force" on cuda and opencl only: which cells a thread takes, "cyclic" or
   * "contiguous"; null: "cyclic". Results do not depend on it. */
  const char* allotment;
  /** For "dilation" and "expansion" on the CPU only. 1: no label is settled. A dilated cell takes
   * the first of the labels that reach it in its round; a cell expands its neighbourhood until a
   * site is met. Not exact. */
  int32_t labels_carried;

  /** For THIESSEN_ELLIPSOIDAL and THIESSEN_GREAT_CIRCLE alone: the latitude of each row and the
   * longitude of each column of a 2-D raster, in degrees, rising or falling. Null: none. */
  const double* latitude;
  size_t latitude_count;
  const double* longitude;
  size_t longitude_count;

  /** Their radius at the equator in metres; 0: that of WGS 84, 6378137, or for great circles the
   * mean radius, 6371008.8. */
  double earth_radius;

  /** From 0 to 0.02; initialised to that of WGS 84. Great circles take no notice of it. */
  double flattening;

  /** If not 0: the k nearest sites of every cell, nearest first, at most 1024. labels, site_index,
   * distance and squared then have one more axis in front, of k; other outputs do not exist. Method
   * "exact" on the CPU only, and neither signed_distance nor THIESSEN_TO_BOUNDARY; not of batches
   * and solvers. */
  int64_t k;

  /** 1: the k nearest labels, each by its nearest site, in place of the k nearest sites. */
  int32_t distinct_labels;

  /** 1: cells at equal distance from several labels get the label `unreached`; where the output
   * `ties` exists. */
  int32_t ties_unreached;

  /** 1: the cells of the value `nodata`, which must be given, are the free ones, in the domain as
   * any; all others are sites, zero and NaN too. Not together with values. */
  int32_t free_nodata;
} thiessen_nearest_site_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status
thiessen_nearest_site_options_init(thiessen_nearest_site_options* options, size_t size);

/**
 * Where the results go; {.size = sizeof outputs} is a struct of outputs that are all not wanted.
 * Each has the extents of the sites, lies on the host or on the context's device and has any
 * strides with which no two cells share a byte: every stride steps over all that the smaller ones
 * cover. The ranges of addresses from first to last byte of the sites and of each output must not
 * overlap.
 */
typedef struct thiessen_nearest_site_outputs {
  size_t size;

  /** Label of the nearest site, in the type of the sites. Boolean sites are numbered 1, 2, ... in
   * the order of their site index: I32 or I64, where I32 must hold the number of cells. */
  thiessen_array labels;

  /** I64: linear row-major index of the nearest site's cell. */
  thiessen_array site_index;

  /** F32 or F64: distance in units of the spacing. */
  thiessen_array distance;

  /** I64: squared distance in cells; only euclidean, with a spacing of 1 on every axis. */
  thiessen_array squared;

  /** I32: site minus cell, in cells; one more axis in front, of as many components as the raster
   * has axes, in array order. */
  thiessen_array offset;

  /** F32, 2-D only: compass direction from the cell to its site in degrees, row 0 in the north. */
  thiessen_array direction;

  /** The same as labels, site_index and distance for the nearest site of another label: what the
   * call would find at a cell if all sites of the cell's own label were taken away. Method "exact"
   * on the CPU only, and neither signed_distance nor THIESSEN_TO_BOUNDARY; not of solvers. */
  thiessen_array other_labels;
  thiessen_array other_site_index;
  thiessen_array other_distance;

  /** U8: how many labels have a site at exactly the least distance, up to 255: 1 where there is no
   * tie, 0 in unreached and nodata cells. Sites without labels of their own have one each. Method
   * "exact" on the CPU only, and neither signed_distance nor THIESSEN_TO_BOUNDARY; not of
   * solvers. */
  thiessen_array ties;
} thiessen_nearest_site_outputs;

/**
 * Nearest site of every cell of a raster, by straight-line distance.
 *
 * sites    2-D (y, x) or 3-D (z, y, x), any type, any strides, on the host or on the context's
 *          device; if all arrays are on the device, work is put on its stream and the call returns
 *          (thiessen_context_synchronize). Its cells that are not zero, NaN or nodata are the
 *          sites (see also values, zero_is_site and free_nodata); a cell's value is its site's
 *          label. Each axis has at most 2^30 cells; no cell, or no site at all, is no error.
 * options  null: the defaults.
 * domain   null: all cells; else an array of BOOL or integers and of the extents of the outputs:
 *          only the cells where it is not 0 have an answer. The others are nodata in every output,
 *          but sites there count.
 *
 * Special cells     labels     site_index  distance  squared  offset     direction
 *   unreached       unreached  -1          +inf      -1       INT32_MIN  NaN
 *   nodata          nodata     -2          NaN       -2       INT32_MIN  NaN
 *
 * Ties: at equal distance the site with the smaller index wins; the same bits for every exact
 * method, number of threads and device.
 *
 * Time O(cells); scratch kept in the context: 4 to 20 bytes a cell (docs/time-and-memory.md).
 *
 * Errors: THIESSEN_INVALID_ARGUMENT, THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY,
 * THIESSEN_CANCELLED. Arguments are checked before anything is written.
 */
THIESSEN_API thiessen_status thiessen_nearest_site(thiessen_context* context,
                                                   const thiessen_array* sites,
                                                   const thiessen_nearest_site_options* options,
                                                   const thiessen_nearest_site_outputs* outputs,
                                                   const thiessen_array* domain);

/**
 * The same of each raster of a batch: every array has one more axis in front, (n, y, x) or
 * (n, z, y, x), but the offset's components stay before it. Site indices and numbers count within
 * their own raster; spacing and periodic are those of a raster. A CUDA device does 2-D rasters all
 * at once.
 */
THIESSEN_API thiessen_status thiessen_nearest_site_batch(
    thiessen_context* context, const thiessen_array* sites,
    const thiessen_nearest_site_options* options, const thiessen_nearest_site_outputs* outputs,
    const thiessen_array* domain);

/** Sites given as points. */
typedef struct thiessen_points {
  size_t size;

  /** F32 or F64 of extents (points, axes): (y, x) or (z, y, x) of each point in cells, where the
   * centre of the first cell is 0; finite, at most 2^31 cells away. Rounded half to even to 2^-16
   * of a cell. Points outside of the grid count; the first of points at the same
   * place wins. */
  thiessen_array coordinates;

  /** Their labels, of any type but BOOL and extents (points); of rank 0: 1, 2, .... */
  thiessen_array labels;
} thiessen_points;

/**
 * Voronoi diagram of points: nearest point of every cell of a grid. As thiessen_nearest_site(),
 * with these differences.
 *
 * rank, extents  2 or 3 axes of the grid; the spacing is options->spacing
 * options        values, zero_is_site, free_nodata, nodata, signed_distance and distance_to are for
 *                raster sites only
 * outputs        of these extents. `labels` in the type of the points' labels, or I32 (I64 for 2^31
 *                points and more) if they have none; `site_index` is the position in the list;
 *                `squared` and `offset` exist only if all points lie on centres of cells
 */
THIESSEN_API thiessen_status thiessen_voronoi(thiessen_context* context,
                                              const thiessen_points* points, int32_t rank,
                                              const int64_t* extents,
                                              const thiessen_nearest_site_options* options,
                                              const thiessen_nearest_site_outputs* outputs,
                                              const thiessen_array* domain);

/* ---- cost distance ------------------------------------------------------------------------ */

/** Which cells are neighbours of a cell: of cost distance, and of connected components. */
typedef int32_t thiessen_connectivity;

enum {
  THIESSEN_CORNERS = 0, /**< those that share at least a corner: 8 in 2-D, 26 in 3-D */
  THIESSEN_FACES = 1,   /**< those that share a face: 4 in 2-D, 6 in 3-D */
  THIESSEN_EDGES = 2,   /**< 3-D only: those that share a face or an edge, 18 */
  THIESSEN_KNIGHTS = 3  /**< 2-D only, cost distance only: with the knight's moves, 16 */
};

/** What a step from cell p to its neighbour q costs, |p-q| being the distance of their centres. */
typedef int32_t thiessen_edge_weight;

enum {
  THIESSEN_STIFFNESS = 0, /**< 2 |p-q| / (W_p + W_q) */
  THIESSEN_COST = 1       /**< |p-q| (C_p + C_q) / 2 */
};

typedef struct thiessen_cost_distance_options {
  size_t size;

  /** "exact", "dijkstra" or "relaxation", with the same results; null: "exact". */
  const char* method;
  thiessen_edge_weight edge_weight;

  thiessen_connectivity connectivity;

  /** 1: costs are computed in double, else in float. */
  int32_t computed_in_f64;

  /** World length of one cell along each axis, as many as the map has axes, finite and > 0; null: 1
   * on each. */
  const double* spacing;

  /** As in thiessen_nearest_site_options. */
  const thiessen_value* values;
  size_t value_count;
  int32_t zero_is_site;

  /** 1: a diagonal step does not pass between two barriers. */
  int32_t tight_barriers;

  /** 1: a site on a barrier, or a point outside of the raster, is an error instead of ignored; and
   * so is whatever else thiessen_context_warning() would tell of. */
  int32_t strict;

  /** Search limit, inclusive, >= 0; initialised to infinity. */
  double max_distance;

  /** Cells of this value in the raster of sites are no sites. */
  thiessen_value site_nodata;

  /** Cells of this value in the map lie outside of the domain: barriers, nodata in every output. */
  thiessen_value map_nodata;

  /** Label of nodata cells; THIESSEN_VALUE_NONE: map_nodata if labels can be that, or unreached. */
  thiessen_value nodata_label;

  /** Label of an unreached cell; THIESSEN_VALUE_NONE means 0. */
  thiessen_value unreached;

  /** For "relaxation" on the CPU only, and without back links. 1: labels are carried along with the
   * costs, as Toss and Comba have them, by one thread in ascending order of cells. Costs are the
   * same, labels not always. */
  int32_t labels_carried;

  /** Elevation of the cells of a 2-D map in metres, of its extents, on the host, any type but BOOL:
   * steps are walked. `walk` gives their seconds, which the map multiplies, or to which it adds;
   * the spacing is in metres. NaN is a barrier. On the CPU only, and only of
   * thiessen_cost_distance(). Null: there are no slopes. */
  const thiessen_array* elevation;
  /** "tobler" or "langmuir"; only with an elevation. Null: "tobler". */
  const char* walk;
  /** "from-site" or "to-site": which way one walks; only with an elevation. Null: "from-site". */
  const char* walk_direction;
  /** Cells of this elevation lie outside of the domain, as those of map_nodata do. */
  thiessen_value elevation_nodata;

  /** What |p-q| is: THIESSEN_EUCLIDEAN in units of the spacing; or, on 2-D rasters in degrees and
   * on the CPU, THIESSEN_ELLIPSOIDAL or THIESSEN_GREAT_CIRCLE, in metres on the Earth and without a
   * spacing. Only of thiessen_cost_distance(). */
  thiessen_metric metric;
  /** As in thiessen_nearest_site_options, for the metrics on the Earth alone. The steps of the
   * longitude must be even, within a hundredth of a step. */
  const double* latitude;
  size_t latitude_count;
  const double* longitude;
  size_t longitude_count;
  double earth_radius;
  double flattening;

  /** For the walk "langmuir" only: the seconds of a metre of length, up, down and steeply down, 4
   * numbers; the first two >= 0, the last one <= 0, and such that no slope takes
   * less than no time. Null: 0.72, 6, 1.9998, -1.9998. */
  const double* walk_coefficients;
  /** Slopes below it are steep, <= 0. NaN, as initialised: -0.2125. */
  double slope_factor;
  /** "multiplies": seconds take the place of |p-q| in the formula of the edge weight; "adds": a
   * step takes its seconds, and what it would cost without an elevation. Null: "multiplies". */
  const char* walk_map;
} thiessen_cost_distance_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status
thiessen_cost_distance_options_init(thiessen_cost_distance_options* options, size_t size);

/** What a call has to say besides its outputs. */
typedef struct thiessen_cost_distance_report {
  size_t size;
  int64_t ignored_sites;      /**< on barriers, nodata, or outside of the raster */
  int64_t first_ignored_site; /**< index of the first of them */
  int64_t iterations;         /**< of the method "relaxation", else 0 */
} thiessen_cost_distance_report;

/** Where the results go; as thiessen_nearest_site_outputs. Each has the extents of the map. */
typedef struct thiessen_cost_distance_outputs {
  size_t size;

  /** Label of the site, as of thiessen_nearest_site(). */
  thiessen_array labels;

  /** I64: linear row-major index of the site's cell, or the place of the point in its list. */
  thiessen_array site_index;

  /** F32 or F64: least cost of a path from a site. */
  thiessen_array distance;

  /** U8: next cell on a path back: 0 at the site, k the k-th neighbour in ascending linear index,
   * 254 unreached, 255 nodata. It leads to a cell that lies fewer steps from the site, by the
   * shortest step; by the first of equally short ones. */
  thiessen_array back_link;

  /** Null: not wanted. */
  thiessen_cost_distance_report* report;

  /** As of thiessen_nearest_site_outputs: the answer without the sites of a cell's own label. On
   * the CPU only, and not with labels_carried; not of solvers. */
  thiessen_array other_labels;
  thiessen_array other_site_index;
  thiessen_array other_distance;
} thiessen_cost_distance_outputs;

/**
 * Least-cost distance of every cell of a map from the sites, and the site that it belongs to.
 *
 * map      2-D (y, x) or 3-D (z, y, x), any type but BOOL, any strides. Barriers: stiffness 0, cost
 *          +inf, NaN, nodata. Negative values, stiffness +inf and finite values above a quarter of
 *          the greatest float are errors. Null, with an elevation in the options: all ones.
 * sites    raster of the same extents, as of thiessen_nearest_site(); or null, and then
 * points   a list; each is a site in its cell (left, upper edge too). One of both must be null.
 * options  null: the defaults.
 * initial_cost  null: 0; else what paths start with: F32 or F64, of the extents of the raster of
 *          sites, or one for each point.
 *
 * Special cells     labels        site_index  distance  back_link
 *   unreached       unreached     -1          +inf      254
 *   nodata          nodata_label  -2          NaN       255
 *
 * The same bits for every method, number of threads and device (docs/cost-distance.md). Time and
 * memory: docs/time-and-memory.md.
 *
 * Errors: THIESSEN_INVALID_ARGUMENT, THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY,
 * THIESSEN_CANCELLED. All is checked before anything is written.
 */
THIESSEN_API thiessen_status thiessen_cost_distance(
    thiessen_context* context, const thiessen_array* map, const thiessen_array* sites,
    const thiessen_points* points, const thiessen_cost_distance_options* options,
    const thiessen_cost_distance_outputs* outputs, const thiessen_array* initial_cost);

/**
 * The linear indices of the cells from a cell back to its site, both included.
 *
 * back_links    U8, 2-D or 3-D, as thiessen_cost_distance() wrote them with this connectivity.
 * from          coordinates of the cell in array order, one for each axis.
 * path          room for `capacity` indices; null if that is 0.
 * count         the length of the path, 0 if the cell is unreached or nodata; where it is more than
 *               `capacity` nothing is written to `path`.
 *
 * Errors: THIESSEN_INVALID_ARGUMENT, also for links that lead out of the raster or in a circle;
 * THIESSEN_OUT_OF_MEMORY.
 */
THIESSEN_API thiessen_status thiessen_least_cost_path(const thiessen_array* back_links,
                                                      thiessen_connectivity connectivity,
                                                      const int64_t* from, int64_t* path,
                                                      size_t capacity, size_t* count);

/**
 * Fills a map, F32 or F64, with a material: "uniform", "gradient", "noise" or "maze"; the last two
 * depend on the seed.
 * Errors: THIESSEN_INVALID_ARGUMENT, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED.
 */
THIESSEN_API thiessen_status thiessen_material_map(thiessen_context* context,
                                                   const thiessen_array* map, const char* material,
                                                   uint64_t seed);

/* ---- making sites ------------------------------------------------------------------------- */

typedef struct thiessen_components_options {
  size_t size;
  thiessen_connectivity connectivity; /**< not THIESSEN_KNIGHTS */
  int32_t reserved;                   /**< 0 */
  thiessen_value nodata;              /**< cells of the image of this value: label -1 */
} thiessen_components_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status thiessen_components_options_init(thiessen_components_options* options,
                                                              size_t size);

/**
 * Numbers the connected areas of equal non-zero value 1, 2, ... in the order of their first cells.
 *
 * image    2-D or 3-D, any type and strides, aligned; zero and NaN cells are background
 * options  null: the defaults
 * labels   the same extents, I32 or I64 (I32 must hold the number of cells), aligned, apart from
 *          the image; background becomes 0
 * count    becomes the number of components; may be null
 *
 * Time close to linear in the cells, no memory but the labels.
 * Errors: THIESSEN_INVALID_ARGUMENT, THIESSEN_CANCELLED.
 */
THIESSEN_API thiessen_status thiessen_connected_components(
    thiessen_context* context, const thiessen_array* image,
    const thiessen_components_options* options, const thiessen_array* labels, int64_t* count);

/**
 * Draws `count` distinct cells and labels them 1 to count in the order of their linear index; all
 * other cells become 0. The same seed, count and extents give the same sites on every machine.
 *
 * sites  2-D or 3-D, I32 or I64, any strides, aligned; overwritten
 * count  0 to the number of cells; I32 must hold it
 *
 * Time O(cells), no memory. Errors: THIESSEN_INVALID_ARGUMENT, THIESSEN_CANCELLED.
 */
THIESSEN_API thiessen_status thiessen_random_sites(thiessen_context* context,
                                                   const thiessen_array* sites, int64_t count,
                                                   uint64_t seed);

/* ---- pictures ----------------------------------------------------------------------------- */

/** What a picture shows; an array of rank 0 is left out. All others have the same extents (y, x).
 */
typedef struct thiessen_render_inputs {
  size_t size;
  thiessen_array labels;   /**< any type: every value gets a colour of its own */
  thiessen_array distance; /**< F32 or F64 */
  thiessen_array sites;    /**< any type: cells that are neither zero nor NaN are marked */
} thiessen_render_inputs;

/** A colour of the sRGB space: 0xRRGGBB. */
typedef int32_t thiessen_colour;

/** Instead of an edge colour: that of the cells, darker. */
enum { THIESSEN_DARKER = -1 };

/** What the cells of a picture are coloured by. */
typedef int32_t thiessen_render_mode;

enum {
  THIESSEN_BY_LABEL = 0,   /**< the distance if there are no labels */
  THIESSEN_BY_DISTANCE = 1 /**< along a ramp */
};

/** Colours of distances from the least to the greatest. */
typedef int32_t thiessen_ramp;

enum {
  THIESSEN_DUSK = 0,  /**< dark violet, teal, light yellow */
  THIESSEN_EMBER = 1, /**< black, red, cream */
  THIESSEN_ICE = 2,   /**< nearly white to navy */
  THIESSEN_GREY = 3,  /**< black to white */
  /* Those of matplotlib. */
  THIESSEN_VIRIDIS = 4, /**< violet, green, yellow */
  THIESSEN_MAGMA = 5,   /**< black, purple, cream */
  THIESSEN_CIVIDIS = 6  /**< blue, grey, yellow; the same to the colour-blind */
};

/** How the distance runs along the ramp. */
typedef int32_t thiessen_ramp_scale;

enum { THIESSEN_LINEAR = 0, THIESSEN_SQRT = 1, THIESSEN_LOG = 2 };

/** How sites are marked. */
typedef int32_t thiessen_marks;

enum {
  THIESSEN_NO_MARKS = 0,
  THIESSEN_SOLID = 1,  /**< single cells as discs, lines and areas filled */
  THIESSEN_OUTLINE = 2 /**< single cells as discs, of lines and areas the border */
};

typedef struct thiessen_render_options {
  size_t size;
  thiessen_render_mode mode;
  thiessen_marks marks;        /**< initialised to THIESSEN_SOLID */
  int32_t edges;               /**< 1: lines between cells of different labels; initialised to 1 */
  thiessen_colour edge_colour; /**< initialised to THIESSEN_DARKER */
  int32_t contours;            /**< 1: lines of equal distance */
  thiessen_colour background;  /**< of unreached cells; initialised to 0xFFFFFF */
  double contour_interval;     /**< finite, > 0; 0: one that makes five to twelve lines */

  /** How much darker the colours of labels become towards the greatest distance, 0 to 1;
   * initialised to 0.3. */
  double shade;

  thiessen_ramp ramp;
  thiessen_ramp_scale scale;

  /** Distances at both ends of the ramp, finite and rising; null: the least and the greatest there
   * are. */
  const double* range;

  thiessen_value label_nodata; /**< cells of this label are grey, as those of the distance NaN */
  thiessen_value site_nodata;  /**< cells of this value in `sites` are no sites */

  /** Cells of this label have the colour `background`, as those of an infinite distance;
   * THIESSEN_VALUE_NONE means 0. */
  thiessen_value unreached;

  /** How opaque coloured cells are, 0 to 1; less than 1 needs pixels of four channels. Lines and
   * marks stay opaque. Initialised to 1. */
  double opacity;
} thiessen_render_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status thiessen_render_options_init(thiessen_render_options* options,
                                                          size_t size);

/**
 * Paints a nearest-site map.
 *
 * inputs   on the host, aligned, apart from the pixels. Labels or distances, or sites alone.
 * options  null: the defaults
 * pixels   U8 of extents (y, x, 3): red, green, blue; or (y, x, 4): opacity, too, 255 for opaque,
 *          where unreached and nodata cells are transparent. Any number of pixels. A raster with
 *          more cells than pixels along an axis is averaged (at most 32768 cells a pixel), one
 *          with less is magnified.
 *
 * Time O(cells + pixels); memory for each thread O(columns times thickness of lines). Errors:
 * THIESSEN_INVALID_ARGUMENT, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED.
 */
THIESSEN_API thiessen_status thiessen_render(thiessen_context* context,
                                             const thiessen_render_inputs* inputs,
                                             const thiessen_render_options* options,
                                             const thiessen_array* pixels);

/* ---- comparing ---------------------------------------------------------------------------- */

/**
 * Two results of the same raster, a and b. For each output give both arrays or none (rank 0); all
 * have the same extents, 2-D or 3-D, and are aligned.
 */
typedef struct thiessen_compare_inputs {
  size_t size;
  thiessen_array labels_a; /**< any type, the same for both; two NaN are equal */
  thiessen_array labels_b;
  thiessen_array site_index_a; /**< I64 */
  thiessen_array site_index_b;
  thiessen_array distance_a; /**< F32 or F64; of one each, the F64 is rounded to F32 first */
  thiessen_array distance_b;
} thiessen_compare_inputs;

typedef struct thiessen_compare_options {
  size_t size;
  double tolerance; /**< distances that differ by no more than this are equal; >= 0 */

  /** 1: site indices are those of cells of the raster, and distances to them are computed exactly:
   * two sites at the same distance are a tie whatever the distances say that come with them. Not
   * for site indices of point lists. */
  int32_t measure_sites;
  thiessen_metric metric; /**< for measure_sites */
  const double* spacing;  /**< the same; as in thiessen_nearest_site_options */
} thiessen_compare_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status thiessen_compare_options_init(thiessen_compare_options* options,
                                                           size_t size);

/**
 * How two results differ; {.size = sizeof comparison} is ready to be filled. Excess is the
 * distance of b minus that of a, over the cells where both are finite; without distances it comes
 * from measure_sites.
 */
typedef struct thiessen_comparison {
  size_t size;
  int64_t cells;
  int64_t differing;  /**< cells where any output differs; 0: the results are equal */
  int64_t ties;       /**< of these, with another label or site at the same distance */
  int64_t mismatched; /**< of these, unreached or nodata in one result only */
  int64_t labels_differing;
  int64_t site_index_differing;
  int64_t distance_differing;     /**< by more than the tolerance, or one is not finite */
  double largest_excess;          /**< b is farther by so much; 0 if nowhere */
  double largest_relative_excess; /**< the same over a's distance; +inf where that is 0 */
  double largest_shortfall;       /**< b is nearer by so much; 0 if nowhere */
  double mean_excess;
  int64_t worst_cell[THIESSEN_MAX_AXES]; /**< where distances are farthest apart, in array order */
  int64_t first_cell[THIESSEN_MAX_AXES]; /**< the first that differs; of both, what is left is -1 */
} thiessen_comparison;

/**
 * Compares two results cell by cell.
 *
 * options     null: the defaults
 * comparison  its size must be set; nothing else of it is read
 *
 * Infinite distances are equal if their signs are, NaN equals NaN. If several cells are worst, the
 * first is reported. Time O(cells), memory O(columns).
 * Errors: THIESSEN_INVALID_ARGUMENT, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED; then *comparison
 * is as it was.
 */
THIESSEN_API thiessen_status thiessen_compare(thiessen_context* context,
                                              const thiessen_compare_inputs* inputs,
                                              const thiessen_compare_options* options,
                                              thiessen_comparison* comparison);

/* ---- on-line ------------------------------------------------------------------------------ */

/** What a solver's last solve changed: its answer now against its answer before. */
typedef struct thiessen_changes {
  size_t size;
  int64_t cells;                    /**< number of cells whose site or distance changed */
  int64_t first[THIESSEN_MAX_AXES]; /**< the least box that holds them, in array order: its first */
  int64_t last[THIESSEN_MAX_AXES];  /**< and last cell; -1 for axes that the raster lacks, and */
                                    /**< on all axes if nothing changed */
  int64_t site_count;               /**< sites that gained or lost a cell */
  const int64_t* sites;             /**< they, ascending, removed ones too; valid until the next */
                                    /**< solve */
} thiessen_changes;

/**
 * Keeps costs, labels and back links up to date while the map and the sites change.
 *
 * A solver is made once, and its outputs are right from then on. Updates change the map and the
 * sites, any number of them before one thiessen_cost_solver_solve(); after that every output holds,
 * bit for bit, what thiessen_cost_distance() would give. Sites are named by their site index: the
 * linear index of a cell of a raster, or the position in a list of points. Positions never shift: a
 * point that was removed stays in the list as an absent one.
 *
 * Map, sites and initial costs are copied. Outputs and context must outlive the solver, and nobody
 * else may write to the outputs. Calls are calls on the context: one at a time. By method exact, on
 * the CPU and on CUDA, where map, sites, outputs and values of the map may lie on the device. See
 * docs/online.md.
 *
 * A call that fails has changed nothing: outputs are as they were, updates are still to be done.
 * For values on a device it is thiessen_cost_solver_changes() that tells. Sites on barriers or
 * outside of the map are ignored, of which thiessen_cost_solver_solve() and _changes() warn
 * (thiessen_context_warning()). Errors of all functions: THIESSEN_INVALID_ARGUMENT,
 * THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED.
 */
typedef struct thiessen_cost_solver thiessen_cost_solver;

/** Makes a solver; arguments as of thiessen_cost_distance(), whose report must be null. */
THIESSEN_API thiessen_status thiessen_cost_solver_create(
    thiessen_context* context, const thiessen_array* map, const thiessen_array* sites,
    const thiessen_points* points, const thiessen_cost_distance_options* options,
    const thiessen_cost_distance_outputs* outputs, const thiessen_array* initial_cost,
    thiessen_cost_solver** solver);

/** Null does nothing. */
THIESSEN_API void thiessen_cost_solver_destroy(thiessen_cost_solver* solver);

/** Replaces the values of the map in `count` cells by a list of values of its type. */
THIESSEN_API thiessen_status thiessen_cost_solver_update_map(thiessen_cost_solver* solver,
                                                             const int64_t* cells, int64_t count,
                                                             const thiessen_array* values);

/** The same for a box whose first cell is `first`, with the extents of `values`. */
THIESSEN_API thiessen_status thiessen_cost_solver_update_box(thiessen_cost_solver* solver,
                                                             const int64_t* first,
                                                             const thiessen_array* values);

/**
 * Puts points at the end of the list. They have labels of their own if the first ones do.
 *
 * initial_cost  null: 0
 * first         position of the first one; may be null
 */
THIESSEN_API thiessen_status thiessen_cost_solver_add_points(thiessen_cost_solver* solver,
                                                             const thiessen_points* points,
                                                             const thiessen_array* initial_cost,
                                                             int64_t* first);

/** Moves the points at `count` positions, each once. An absent one comes back. */
THIESSEN_API thiessen_status thiessen_cost_solver_move_points(thiessen_cost_solver* solver,
                                                              const int64_t* sites, int64_t count,
                                                              const thiessen_array* coordinates);

/** Removes sites, each once: points become absent, cells of a raster are sites no more. */
THIESSEN_API thiessen_status thiessen_cost_solver_remove_sites(thiessen_cost_solver* solver,
                                                               const int64_t* sites, int64_t count);

/**
 * Makes cells of a raster sites that are none.
 *
 * labels        a list of values that are sites; null for sites that are BOOL
 * initial_cost  null: 0
 */
THIESSEN_API thiessen_status thiessen_cost_solver_add_sites(thiessen_cost_solver* solver,
                                                            const int64_t* cells, int64_t count,
                                                            const thiessen_array* labels,
                                                            const thiessen_array* initial_cost);

/** Moves the site of each cell from[i] of a raster to the cell to[i]. */
THIESSEN_API thiessen_status thiessen_cost_solver_move_sites(thiessen_cost_solver* solver,
                                                             const int64_t* from, const int64_t* to,
                                                             int64_t count);

/** Sets what paths from some sites start with: as many values, F32 or F64. */
THIESSEN_API thiessen_status thiessen_cost_solver_set_initial_cost(thiessen_cost_solver* solver,
                                                                   const int64_t* sites,
                                                                   int64_t count,
                                                                   const thiessen_array* costs);

/**
 * Makes the outputs right.
 *
 * changes  what changed since the solve before; its size must be set, nothing else of it is read.
 *          Null: not wanted
 */
THIESSEN_API thiessen_status thiessen_cost_solver_solve(thiessen_cost_solver* solver,
                                                        thiessen_changes* changes);

/**
 * Makes the outputs right without waiting for a device: the work is put on the stream of the
 * context. Outputs on the host are right once thiessen_cost_solver_changes() returns. On the CPU it
 * computes at once.
 */
THIESSEN_API thiessen_status thiessen_cost_solver_enqueue(thiessen_cost_solver* solver);

/**
 * What the last solve or enqueue changed; waits for the device. Fails with
 * THIESSEN_INVALID_ARGUMENT once for an illegal value that the device has found in values of an
 * update; that update then has replaced none.
 *
 * changes  as of thiessen_cost_solver_solve()
 */
THIESSEN_API thiessen_status thiessen_cost_solver_changes(thiessen_cost_solver* solver,
                                                          thiessen_changes* changes);

/**
 * The cells that the last solve changed.
 *
 * cells        room for `capacity` linear indices, which are ascending; null if that is 0
 * site_before  room for as many site indices that they had before, -1 unreached, -2 nodata; may be
 *              null
 * count        how many they are; where that is more than `capacity` nothing is written to both
 */
THIESSEN_API thiessen_status thiessen_cost_solver_changed_cells(const thiessen_cost_solver* solver,
                                                                int64_t* cells,
                                                                int64_t* site_before,
                                                                size_t capacity, size_t* count);

/**
 * Keeps the nearest site of every cell up to date while sites come, go and move.
 *
 * A solver is made once, and its outputs are right from then on. Updates change the sites, any
 * number of them before one thiessen_nearest_site_solver_solve(); after that every output holds,
 * bit for bit, what a fresh call would give. Sites are named by their site index: the linear index
 * of a cell of a raster, or the position in a list of points. Positions never shift: a point that
 * was removed stays in the list as an absent one.
 *
 * Sites, points and domain are copied. Outputs and context must outlive the solver, and nobody else
 * may write to the outputs. Calls are calls on the context: one at a time. On the CPU and on CUDA,
 * by method exact; boolean sites have no labels here. Sites, points, domain and updates lie on the
 * host. See docs/online.md.
 *
 * A call that fails has changed nothing: outputs are as they were, updates are still to be done.
 * Errors of all functions: THIESSEN_INVALID_ARGUMENT, THIESSEN_UNSUPPORTED,
 * THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED.
 */
typedef struct thiessen_nearest_site_solver thiessen_nearest_site_solver;

/** Makes a solver of a raster; arguments as of thiessen_nearest_site(). */
THIESSEN_API thiessen_status thiessen_nearest_site_solver_create(
    thiessen_context* context, const thiessen_array* sites,
    const thiessen_nearest_site_options* options, const thiessen_nearest_site_outputs* outputs,
    const thiessen_array* domain, thiessen_nearest_site_solver** solver);

/** Makes a solver of points; arguments as of thiessen_voronoi(). */
THIESSEN_API thiessen_status thiessen_nearest_site_solver_create_of_points(
    thiessen_context* context, const thiessen_points* points, int32_t rank, const int64_t* extents,
    const thiessen_nearest_site_options* options, const thiessen_nearest_site_outputs* outputs,
    const thiessen_array* domain, thiessen_nearest_site_solver** solver);

/** Null does nothing. */
THIESSEN_API void thiessen_nearest_site_solver_destroy(thiessen_nearest_site_solver* solver);

/**
 * Puts points at the end of the list. They have labels of their own if the first ones do.
 *
 * first  position of the first one; may be null
 */
THIESSEN_API thiessen_status thiessen_nearest_site_solver_add_points(
    thiessen_nearest_site_solver* solver, const thiessen_points* points, int64_t* first);

/** Moves the points at `count` positions, each once. An absent one comes back, with its label. */
THIESSEN_API thiessen_status
thiessen_nearest_site_solver_move_points(thiessen_nearest_site_solver* solver, const int64_t* sites,
                                         int64_t count, const thiessen_array* coordinates);

/** Removes sites: points become absent, cells of a raster 0. Each must be there. */
THIESSEN_API thiessen_status thiessen_nearest_site_solver_remove_sites(
    thiessen_nearest_site_solver* solver, const int64_t* sites, int64_t count);

/** Makes cells sites that are none; `labels` is a list of values that are sites. */
THIESSEN_API thiessen_status
thiessen_nearest_site_solver_add_sites(thiessen_nearest_site_solver* solver, const int64_t* cells,
                                       int64_t count, const thiessen_array* labels);

/** Moves the value of each site from[i] to the cell to[i], and leaves 0. */
THIESSEN_API thiessen_status thiessen_nearest_site_solver_move_sites(
    thiessen_nearest_site_solver* solver, const int64_t* from, const int64_t* to, int64_t count);

/** Puts any new values into cells. */
THIESSEN_API thiessen_status thiessen_nearest_site_solver_update_sites(
    thiessen_nearest_site_solver* solver, const int64_t* cells, int64_t count,
    const thiessen_array* values);

/** The same for a box whose first cell is `first`, with the extents of `values`. */
THIESSEN_API thiessen_status thiessen_nearest_site_solver_update_box(
    thiessen_nearest_site_solver* solver, const int64_t* first, const thiessen_array* values);

/**
 * Makes the outputs right.
 *
 * changes  what changed since the solve before; its size must be set, nothing else of it is read.
 *          Null: not wanted
 */
THIESSEN_API thiessen_status
thiessen_nearest_site_solver_solve(thiessen_nearest_site_solver* solver, thiessen_changes* changes);

/**
 * Puts the work of a solve on the stream of the context. If all outputs are in memory of the device
 * it does not wait for it; on the CPU it does the work.
 */
THIESSEN_API thiessen_status
thiessen_nearest_site_solver_enqueue(thiessen_nearest_site_solver* solver);

/** What the last solve or enqueue changed, as of a solve; waits for the device. */
THIESSEN_API thiessen_status thiessen_nearest_site_solver_changes(
    thiessen_nearest_site_solver* solver, thiessen_changes* changes);

/**
 * The cells that the last solve or enqueue changed; as thiessen_cost_solver_changed_cells(). Where
 * all was computed anew it makes the list now.
 */
THIESSEN_API thiessen_status thiessen_nearest_site_solver_changed_cells(
    const thiessen_nearest_site_solver* solver, int64_t* cells, int64_t* site_before,
    size_t capacity, size_t* count);

/* ---- statistics of labels ----------------------------------------------------------------- */

/** Rasters of the extents of the labels; {.size = sizeof fields} has none. */
typedef struct thiessen_site_fields {
  size_t size;
  thiessen_array field;    /**< a density to be summed, such as a stiffness: any type */
  thiessen_array distance; /**< F32 or F64: distances or costs */
} thiessen_site_fields;

typedef struct thiessen_site_statistics_options {
  size_t size;
  const double* spacing;     /**< as in thiessen_nearest_site_options */
  thiessen_value background; /**< cells of this label are left out; initialised to 0 */
  thiessen_value nodata;     /**< cells of this label, too */
} thiessen_site_statistics_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status
thiessen_site_statistics_options_init(thiessen_site_statistics_options* options, size_t size);

/**
 * A table with a row for each label, ascending by label; {.size = sizeof table} is ready to be
 * filled. Its arrays belong to `memory` until thiessen_free_site_statistics(). Coordinates are in
 * units of spacing and in array order, and the centre of the first cell of the raster is 0.
 */
typedef struct thiessen_site_statistics_table {
  size_t size;
  void* memory;
  int64_t rows;
  int32_t rank;       /**< axes of the raster: 2 or 3 */
  int32_t reserved;   /**< 0 */
  const void* labels; /**< of the type of the raster of labels */
  const int64_t* cells;
  const double* volume;         /**< the cells times the volume of one; in 2-D the area */
  const double* centroid;       /**< `rank` numbers a row */
  const double* second_moments; /**< rank * rank numbers a row: the mean over the cells of the
                                     products of what two coordinates differ from the centroid by */
  const int64_t* first;         /**< `rank` numbers a row: the first cell of the label's box */
  const int64_t* last;          /**< and the last one */
  const double* mass;           /**< the sum of the field; null without one */
  const double* mass_centroid;  /**< `rank` numbers a row, weighted by the field; NaN for a mass of
                                     0; null without a field */
  const double* greatest_distance; /**< of those that are not NaN; null without distances */
  const double* mean_distance;     /**< the same */
} thiessen_site_statistics_table;

/**
 * Counts and sums over the cells of each label.
 *
 * labels   2-D or 3-D, any type and strides, aligned, on the host or on the context's CUDA device.
 *          Floats are compared by value; NaN is left out. All true bytes of booleans are one label.
 * fields   null: none. Aligned, on the host, and only with labels there. A field that is NaN or
 *          infinite in a cell that is not left out is an error naming the first such cell;
 *          distances may be.
 * options  null: the defaults
 * table    its size must be set; nothing else of it is read
 *
 * Sums are exact and rounded when all is summed: the results are the same bits for any number of
 * threads, instruction set and device. Time O(cells + labels log labels), memory O(labels) for each
 * thread. Errors: THIESSEN_INVALID_ARGUMENT, THIESSEN_UNSUPPORTED for fields with labels on a
 * device, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED; then *table is as it was.
 */
THIESSEN_API thiessen_status thiessen_site_statistics(
    thiessen_context* context, const thiessen_array* labels, const thiessen_site_fields* fields,
    const thiessen_site_statistics_options* options, thiessen_site_statistics_table* table);

/** Frees the memory of a table and sets its pointers to null. Null, or a table without memory: no
 * effect. */
THIESSEN_API void thiessen_free_site_statistics(thiessen_site_statistics_table* table);

typedef struct thiessen_adjacency_options {
  size_t size;
  thiessen_connectivity connectivity; /**< initialised to THIESSEN_FACES; not THIESSEN_KNIGHTS */
  int32_t reserved;                   /**< 0 */
  const double* spacing;              /**< the last three as in thiessen_site_statistics_options */
  thiessen_value background;
  thiessen_value nodata;
} thiessen_adjacency_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status thiessen_adjacency_options_init(thiessen_adjacency_options* options,
                                                             size_t size);

/**
 * The pairs of labels a < b that touch, ascending by a, then by b; {.size = sizeof table} is ready
 * to be filled. Its arrays belong to `memory` until thiessen_free_adjacency().
 */
typedef struct thiessen_adjacency_table {
  size_t size;
  void* memory;
  int64_t rows;
  const void* a; /**< of the type of the raster of labels */
  const void* b;
  const int64_t* contacts; /**< pairs of neighbouring cells, one of each label */
  const double* boundary;  /**< length of the common boundary in units of spacing, in 3-D its area,
                                along faces of cells; 0 where only edges or corners touch */
} thiessen_adjacency_table;

/**
 * Which labels of a raster touch, and how much.
 *
 * labels, options, table  as in thiessen_site_statistics()
 *
 * The results are the same bits for any number of threads and instruction set. Time O(cells + pairs
 * log pairs), memory O(labels + pairs) for each thread. Errors: as thiessen_site_statistics().
 */
THIESSEN_API thiessen_status thiessen_adjacency(thiessen_context* context,
                                                const thiessen_array* labels,
                                                const thiessen_adjacency_options* options,
                                                thiessen_adjacency_table* table);

/** As thiessen_free_site_statistics(). */
THIESSEN_API void thiessen_free_adjacency(thiessen_adjacency_table* table);

typedef struct thiessen_coverage_distance_options {
  size_t size;
  const double* spacing; /**< one length for each axis; null: 1 */
  double max_distance;   /**< farther cells get plus or minus infinity; initialised to infinity */
} thiessen_coverage_distance_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status
thiessen_coverage_distance_options_init(thiessen_coverage_distance_options* options, size_t size);

/**
 * Signed distance of the centre of every cell to the edge of a shape, below 0 inside, from the
 * share of each cell that the shape covers: an antialiased mask. Approximate; the same bits on
 * every machine and for any number of threads. On the CPU only.
 *
 * coverage  2-D or 3-D, on the host: U8 from 0 to 255, U16 from 0 to 65535, F32 or F64 from 0 to 1,
 *           or BOOL
 * options   null: the defaults
 * distance  F32 or F64 of the extents of the coverage, apart from it, in units of the spacing
 *
 * Cells are inside if their coverage is at least a half; those on a thin line in their middle are,
 * too. Without an edge, distances are infinities. Time O(cells), scratch 8 bytes a cell and more.
 * Errors: THIESSEN_INVALID_ARGUMENT, also for the first cell whose coverage is NaN or beyond 0 to
 * 1; THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED.
 */
THIESSEN_API thiessen_status thiessen_coverage_distance(
    thiessen_context* context, const thiessen_array* coverage,
    const thiessen_coverage_distance_options* options, const thiessen_array* distance);

typedef struct thiessen_region_polygons_options {
  size_t size;
  thiessen_value background; /**< cells of this label belong to no region; initialised to 0 */
  thiessen_value nodata;     /**< cells of this label, too */
} thiessen_region_polygons_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status
thiessen_region_polygons_options_init(thiessen_region_polygons_options* options, size_t size);

/**
 * The outlines of regions, ascending by label: multipolygons in the layout of GeoArrow.
 * {.size = sizeof polygons} is ready to be filled. Its arrays belong to `memory` until
 * thiessen_free_polygons().
 *
 * Region i has the polygons parts[i] to parts[i + 1] - 1, polygon j the rings rings[j] to
 * rings[j + 1] - 1, ring k the points points[k] to points[k + 1] - 1. The first ring of a polygon
 * is its outer one and runs counter-clockwise where row 0 is drawn on top; the others are holes.
 * The last point of a ring is its first one. Where regions touch they have the same points.
 */
typedef struct thiessen_polygons {
  size_t size;
  void* memory;
  int64_t regions;
  const void* labels;        /**< of the type of the raster; of points I64, places in the list */
  const int64_t* parts;      /**< regions + 1 */
  const int64_t* rings;      /**< one more than there are polygons */
  const int64_t* points;     /**< one more than there are rings */
  const double* coordinates; /**< y and x of each point in cells: the centre of the first is 0 */
} thiessen_polygons;

/**
 * The borders between regions, ascending by a, then by b: lines from one point where more than two
 * regions meet to the next, or closed lines. Memory as in thiessen_polygons, until
 * thiessen_free_borders().
 */
typedef struct thiessen_borders {
  size_t size;
  void* memory;
  int64_t rows;
  const void* a; /**< as the labels of thiessen_polygons; a < b */
  const void* b;
  const int64_t* points;     /**< rows + 1 */
  const double* coordinates; /**< as in thiessen_polygons */
  const double* distance;    /**< of each point to the sites; null if it is not known */
} thiessen_borders;

/**
 * The outlines of all regions of equal label, along the edges of cells.
 *
 * labels    2-D, any type and strides, aligned, on the host; floats as in
 *           thiessen_site_statistics()
 * options   null: the defaults
 * polygons  its size must be set; nothing else of it is read
 *
 * Time O(cells + steps along outlines), memory 8 bytes for each change of label along rows, and the
 * result. Errors: THIESSEN_INVALID_ARGUMENT, THIESSEN_UNSUPPORTED for labels on a device,
 * THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED; then *polygons is as it was.
 */
THIESSEN_API thiessen_status thiessen_region_polygons(
    thiessen_context* context, const thiessen_array* labels,
    const thiessen_region_polygons_options* options, thiessen_polygons* polygons);

/**
 * The borders between the same regions, along the edges of cells.
 *
 * distance  null, or F32 or F64 of the extents of the labels: the mean of the cells that meet at a
 *           point and are not NaN becomes its distance
 */
THIESSEN_API thiessen_status thiessen_region_borders(
    thiessen_context* context, const thiessen_array* labels, const thiessen_array* distance,
    const thiessen_region_polygons_options* options, thiessen_borders* borders);

/**
 * The polygons in which each point is the nearest by straight line, cut off at a grid: what
 * thiessen_voronoi() rasterises, without the steps of cells.
 *
 * points   on the plane; their labels do not count. The first of points at one place has the
 *          polygon.
 * extents  two: rows and columns of the grid, which reaches from -0.5 to the extent - 0.5
 * spacing  length of a cell along y and x; null: 1
 *
 * Time O(points log points), about 500 bytes a point. Errors: as thiessen_region_polygons();
 * THIESSEN_UNSUPPORTED also if the points do not fit integers of 32 bits, in units of 2^-16 of a
 * cell if a coordinate needs them.
 */
THIESSEN_API thiessen_status thiessen_voronoi_polygons(thiessen_context* context,
                                                       const thiessen_points* points,
                                                       const int64_t* extents,
                                                       const double* spacing,
                                                       thiessen_polygons* polygons);

/** The borders between those polygons, each of two points, with the distance to both sites. */
THIESSEN_API thiessen_status thiessen_voronoi_borders(thiessen_context* context,
                                                      const thiessen_points* points,
                                                      const int64_t* extents, const double* spacing,
                                                      thiessen_borders* borders);

/** As thiessen_free_site_statistics(). */
THIESSEN_API void thiessen_free_polygons(thiessen_polygons* polygons);
THIESSEN_API void thiessen_free_borders(thiessen_borders* borders);

/**
 * Lines of equal distance, ascending by level; those with ends first, then closed ones, whose last
 * point is their first one. Lesser distances lie on the left where row 0 is drawn on top. Memory as
 * in thiessen_polygons, until thiessen_free_contours().
 */
typedef struct thiessen_contours {
  size_t size;
  void* memory;
  int64_t rows;
  const double* levels;      /**< null if there are no rows */
  const int64_t* points;     /**< rows + 1 */
  const double* coordinates; /**< as in thiessen_polygons */
} thiessen_contours;

/**
 * The lines on which distances or costs have these levels, by marching squares between the centres
 * of four cells.
 *
 * distance  2-D, F32 or F64, any strides, aligned, on the host; squares with a corner that is not
 *           finite have no lines
 * interval  lines at its multiples, > 0 and finite; 0: at the levels
 * levels    so many finite ones, in any order; null with an interval
 * count     of the levels; 100,000 at most, as of the multiples between the distances
 *
 * Time O(cells + points of the lines), memory up to 66 bytes a point, and the result. Errors: as
 * thiessen_region_polygons().
 */
THIESSEN_API thiessen_status thiessen_contour_lines(thiessen_context* context,
                                                    const thiessen_array* distance, double interval,
                                                    const double* levels, int64_t count,
                                                    thiessen_contours* contours);

/** As thiessen_free_site_statistics(). */
THIESSEN_API void thiessen_free_contours(thiessen_contours* contours);

/** The two tables above, kept up to date while cells change. */
typedef struct thiessen_region_statistics thiessen_region_statistics;

typedef struct thiessen_region_statistics_options {
  size_t size;
  const double* spacing; /**< the first three as in thiessen_site_statistics_options */
  thiessen_value background;
  thiessen_value nodata;
  thiessen_connectivity connectivity; /**< as in thiessen_adjacency_options */
  int32_t reserved;                   /**< 0 */
} thiessen_region_statistics_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status
thiessen_region_statistics_options_init(thiessen_region_statistics_options* options, size_t size);

/**
 * Reads a raster of labels and its fields, and keeps their sums.
 *
 * labels, fields  as in thiessen_site_statistics(), on the host. Their memory must stay valid: it
 *                 is read again by thiessen_region_statistics_update().
 * options         null: the defaults
 * regions         null after an error; to be freed by thiessen_region_statistics_destroy()
 *
 * Memory: 4 bytes a cell, the bytes of a cell of the fields, some hundred bytes for each label and
 * pair (a field of F64: some thousand). Errors: as thiessen_site_statistics();
 * THIESSEN_UNSUPPORTED for labels on a device.
 */
THIESSEN_API thiessen_status thiessen_region_statistics_create(
    thiessen_context* context, const thiessen_array* labels, const thiessen_site_fields* fields,
    const thiessen_region_statistics_options* options, thiessen_region_statistics** regions);

/** Null: no effect. */
THIESSEN_API void thiessen_region_statistics_destroy(thiessen_region_statistics* regions);

/**
 * Reads `count` cells again, given by their linear indices. The tables are right if all cells were
 * named whose label, field or distance is another one; naming others does no harm. Time O(count *
 * neighbours).
 *
 * labels       null, or gets the labels, ascending, whose row may be another one or that have no
 *              cells any more: of the type of the raster, until the next update
 * label_count  null, or gets their number
 *
 * Errors: THIESSEN_INVALID_ARGUMENT for an index or a field that is not finite, and then nothing
 * has changed; THIESSEN_OUT_OF_MEMORY, and then it can be called again.
 */
THIESSEN_API thiessen_status thiessen_region_statistics_update(thiessen_region_statistics* regions,
                                                               const int64_t* cells, int64_t count,
                                                               const void** labels,
                                                               int64_t* label_count);

/**
 * The rows of some labels, of the type of the raster, or of all if `labels` is null. Labels without
 * cells have no row. As thiessen_site_statistics() otherwise, and the memory of the table is freed
 * in the same way. Time O(rows), and the cells of the boxes of regions that lost a cell at the edge
 * of their box, or one with their greatest distance.
 */
THIESSEN_API thiessen_status
thiessen_region_statistics_table(thiessen_region_statistics* regions, const void* labels,
                                 int64_t label_count, thiessen_site_statistics_table* table);

/** The pairs that have one or two of some labels, or all; as thiessen_adjacency() otherwise. */
THIESSEN_API thiessen_status
thiessen_region_statistics_adjacency(const thiessen_region_statistics* regions, const void* labels,
                                     int64_t label_count, thiessen_adjacency_table* table);

/* ---- placing sites ------------------------------------------------------------------------ */

typedef struct thiessen_relax_options {
  size_t size;
  int64_t steps;         /**< most steps that are made, >= 0; initialised to 20 */
  double tolerance;      /**< ends after a step in which no site moves farther; >= 0, finite */
  double least_fall;     /**< ends after a step in which the energy falls by less than this share of
                              it, or rises; 0 to 1; 0: the energy ends nothing */
  const double* spacing; /**< as in thiessen_nearest_site_options; null for costs, which have one */
  const int32_t* periodic; /**< as in thiessen_nearest_site_options; null for costs */
} thiessen_relax_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status thiessen_relax_options_init(thiessen_relax_options* options,
                                                         size_t size);

/** Why a relaxation ended. */
typedef int32_t thiessen_relax_end;

enum {
  THIESSEN_RELAX_STEPS = 0,   /**< all steps were made */
  THIESSEN_RELAX_SETTLED = 1, /**< no site moved farther than the tolerance */
  THIESSEN_RELAX_ENERGY = 2   /**< the energy fell too little */
};

/**
 * Sites after a relaxation, and what its steps did; {.size = sizeof relaxation} is ready to be
 * filled. Its arrays belong to `memory` until thiessen_free_relaxation().
 */
typedef struct thiessen_relaxation {
  size_t size;
  void* memory;
  int64_t sites;
  const double* coordinates; /**< of points, an axis after the other; null for costs */
  const int64_t* cells;      /**< linear indices; null for points */
  int64_t steps;
  const double* energy;        /**< before the first step and after each: steps + 1 */
  const double* farthest_move; /**< of each step, in units of the spacing */
  thiessen_relax_end end;
  int32_t reserved; /**< 0 */
} thiessen_relaxation;

/**
 * Lloyd's relaxation: each step moves every point to the mass centroid of its Voronoi cell, rounded
 * half to even to 2^-16 of a cell. A point whose cell has no mass stays. On periodic axes points
 * come back in the first period.
 *
 * points         as `coordinates` of thiessen_points, on the host
 * rank, extents  2 or 3 axes of the grid
 * options        null: the defaults
 * density        null: 1; any type, >= 0 and finite in cells of the domain, on the host
 * domain         null: all cells
 * relaxation     its size must be set; nothing else of it is read
 *
 * The energy is the sum of density times squared distance, each term in double, the sum exact and
 * rounded once. Results are the same bits for any number of threads and device. Errors:
 * THIESSEN_INVALID_ARGUMENT, THIESSEN_UNSUPPORTED, THIESSEN_OUT_OF_MEMORY, THIESSEN_CANCELLED,
 * THIESSEN_DEVICE_FAILED; then *relaxation is as it was.
 */
THIESSEN_API thiessen_status thiessen_relax_sites(
    thiessen_context* context, const thiessen_array* points, int32_t rank, const int64_t* extents,
    const thiessen_relax_options* options, const thiessen_array* density,
    const thiessen_array* domain, thiessen_relaxation* relaxation);

/**
 * The same for cost distance: each site moves to the cell of its own region that is nearest to the
 * mass centroid along a straight line, of cells at equal distance to that of the smallest index.
 *
 * map      as of thiessen_cost_distance()
 * cells    linear indices of `count` sites
 * cost     as of thiessen_cost_distance(); null: the defaults
 * density  >= 0 and finite in cells that are reached
 *
 * The energy is the sum of density times squared cost; a step may raise it.
 */
THIESSEN_API thiessen_status thiessen_relax_cost_sites(
    thiessen_context* context, const thiessen_array* map, const int64_t* cells, int64_t count,
    const thiessen_cost_distance_options* cost, const thiessen_relax_options* options,
    const thiessen_array* density, thiessen_relaxation* relaxation);

/** Frees the memory of a relaxation and sets its pointers to null. Null, or without memory: no
 * effect. */
THIESSEN_API void thiessen_free_relaxation(thiessen_relaxation* relaxation);

typedef struct thiessen_farthest_options {
  size_t size;
  int64_t count;         /**< most sites that are added, >= 0; initialised to 1 */
  double within;         /**< ends when no cell is farther than this from its site; >= 0 */
  const double* spacing; /**< as in thiessen_nearest_site_options; null for costs, which have one */
  const int32_t* periodic; /**< as in thiessen_nearest_site_options; null for costs */
} thiessen_farthest_options;

/** Writes the defaults; as thiessen_context_options_init(). */
THIESSEN_API thiessen_status thiessen_farthest_options_init(thiessen_farthest_options* options,
                                                            size_t size);

/** New sites in their order; {.size = sizeof table} is ready to be filled. Its arrays belong to
 * `memory` until thiessen_free_farthest_sites(). */
typedef struct thiessen_farthest_table {
  size_t size;
  void* memory;
  int64_t rows;
  const int64_t* cells;   /**< linear indices */
  const double* distance; /**< how far each was from the sites before it, times the density */
  double radius;          /**< the greatest distance, times the density, that is left */
} thiessen_farthest_table;

/**
 * Adds sites one after the other, each in the cell farthest from the sites so far; of cells at
 * equal distance in that of the smallest index. Unreached cells are the farthest.
 *
 * rank, extents  2 or 3 axes of the grid
 * options        null: the defaults
 * points         the sites that are there already, as `coordinates` of thiessen_points; null: none
 * density        null: none. Else the greatest density times distance counts; cells of density 0
 *                get no site
 * domain         null: all cells
 * table          its size must be set; nothing else of it is read
 *
 * On the CPU, with the limits of thiessen_nearest_site_solver. T. Gonzalez, "Clustering to minimize
 * the maximum intercluster distance" (1985). Errors: as thiessen_relax_sites().
 */
THIESSEN_API thiessen_status thiessen_farthest_sites(
    thiessen_context* context, int32_t rank, const int64_t* extents,
    const thiessen_farthest_options* options, const thiessen_array* points,
    const thiessen_array* density, const thiessen_array* domain, thiessen_farthest_table* table);

/**
 * The same for cost distance, with the limits of thiessen_cost_solver. Barriers get no site.
 *
 * map    as of thiessen_cost_distance()
 * cells  linear indices of `count` sites that are there already
 */
THIESSEN_API thiessen_status thiessen_farthest_cost_sites(
    thiessen_context* context, const thiessen_array* map,
    const thiessen_cost_distance_options* cost, const thiessen_farthest_options* options,
    const int64_t* cells, int64_t count, const thiessen_array* density,
    thiessen_farthest_table* table);

/** As thiessen_free_relaxation(). */
THIESSEN_API void thiessen_free_farthest_sites(thiessen_farthest_table* table);

#ifdef __cplusplus
}
#endif

#endif
