#pragma once

#include <string>
#include <vector>

#include "fewdim/dataset.hpp"
#include "fewdim/execution.hpp"
#include "fewdim/export.hpp"
#include "fewdim/image_index.hpp"
#include "fewdim/images.hpp"
#include "fewdim/model.hpp"
#include "fewdim/pca.hpp"

namespace fewdim {

/// How recognition is tried on images whose label is known.
enum class TrialKind {
  none,
  folds,         ///< every image once, by a model of the other folds: neither basis nor gallery has seen it
  split,         ///< a share of the images, by a model of the others
  leave_one_out  ///< every image against all others, in the basis of all: the basis has seen it
};

/// What the components of images are: of largest variance, or as independent as they can be (Bartlett, Movellan &
/// Sejnowski 2002, their second architecture), or parts that add up and never cancel (Lee & Seung 1999).
enum class FaceParts { eigenfaces, independent, nonnegative };

struct FaceOptions {
  FaceParts parts = FaceParts::eigenfaces;
  PcaOptions pca{.components = 50, .accuracy = Accuracy::high};  ///< float32 rows by float64 products
  TrialKind trial = TrialKind::folds;
  Index folds = 10;
  double share = 0.3;          ///< of a split: held out
  Index most_held_out = 2000;  ///< of more than that many images, as many are held out, drawn once
  double face_share = 0.99;    ///< quantile of held-out distances that is the limit of the distance to face space
};

/// What a trial has found.
struct FaceTrial {
  TrialKind kind = TrialKind::none;
  Index tried = 0;             ///< images that were held out
  Index with_label = 0;        ///< of those: whose label another image has, too
  Index right = 0;             ///< of those: the nearest image has the same label
  Index fits = 0;              ///< models that were fitted for it
  Vector<double> distances{};  ///< of the held-out images to the space of the components, rising

  double accuracy() const { return with_label > 0 ? double(right) / double(with_label) : 0.0; }
};

struct FaceFit {
  Model model;
  FaceTrial trial;
};

/// Eigenfaces (Sirovich & Kirby 1987; Turk & Pentland 1991): PCA of images, with what is needed to draw them and to
/// recognize others. The model keeps names, labels and coordinates of the training images, and the limit of the
/// distance to their space that the trial has found.
FEWDIM_API FaceFit fit_faces(const ImageSet& images, const FaceOptions& options = {}, const Execution& exec = {});
/// Tries recognition alone, by models of that many components.
FEWDIM_API FaceTrial try_faces(const ImageSet& images, Index components, const FaceOptions& options = {},
                               const Execution& exec = {});

/// Rows of a table as images: height×width(×channels) numbers each, one row of pixels after the other, or one column
/// after the other. `white`: the number that stands for white; 0: the largest of the table.
FEWDIM_API ImageSet images_of_table(const Dataset& table, Index height, Index width, Index channels = 1,
                                    bool column_major = false, double white = 0.0);

/// The nearest training image of each row.
struct Recognition {
  std::vector<Index> nearest;    ///< row of the training images
  Vector<double> distance;       ///< to it, in the space of the components
  Vector<double> face_distance;  ///< to that space: the length of what the components can't show
  std::vector<bool> is_face;     ///< face_distance is not above the model's limit; all where it has none
};
FEWDIM_API Recognition recognize(const Model& model, const ImageSet& images, const Execution& exec = {});

/// What k components keep of the training images.
struct CompressionRow {
  Index components = 0;
  std::uint64_t bytes = 0;  ///< of k components, the mean and k numbers an image, 4 bytes each
  double psnr = 0.0;        ///< of all training images together, from the eigenvalues that are left out
  double ssim = 0.0;        ///< mean over images
};
/// For growing k: 1, 2, 5, 10, ... and all. SSIM is the mean over at most `most` images, spread evenly.
FEWDIM_API std::vector<CompressionRow> compression_table(const Model& model, const ImageSet& images, Index most = 500,
                                                         const Execution& exec = {});
/// 1, 2, 5, 10, 20, 50, ... up to k, and k.
FEWDIM_API std::vector<Index> growing_ranks(Index k);

/// One image by the first of a model's components, for each number of them; values as in the training images.
FEWDIM_API RowMatrix<double> reconstructions(const Model& model, const Vector<double>& row,
                                             const std::vector<Index>& components);

}  // namespace fewdim
