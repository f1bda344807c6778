"""The token by which a bot takes a name of its own on an arena, kept where ``bot run`` keeps it."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPEN = "open"  # stands for the code where an arena lets everybody register


def read_invitation(text: str, url: str | None) -> tuple[str, str | None]:
    """Return the code of an invitation, and the arena's URL, by default the URL of the link."""
    link = urlsplit(text.strip())
    code = link.path
    if link.netloc:
        url = url or f"ws{link.scheme.removeprefix('http')}://{link.netloc}/bot"
        code = parse_qs(link.query).get("invitation", [""])[0]
    if code.lower() == _OPEN:
        return _OPEN, url
    if not re.fullmatch("[A-Z2-7]{12}", code.upper()):
        raise ValueError(
            f"invitation {text!r}: want the link or the code of an invitation, such as "
            f"KQ7M2XWDPA5C, or {_OPEN} for an arena that is open to all"
        )
    return code.upper(), url


class OwnToken:
    """The token of a name on an arena, in two files of this user that ``bot run`` shares.

    A pending token may have registered the name: the arena has neither welcomed the bot with it
    nor called it wrong. The first welcome makes it the kept one.

    Args:
        url: the arena's address for bots.
        name: the bot's name.
        code: of an invitation, with which the name is registered; empty for none.

    """

    def __init__(self, url: str, name: str, code: str = "") -> None:
        key = hashlib.sha256(f"{url}\n{name}".encode()).hexdigest()[:16]
        folder = _folder()
        self.path = folder and folder / "versus2048" / "bots" / key
        self._pending = self.path and self.path.with_name(f"{key}.pending")
        self._code = code
        self._offers = self._in_turn()

    def offer(self) -> str | None:
        """Return the token to present first, or the next one after the arena calls one wrong.

        An empty text stands for a hello without a token, and None for nothing more to present.
        """
        return next(self._offers, None)

    def _in_turn(self) -> Iterator[str]:
        """Yield the pending token, the kept one, and one with the code, if they differ."""
        if pending := _read(self._pending):
            yield pending
            self._drop_pending()
        kept = _read(self.path)
        if kept or not self._code:
            yield kept
        if self._code and not kept.startswith(self._code):
            secret = secrets.token_hex(16)
            token = secret if self._code == _OPEN else f"{self._code}-{secret}"
            _save(self._pending, token)  # before the arena knows it, so that it cannot be lost
            yield token
            self._drop_pending()

    def welcomed(self, given: str) -> bool:
        """Keep the token of a welcome: the pending one, or one that the user has given.

        A given token takes the place of those in the files. Return whether a pending token is
        kept from now on.
        """
        pending = _read(self._pending)
        if given:
            if pending or _read(self.path) not in ("", given):
                _save(self.path, given)
                self._drop_pending()
            return False
        if pending and self.path and self._pending:
            self._pending.replace(self.path)
        return bool(pending)

    def _drop_pending(self) -> None:
        if self._pending:
            self._pending.unlink(missing_ok=True)


def _read(path: Path | None) -> str:
    try:
        return path.read_text("utf-8") if path else ""
    except OSError:
        return ""  # no file yet


def _save(path: Path | None, token: str) -> None:
    if path is None:
        raise OSError("this user has no folder for a token: give one of your own")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(token)


def _folder() -> Path | None:
    """Return the folder for this user's settings, as Go's os.UserConfigDir does."""
    home = os.environ.get("HOME")
    if sys.platform == "win32":
        folder = os.environ.get("APPDATA")
    elif sys.platform == "darwin":
        folder = home and f"{home}/Library/Application Support"
    else:
        folder = os.environ.get("XDG_CONFIG_HOME") or (home and f"{home}/.config")
    return Path(folder) if folder else None
