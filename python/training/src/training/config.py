"""The file of a run: TOML with the tables [run], [network] and one of the method's name.

Each table becomes a frozen dataclass with the keys as its fields. A key that is not a field, or a
value of another type, is a ConfigError.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from versus2048.jax.game import Game

T = TypeVar("T")

Clock = Literal["wall", "processor"]
"""Wall time, or the processor time of all cores together."""
LARGEST_SEED = 2**32 - 1
"""JAX drops bits above these 32: two seeds would be one."""
LARGEST_COUNT = 2**31 - 1
"""JAX counts in int32."""
MOST_EVALUATED = 100_000
"""Games of an evaluation. They are played at once, and XLA may abort where memory ends."""


class ConfigError(ValueError):
    """A run's file, or a setting, that is wrong: one line that says where and why."""


@dataclass(frozen=True)
class RunTable:
    """The table [run], with the settings of every run."""

    method: str
    rules: str
    size: str
    name: str = ""
    """In plots; empty for the method's name."""
    seed: int = 1
    steps: int = 0
    """After how many updates the run ends; 0 if only the budget ends it."""
    budget: str = ""
    """After how much learning the run ends, such as 20m; empty if only steps end it."""
    clock: Clock = "wall"
    """Of the budget, evaluations and snapshots.

    Other work on the machine hardly changes "processor".
    """
    checkpoint: str = "1m"
    """The wall time between checkpoints: a kill loses no more."""
    evaluate: str | int = "30s"
    """The time between evaluations, which is not part of the budget; or a number of steps."""
    half: bool = False
    """Whether networks are written with numbers of 16 bits."""

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= LARGEST_SEED:
            raise ValueError(f"seed = {self.seed}: want 0 to {LARGEST_SEED}")
        check_range(self, ["steps"], 0)
        if isinstance(self.evaluate, int) and self.evaluate < 0:
            raise ValueError(f"evaluate = {self.evaluate}: want a time, or 0 or more steps")


@dataclass(frozen=True)
class Config:
    """A run: its game, its seed, and the tables of its file."""

    run: RunTable
    game: Game
    tables: Mapping[str, Any]
    text: str
    """The run's file with the changed settings in it."""

    @property
    def method(self) -> str:
        """The method's name."""
        return self.run.method

    def table(self, name: str, kind: type[T]) -> T:
        """Read a table of the file as a frozen dataclass."""
        return read_table(name, self.tables.get(name, {}), kind)


def read_table(name: str, values: Mapping[str, Any], kind: type[T]) -> T:
    """Make a dataclass of a table's values. ConfigError if a key or a type is wrong."""
    types = get_type_hints(kind)
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    made: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            raise ConfigError(f"[{name}] {key}: unknown; known are {', '.join(known)}")
        made[key] = _typed(f"[{name}] {key}", value, types[key])
    for key, f in known.items():
        if key not in made and f.default is MISSING:
            raise ConfigError(f"[{name}] {key}: missing")
    try:
        return kind(**made)
    except ValueError as error:
        raise ConfigError(f"[{name}] {error}") from None


def check_range(
    table: object, names: Sequence[str], least: float, most: float = math.inf, above: bool = False
) -> None:
    """Check fields of a table that are numbers, when it is made.

    ValueError unless all are finite and from least to most; with above, more than least. Whole
    numbers are at most LARGEST_COUNT.
    """
    if most < math.inf:
        wanted = f"more than {least:g}, at most {most:g}" if above else f"{least:g} to {most:g}"
    else:
        wanted = f"more than {least:g}" if above else f"{least:g} or more"
    for name in names:
        value = getattr(table, name)
        enough = value > least if above else value >= least
        if not (enough and value <= most):  # a NaN is not enough
            raise ValueError(f"{name} = {value}: want {wanted}")
        if value == math.inf:
            raise ValueError(f"{name} = {value}: want a finite number")
        if isinstance(value, int) and value > LARGEST_COUNT:
            raise ValueError(f"{name} = {value}: want {least:g} to {LARGEST_COUNT}")


def load(path: Path, settings: Sequence[str] = ()) -> Config:
    """Read a run's file, then change settings such as "td.rate=0.01" and "run.seed=2".

    ConfigError if something is wrong, with one line for the user.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"{path}: {reason}") from None
    try:
        return parse(text, settings)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def parse(text: str, settings: Sequence[str] = ()) -> Config:
    """Read the text of a run's file, as load does."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"no TOML: {error}") from None
    for setting in settings:
        _change(tables, setting)
    if not isinstance(tables.get("run"), dict):
        raise ConfigError("the table [run] is missing")
    run = read_table("run", tables["run"], RunTable)
    for name, table in tables.items():
        if name not in ("run", "network", run.method) or not isinstance(table, dict):
            raise ConfigError(f"{name}: unknown; known are [run], [network] and [{run.method}]")
    try:
        game = Game.of(run.rules, run.size)
    except ValueError as error:
        raise ConfigError(f"[run] {error}") from None
    return Config(run, game, tables, render(tables) if settings else text)


def render(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of a run's file: tables of texts, numbers, booleans and lists of them.

    ConfigError if a table has something else, such as a date.
    """
    parts = []
    for name, table in tables.items():
        lines = [f"{key} = {_written(f'[{name}] {key}', v)}\n" for key, v in table.items()]
        parts.append(f"[{name}]\n{''.join(lines)}")
    return "\n".join(parts)


def _written(where: str, value: Any) -> str:
    """Return a value as TOML. ConfigError if no setting has values of its type."""
    match value:
        case list():
            return f"[{', '.join(_written(where, v) for v in value)}]"
        case float() if not math.isfinite(value):
            return str(value)  # inf, -inf and nan, which JSON does not have
        case str() | bool() | int() | float():
            # JSON that is TOML, too: no escaped surrogates, no bare U+007F.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    raise ConfigError(f"{where} = {value}: want a text, a number, true, false or a list of them")


def _change(tables: dict[str, Any], setting: str) -> None:
    """Change one setting of a run, such as run.steps=100; a value that is no TOML is a text."""
    name, equals, value = setting.partition("=")
    table, dot, key = name.partition(".")
    if not (equals and dot and key):
        raise ConfigError(f"setting {setting!r}: want TABLE.KEY=VALUE, such as run.steps=100")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value
    if not isinstance(tables.setdefault(table, {}), dict):
        raise ConfigError(f"setting {setting!r}: {table} is no table")
    tables[table][key] = parsed


def _typed(where: str, value: Any, kind: Any) -> Any:
    """Return a value of TOML as a field's type. ConfigError if it is of another type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return _typed_as_one(where, value, arguments)
    if origin is Literal:
        if value in arguments:
            return value
        raise ConfigError(f"{where} = {value!r}: want one of {', '.join(map(str, arguments))}")
    if origin is tuple:
        if isinstance(value, list):
            return tuple(_typed(where, v, arguments[0]) for v in value)
        raise ConfigError(f"{where} = {value!r}: want a list")
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ConfigError(f"{where} = {value!r}: want {_NAMES.get(kind, kind)}")
    return value


def _typed_as_one(where: str, value: Any, kinds: Sequence[Any]) -> Any:
    """Return a value of TOML as one of several types. ConfigError that names all of them."""
    for kind in kinds:
        try:
            return _typed(where, value, kind)
        except ConfigError:
            continue
    wanted = " or ".join(str(_NAMES.get(kind, kind)) for kind in kinds)
    raise ConfigError(f"{where} = {value!r}: want {wanted}")


_NAMES = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
