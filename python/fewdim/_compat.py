"""scikit-learn's base classes where it is installed, and as much of them as is needed where it is not."""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["HAS_SKLEARN", "BaseEstimator", "ClassNamePrefixFeaturesOutMixin", "NotFittedError", "TransformerMixin"]

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.exceptions import NotFittedError

    HAS_SKLEARN = True
except ImportError:
    HAS_SKLEARN = False

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """The estimator has to be fitted first."""

    class BaseEstimator:  # type: ignore[no-redef]
        """get_params, set_params and a repr, by the signature of __init__."""

        @classmethod
        def _get_param_names(cls) -> list[str]:
            return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return {name: getattr(self, name) for name in self._get_param_names()}

        def set_params(self, **params: Any) -> Any:
            known = self._get_param_names()
            for name, value in params.items():
                if name not in known:
                    raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {known!r}.")
                setattr(self, name, value)
            return self

        def __repr__(self) -> str:
            defaults = inspect.signature(type(self).__init__).parameters
            changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                       if repr(value) != repr(defaults[name].default)]
            return f"{type(self).__name__}({', '.join(changed)})"

    class TransformerMixin:  # type: ignore[no-redef]
        pass

    class ClassNamePrefixFeaturesOutMixin:  # type: ignore[no-redef]
        def get_feature_names_out(self, input_features: Any = None) -> Any:
            import numpy

            prefix = type(self).__name__.lower()
            count = self._n_features_out  # type: ignore[attr-defined]
            return numpy.asarray([f"{prefix}{i}" for i in range(count)], dtype=object)
