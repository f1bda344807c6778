-- The bots' reports on their searches, where the event records them.

ALTER TABLE events ADD COLUMN search INTEGER NOT NULL DEFAULT 0 CHECK (search IN (0, 1));

-- Of all plies: a JSON list as in a record, null for a ply without a report. NULL where there is none at all.
ALTER TABLE games ADD COLUMN searches BLOB; -- compressed by gzip

-- Of the row's plies, likewise.
ALTER TABLE journal ADD COLUMN searches BLOB; -- not compressed
