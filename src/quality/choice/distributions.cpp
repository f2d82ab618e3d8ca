#include "quality/choice/distributions.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>

namespace fewdim {

double chi_squared_quantile(double p, double degrees) {
  return boost::math::quantile(boost::math::chi_squared(degrees), p);
}

double f_quantile(double p, double numerator, double denominator) {
  return boost::math::quantile(boost::math::fisher_f(numerator, denominator), p);
}

}  // namespace fewdim
