-- The moves during which the clock stood still, as a JSON list like that of a record: see record.Pause.
-- NULL where there is none.

ALTER TABLE games ADD COLUMN pauses BLOB;

-- Of the row's plies, with the same indices as in a record.
ALTER TABLE journal ADD COLUMN pauses BLOB;
