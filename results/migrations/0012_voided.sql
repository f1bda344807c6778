-- A match that was voided keeps its games, but belongs to no event: the event has another match of that number, or gets one.

PRAGMA defer_foreign_keys = ON; -- games refer to the table that is made anew

CREATE TABLE earlier AS SELECT id, event, number, round, nth, first, second FROM matches;

DROP TABLE matches;

CREATE TABLE matches (
	id        INTEGER PRIMARY KEY,
	event     INTEGER REFERENCES events, -- NULL for a voided match
	number    INTEGER NOT NULL, -- in the event, from 1
	round     INTEGER NOT NULL,
	nth       INTEGER NOT NULL,
	first     TEXT    NOT NULL,
	second    TEXT    NOT NULL,
	voided    TEXT, -- when it was voided
	voided_of INTEGER REFERENCES events, -- the event that had it
	UNIQUE (event, number),
	CHECK ((event IS NULL) = (voided IS NOT NULL)),
	CHECK ((event IS NULL) = (voided_of IS NOT NULL))
) STRICT;

INSERT INTO matches (id, event, number, round, nth, first, second) SELECT id, event, number, round, nth, first, second FROM earlier;

DROP TABLE earlier;

CREATE INDEX matches_by_voided_of ON matches (voided_of) WHERE voided_of IS NOT NULL;
