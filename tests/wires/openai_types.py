"""What the types of the openai package say about a request."""

from __future__ import annotations

from typing import Any

from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter, ValidationError

PARAMETERS: TypeAdapter[Any] = TypeAdapter(ResponseCreateParamsNonStreaming)


def satisfies(request: Any) -> bool:
    """Whether a request is what the package's types say, to the last item of every list."""
    try:
        settle(PARAMETERS.validate_python(request))
    except ValidationError:
        return False
    return True


def settle(value: Any) -> None:
    """Walk everything: pydantic checks an iterable only when it is walked."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, str | bytes | int | float | None):
        for item in value:
            settle(item)
