-- Of a finished game, what is on record of it: see gameRow.sum. NULL for games of earlier versions.

ALTER TABLE games ADD COLUMN checksum BLOB;
