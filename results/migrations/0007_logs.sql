-- What the programs that played a game wrote to standard error: the end of it. Most games have none.

CREATE TABLE logs (
	game INTEGER NOT NULL REFERENCES games (id),
	side TEXT NOT NULL CHECK (side IN ('attacker', 'defender')),
	text BLOB NOT NULL, -- compressed by gzip
	PRIMARY KEY (game, side)
) STRICT, WITHOUT ROWID;
