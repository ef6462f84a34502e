// SPDX-License-Identifier: Apache-2.0
#include "core/order/form.hpp"

#include <cmath>
#include <optional>

namespace thiessen {
namespace {

using Matrix = Symmetric<double>;

/// The inverse of a matrix; empty if Cholesky's method meets a root of what is not positive.
std::optional<Matrix> inverse_of(const Matrix& form, std::size_t first_axis) {
  double lower[kAxes][kAxes] = {};
  double inverse[kAxes][kAxes] = {};  // of `lower`
  for (std::size_t row = first_axis; row < kAxes; ++row) {
    for (std::size_t column = first_axis; column <= row; ++column) {
      double rest = form(row, column);
      for (std::size_t k = first_axis; k < column; ++k) rest -= lower[row][k] * lower[column][k];
      if (row == column && !(rest > 0)) return std::nullopt;
      lower[row][column] = row == column ? std::sqrt(rest) : rest / lower[column][column];
    }
    inverse[row][row] = 1 / lower[row][row];
    for (std::size_t column = first_axis; column < row; ++column) {
      double sum = 0;
      for (std::size_t k = column; k < row; ++k) sum += lower[row][k] * inverse[k][column];
      inverse[row][column] = -sum / lower[row][row];
    }
  }
  Matrix result;
  for (std::size_t a = first_axis; a < kAxes; ++a)
    for (std::size_t b = a; b < kAxes; ++b)
      for (std::size_t k = b; k < kAxes; ++k) result(a, b) += inverse[k][a] * inverse[k][b];
  return result;
}

double trace_of(const Matrix& matrix) {
  return matrix.square[0] + matrix.square[1] + matrix.square[2];
}

Matrix square_of(const Matrix& matrix, std::size_t first_axis) {
  Matrix result;
  for (std::size_t a = first_axis; a < kAxes; ++a)
    for (std::size_t b = a; b < kAxes; ++b)
      for (std::size_t k = first_axis; k < kAxes; ++k) result(a, b) += matrix(a, k) * matrix(k, b);
  return result;
}

/// At least the greatest eigenvalue.
double greatest_eigenvalue(const Matrix& matrix, std::size_t first_axis) {
  constexpr int kSquarings = 4;
  const double trace = trace_of(matrix);
  Matrix power = matrix;
  for (double& entry : power.square) entry /= trace;
  for (double& entry : power.cross) entry /= trace;
  for (int i = 0; i < kSquarings; ++i) power = square_of(power, first_axis);
  double root = trace_of(power);
  for (int i = 0; i < kSquarings; ++i) root = std::sqrt(root);
  return trace * root;
}

}  // namespace

bool is_definite(const Matrix& form, std::size_t first_axis) {
  const std::optional<Matrix> inverse = inverse_of(form, first_axis);
  return inverse && trace_of(form) * trace_of(*inverse) < 2 * kMostUneven;
}

FormBounds bounds_of(const Matrix& form, std::size_t first_axis) {
  const std::optional<Matrix> inverse = inverse_of(form, first_axis);
  if (!inverse) return {};
  // Rounding changes the inverse by less than a part of 2^-12.
  constexpr double kSafe = 1 - 0x1p-10;
  FormBounds bounds{.least = kSafe / greatest_eigenvalue(*inverse, first_axis)};
  for (std::size_t axis = first_axis; axis < kAxes; ++axis)
    bounds.along[axis] = kSafe / inverse->square[axis];
  return bounds;
}

}  // namespace thiessen
