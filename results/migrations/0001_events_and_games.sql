-- Times of day are RFC 3339 in UTC, durations nanoseconds unless a name says otherwise.

CREATE TABLE events (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT    NOT NULL,
    created     TEXT    NOT NULL,
    rules       TEXT    NOT NULL,
    size        TEXT    NOT NULL,
    seed        INTEGER NOT NULL,
    matches     INTEGER NOT NULL, -- of each pair
    per_move    INTEGER NOT NULL,
    base        INTEGER NOT NULL,
    increment   INTEGER NOT NULL,
    grace       INTEGER NOT NULL,
    concurrency INTEGER NOT NULL,
    in_process  INTEGER NOT NULL CHECK (in_process IN (0, 1))
) STRICT;

-- Who was asked to take part.
CREATE TABLE entries (
    event INTEGER NOT NULL REFERENCES events,
    seat  INTEGER NOT NULL, -- order of entry, from 0
    name  TEXT    NOT NULL,
    spec  TEXT    NOT NULL, -- '' for a bot that connects by itself
    PRIMARY KEY (event, seat),
    UNIQUE (event, name)
) STRICT, WITHOUT ROWID;

-- What bots said of themselves.
CREATE TABLE bots (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL,
    version TEXT NOT NULL,
    author  TEXT NOT NULL,
    spec    TEXT NOT NULL,
    UNIQUE (name, version, author, spec)
) STRICT;

-- Which of them played in an event. A bot may change its version in between.
CREATE TABLE participants (
    event INTEGER NOT NULL REFERENCES events,
    bot   INTEGER NOT NULL REFERENCES bots,
    PRIMARY KEY (event, bot)
) STRICT, WITHOUT ROWID;

CREATE TABLE matches (
    id     INTEGER PRIMARY KEY,
    event  INTEGER NOT NULL REFERENCES events,
    number INTEGER NOT NULL, -- in the event, from 1
    first  TEXT    NOT NULL,
    second TEXT    NOT NULL,
    UNIQUE (event, number)
) STRICT;

-- A game in progress has no ending; its plies are in the journal.
CREATE TABLE games (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    match         INTEGER NOT NULL REFERENCES matches,
    leg           INTEGER NOT NULL CHECK (leg IN (1, 2)),
    attacker      TEXT    NOT NULL,
    defender      TEXT    NOT NULL,
    attacker_seed INTEGER NOT NULL,
    defender_seed INTEGER NOT NULL,
    start         TEXT    NOT NULL, -- '' for the empty board
    started       TEXT    NOT NULL,
    finished      TEXT,
    ending        TEXT,
    detail        TEXT    NOT NULL DEFAULT '',
    turns         BLOB, -- a byte a turn, see rules.PackTurns
    times         BLOB, -- of each ply: time and lag in microseconds as varints
    -- What the referee announced; verification holds it against a replay.
    plies         INTEGER,
    score         INTEGER,
    largest_tile  INTEGER,
    UNIQUE (match, leg),
    CHECK ((ending IS NULL) = (finished IS NULL)),
    CHECK ((ending IS NULL) = (turns IS NULL))
) STRICT;

-- Plies of games in progress: a row for each game and flush.
CREATE TABLE journal (
    game  INTEGER NOT NULL REFERENCES games,
    ply   INTEGER NOT NULL, -- index of the row's first ply in the game, from 0
    moves BLOB    NOT NULL, -- a byte a ply, see rules.Move
    times BLOB    NOT NULL, -- as in games
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
    id      INTEGER PRIMARY KEY,
    role    TEXT NOT NULL CHECK (role IN ('bot', 'operator')),
    name    TEXT NOT NULL,
    hash    BLOB NOT NULL UNIQUE, -- SHA-256 of the token
    created TEXT NOT NULL,
    revoked TEXT
) STRICT;

CREATE INDEX tokens_by_name ON tokens (role, name);
