"""The token by which a bot takes a name of its own on an arena, kept where ``bot run`` keeps it."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

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
    """The token of a name on an arena, in a file of this user that ``bot run`` shares.

    Args:
        url: the arena's address for bots.
        name: the bot's name.
        code: of an invitation, with which the name is registered; empty for none.

    """

    def __init__(self, url: str, name: str, code: str = "") -> None:
        key = hashlib.sha256(f"{url}\n{name}".encode()).hexdigest()[:16]
        folder = _folder()
        self.path = folder and folder / "versus2048" / "bots" / key
        self._code = code
        self._before = self._read()
        self._made = False

    def token(self) -> str:
        """Return the token that is kept, or a new one with the code, or an empty text."""
        return self._before or self.renewed()

    def renewed(self) -> str:
        """Make a token with the code when there is none, or the arena refuses the one that is kept.

        It is kept before the arena knows it, so that it cannot be lost. The text is empty if the
        code cannot help.
        """
        if not self._code or self._made or self._before.startswith(self._code):
            return ""
        secret = secrets.token_hex(16)
        token = secret if self._code == _OPEN else f"{self._code}-{secret}"
        self._save(token)
        self._made = True
        return token

    def refused(self) -> None:
        """Restore the kept token, since the arena did not take the new one."""
        if not self._made:
            return
        if self._before:
            self._save(self._before)
        elif self.path:
            self.path.unlink(missing_ok=True)

    def given(self, token: str) -> None:
        """Keep a token that the arena takes, in place of the one that is kept."""
        if token and self._before not in ("", token):
            self._save(token)

    def _read(self) -> str:
        try:
            return self.path.read_text("utf-8") if self.path else ""
        except OSError:
            return ""  # no file yet

    def _save(self, token: str) -> None:
        if self.path is None:
            raise OSError("this user has no folder for a token: give one of your own")
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
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
