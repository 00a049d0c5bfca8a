"""The tiny world: generated inductive problems that need nothing but the embedded core (docs/problems.md)."""

from unsorry.problems.world.generate import SPLITS, Item, World, WorldConfig, generate

__all__ = ["SPLITS", "Item", "World", "WorldConfig", "generate"]
