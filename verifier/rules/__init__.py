"""Reply rules (SPEC 6): personal data, banned phrases, offers, required phrases, applied after the repairs.

`load` reads a rule set (strict YAML, one rule a file, or objects), `apply` gives the edits with the rules folded in.
"""

from __future__ import annotations

from verifier.rules.applying import Applied, apply
from verifier.rules.rule import Rule
from verifier.rules.ruleset import RuleSet, load
from verifier.rules.ruling import Ruling

__all__ = ["Applied", "Rule", "RuleSet", "Ruling", "apply", "load"]
