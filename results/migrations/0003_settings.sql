-- What an event plays by beyond its bots and clocks: see tournament.Settings.

ALTER TABLE events ADD COLUMN settings TEXT NOT NULL DEFAULT '{}'; -- JSON
