"""The adapters' tests, each framework in its own environment: `nox`, `nox -s "adapters(langchain)"`, `nox -s batch`.

Together the frameworks pull back each other's versions; `make test` installs only those that do not.
"""

from __future__ import annotations

import nox

FRAMEWORKS = {
    "langchain": "test_langchain.py",
    "openai-agents": "test_openai_agents.py",
    "pydantic-ai": "test_pydantic_ai.py",
    "google-adk": "test_google_adk.py",
    "agent-framework": "test_agent_framework.py",
    "haystack": "test_haystack.py",
    "llama-index": "test_llama_index.py",
    "litellm": "test_litellm.py",
    "livekit": "test_livekit.py",
    "pipecat": "test_pipecat.py",
}
OFFLINE = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "DO_NOT_TRACK": "1",
}
nox.options.reuse_existing_virtualenvs = True


@nox.session
@nox.parametrize("framework", list(FRAMEWORKS), ids=list(FRAMEWORKS))
def adapters(session: nox.Session, framework: str) -> None:
    """One framework's tests, at the newest versions that its extra allows."""
    session.install("-e", f".[{framework}]", "pytest", "hypothesis")
    session.run("pytest", "-W", "default", f"tests/adapters/{FRAMEWORKS[framework]}", env=OFFLINE)


# What `litellm[proxy]` asks for, but for the packages that LiteLLM puts out separately: not every index has those.
PROXY = """
from importlib.metadata import requires
from packaging.requirements import Requirement
for one in map(Requirement, requires("litellm")):
    if one.marker and one.marker.evaluate({"extra": "proxy"}) and not one.name.startswith("litellm"):
        print(f"{one.name}{one.specifier}")
"""


@nox.session
def proxy(session: nox.Session) -> None:
    """LiteLLM's proxy as a process of its own, with the guardrail of the documentation."""
    session.install("-e", ".[litellm]", "pytest", "hypothesis", "packaging")
    asked = session.run("python", "-c", PROXY, silent=True)
    session.install(*str(asked).split())
    session.run("pytest", "-W", "default", "-k", "itself", "tests/adapters/test_litellm.py", env=OFFLINE)


@nox.session
def batch(session: nox.Session) -> None:
    """Batch over Parquet, and on Daft."""
    session.install("-e", ".[parquet,daft,cli]", "pytest", "hypothesis")
    session.run("pytest", "tests/test_batch.py", "tests/test_batch_daft.py", env=OFFLINE)
