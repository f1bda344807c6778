-- What an arena is to play by itself: see agenda.Item. Events without a row are played only if somebody
-- resumes them.

CREATE TABLE agenda (
    event      INTEGER PRIMARY KEY REFERENCES events,
    place      INTEGER NOT NULL, -- in the queue: lower ones come first
    wanted     TEXT    NOT NULL CHECK (wanted IN ('running', 'paused', 'stopped')),
    not_before TEXT,             -- NULL once it has begun
    wait       INTEGER NOT NULL, -- nanoseconds, 0 for as long as it takes
    every      TEXT    NOT NULL, -- '' for once
    times      INTEGER NOT NULL, -- 0 for no end
    nth        INTEGER NOT NULL, -- in its series, 0 without one
    series     INTEGER REFERENCES events,
    reason     TEXT    NOT NULL
) STRICT;
