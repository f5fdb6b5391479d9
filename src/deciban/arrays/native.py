"""The compiled kernels. If they are missing, the ImportError tells how to build them."""

try:
    from deciban import _core as kernels
except ImportError as error:  # pragma: no cover - only on a broken installation
    raise ImportError(
        "deciban's compiled part is missing; build it with `pip install .` (it needs a C++20 compiler)"
    ) from error

__all__ = ["kernels"]
