"""pydantic: models are copied by their slots and attributes; what only Rust can make is shared.

Facts from the sources of pydantic-core 2: a ValidationError is made by the validator alone, and its lines
cannot be changed.
"""

from __future__ import annotations

from typing import Any

from .making import rule
from .ruleset import RuleSet
from .treatments import shared

__all__ = ["pydantic_rules"]


@rule("pydantic_core._pydantic_core.ValidationError")
def validation_error(node: Any) -> Any:
    "A ValidationError is a record that only the validator can make: it is shared."
    return shared("a read-only record", live=True)


pydantic_rules = RuleSet("pydantic", [validation_error], library="pydantic_core", description="pydantic's records")
