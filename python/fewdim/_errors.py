"""What the engine's errors are in Python. Each is a kind of the built-in that other libraries raise in its place."""


class FewdimWarning(UserWarning):
    """Something in a fit that a person should know: it is in `certificate_.warnings`, too."""


class EngineError(RuntimeError):
    """A defect of fewdim itself."""


class OptionError(ValueError):
    """A parameter is out of its bounds."""


class DataError(ValueError):
    """The data are not what they should be."""


class UnsupportedError(NotImplementedError, ValueError):
    """The request makes sense, but not for this method or model."""


class FileError(OSError):
    """A file can't be read or written."""


class ConvergenceError(RuntimeError):
    """The tolerance was missed on every route: there is no result that could be trusted."""


class MemoryLimitError(MemoryError):
    """The work does not fit the memory limit."""


class Cancelled(KeyboardInterrupt):
    """The callback said stop."""
