-- Every worker of a farm that has played a part of a game has a row, from its first ply on; before, only the one that ended
-- the game had one.

ALTER TABLE origins RENAME TO earlier;

CREATE TABLE origins (
	game    INTEGER NOT NULL REFERENCES games (id),
	task    TEXT    NOT NULL,
	attempt INTEGER NOT NULL,
	worker  TEXT    NOT NULL,
	ended   INTEGER NOT NULL,
	PRIMARY KEY (game, worker)
) STRICT, WITHOUT ROWID;

INSERT INTO origins (game, task, attempt, worker, ended) SELECT game, task, attempt, worker, 1 FROM earlier;

DROP TABLE earlier;
