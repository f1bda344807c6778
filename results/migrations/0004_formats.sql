-- Bots that joined or left a ladder while it ran: see tournament.Stay.

CREATE TABLE stays (
    event       INTEGER NOT NULL REFERENCES events,
    name        TEXT    NOT NULL,
    first_match INTEGER NOT NULL,
    last_match  INTEGER, -- NULL while the bot has not left
    PRIMARY KEY (event, name, first_match)
) STRICT, WITHOUT ROWID;

-- Where a match stands in its event: see tournament.Pairing.

ALTER TABLE matches ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN nth INTEGER NOT NULL DEFAULT 0;

-- Up to here every event is a round-robin.

UPDATE matches SET
    round = 1 + (number - 1) / (SELECT count(*) / 2 FROM entries WHERE entries.event = matches.event),
    nth = 1 + (number - 1) / (SELECT count(*) * (count(*) - 1) / 2 FROM entries WHERE entries.event = matches.event);
