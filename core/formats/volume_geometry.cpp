#include "core/formats/volume_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::formats {

namespace {

constexpr double kMostVoxelsBeside = 0.1;

using Vector = std::array<double, 3>;

Vector column_of(const VoxelAffine& affine, std::size_t column) {
  return {affine[0][column], affine[1][column], affine[2][column]};
}

double length(const Vector& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// The inverse of the left 3 x 3 part, by cofactors; nothing where it has none.
std::optional<std::array<Vector, 3>> inverse_of(const VoxelAffine& m) {
  std::array<Vector, 3> cofactors{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      cofactors[c][r] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
    }
  }
  double determinant = 0;
  for (std::size_t c = 0; c < 3; ++c) determinant += m[0][c] * cofactors[c][0];
  if (!std::isfinite(determinant) || determinant == 0) return std::nullopt;
  for (Vector& row : cofactors) {
    for (double& value : row) value /= determinant;
  }
  return cofactors;
}

/// From the indices of one grid to those of another, through patient coordinates.
std::optional<VoxelAffine> indices_between(const VoxelAffine& from, const VoxelAffine& to) {
  const auto inverse = inverse_of(to);
  if (!inverse) return std::nullopt;
  VoxelAffine result{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 4; ++c) {
      for (std::size_t n = 0; n < 3; ++n) {
        const double offset = c == 3 ? to[n][3] : 0;
        result[r][c] += (*inverse)[r][n] * (from[n][c] - offset);
      }
    }
  }
  return result;
}

std::size_t longest_axis(const Vector& v) {
  const auto shorter = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(std::max_element(v.begin(), v.end(), shorter) - v.begin());
}

/// Whether `exact` and `whole` tell the same voxel, to a tenth, for every index below `counts`.
bool agree(const VoxelAffine& exact, const VoxelAffine& whole, const VoxelCounts& counts) {
  for (std::size_t r = 0; r < 3; ++r) {
    double most = std::abs(exact[r][3] - whole[r][3]);
    for (std::size_t c = 0; c < 3; ++c)
      most += std::abs(exact[r][c] - whole[r][c]) * static_cast<double>(counts[c] - 1);
    if (!(most <= kMostVoxelsBeside)) return false;
  }
  return true;
}

std::string directions_of(const VoxelAffine& affine) {
  constexpr const char *kTowards = "RAS", *kAway = "LPI";
  std::string text;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Vector step = column_of(affine, axis);
    const std::size_t along = longest_axis(step);
    text += step[along] < 0 ? kAway[along] : kTowards[along];
  }
  return text;
}

}  // namespace

std::string describe(const VolumeGeometry& geometry) {
  const auto& [i, j, k] = geometry.sizes;
  if (!geometry.affine) return fmt::format("{}x{}x{} voxels without directions", i, j, k);
  const VoxelAffine& affine = *geometry.affine;
  return fmt::format(
      "{}x{}x{} voxels of {:.4g}x{:.4g}x{:.4g} mm, axes {}, the first at ({:.6g}, {:.6g}, {:.6g})",
      i, j, k, length(column_of(affine, 0)), length(column_of(affine, 1)),
      length(column_of(affine, 2)), directions_of(affine), affine[0][3], affine[1][3],
      affine[2][3]);
}

std::optional<AxisMap> match_grids(const VolumeGeometry& grid, const VolumeGeometry& other) {
  if (!grid.affine || !other.affine)
    return grid.sizes == other.sizes ? std::optional<AxisMap>(AxisMap{}) : std::nullopt;
  const auto exact = indices_between(*grid.affine, *other.affine);
  if (!exact) return std::nullopt;
  AxisMap map;
  VoxelAffine whole{};
  std::array<bool, 3> is_taken{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Vector step = column_of(*exact, axis);
    const std::size_t along = longest_axis(step);
    if (is_taken[along] || grid.sizes[axis] != other.sizes[along]) return std::nullopt;
    is_taken[along] = true;
    map.axis[axis] = along;
    map.is_reversed[axis] = step[along] < 0;
    whole[along][axis] = map.is_reversed[axis] ? -1 : 1;
    if (map.is_reversed[axis]) whole[along][3] = static_cast<double>(other.sizes[along] - 1);
  }
  return agree(*exact, whole, grid.sizes) ? std::optional(map) : std::nullopt;
}

std::optional<FramePlacement> place_frame(const VoxelAffine& frame, std::int64_t height,
                                          std::int64_t width, const VolumeGeometry& grid) {
  const auto exact = grid.affine ? indices_between(frame, *grid.affine) : std::nullopt;
  if (!exact) return std::nullopt;
  VoxelAffine whole = *exact;
  FramePlacement placement;
  for (std::size_t r = 0; r < 3; ++r) {
    for (const std::size_t c : {std::size_t{0}, std::size_t{1}, std::size_t{3}})
      whole[r][c] = std::round((*exact)[r][c]);
    constexpr double kFarAway = 1e9;
    if (!(std::abs(whole[r][0]) + std::abs(whole[r][1]) + std::abs(whole[r][3]) < kFarAway))
      return std::nullopt;
    placement.column_step[r] = static_cast<std::int64_t>(whole[r][0]);
    placement.row_step[r] = static_cast<std::int64_t>(whole[r][1]);
    placement.first[r] = static_cast<std::int64_t>(whole[r][3]);
    const std::int64_t last = placement.first[r] + placement.column_step[r] * (width - 1) +
                              placement.row_step[r] * (height - 1);
    if (std::min(placement.first[r], last) < 0 ||
        std::max(placement.first[r], last) >= grid.sizes[r])
      return std::nullopt;
  }
  const auto is_unit = [](const VoxelCounts& step) {
    return std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]) == 1;
  };
  const bool is_along_axes = is_unit(placement.column_step) && is_unit(placement.row_step) &&
                             agree(*exact, whole, {width, height, 1});
  return is_along_axes ? std::optional(placement) : std::nullopt;
}

SliceAxis axial_axis(const VolumeGeometry& geometry) {
  if (!geometry.affine) return SliceAxis::k;
  constexpr std::size_t kHeadwards = 2;
  for (const auto& [column, axis] :
       {std::pair{std::size_t{0}, SliceAxis::i}, std::pair{std::size_t{1}, SliceAxis::j}}) {
    if (longest_axis(column_of(*geometry.affine, column)) == kHeadwards) return axis;
  }
  return SliceAxis::k;
}

SliceShape slice_shape(const VoxelCounts& sizes, SliceAxis axis) {
  switch (axis) {
    case SliceAxis::i:
      return {.pages = sizes[0], .height = sizes[2], .width = sizes[1]};
    case SliceAxis::j:
      return {.pages = sizes[1], .height = sizes[2], .width = sizes[0]};
    case SliceAxis::k:
      break;
  }
  return {.pages = sizes[2], .height = sizes[1], .width = sizes[0]};
}

}  // namespace headroom::formats
