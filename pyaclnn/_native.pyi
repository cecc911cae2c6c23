"""Built from the public headers; cffi gives its functions no Python signatures."""

from typing import Any

ffi: Any
lib: Any
