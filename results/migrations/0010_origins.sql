-- Which worker of a farm played a finished game, in which task and attempt. Games that the arena played itself have
-- no row.

CREATE TABLE origins (
	game    INTEGER PRIMARY KEY REFERENCES games (id),
	task    TEXT    NOT NULL,
	attempt INTEGER NOT NULL,
	worker  TEXT    NOT NULL
) STRICT;
