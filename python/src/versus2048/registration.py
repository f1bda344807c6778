"""The environments' names in Gymnasium, which ``import versus2048`` registers."""

from __future__ import annotations

from typing import Any


def register() -> None:
    """Register the environments with Gymnasium, once; they are imported when one is made."""
    from gymnasium.envs import registration

    views: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("Defender", "RoleEnv", {"role": "defender"}),
        ("Attacker", "RoleEnv", {"role": "attacker"}),
        ("Solo", "SoloEnv", {}),
    )
    for name, entry, settings in views:
        if f"versus2048/{name}-v0" not in registration.registry:
            registration.register(
                f"versus2048/{name}-v0",
                entry_point=f"versus2048.views:{entry}",
                vector_entry_point=f"versus2048.vector:Vector{entry}",
                kwargs=settings,
            )
