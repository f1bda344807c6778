-- How the two bots of a finished game described themselves at its end: see tournament.Identity. NULL while the
-- game is in progress, in games of earlier versions, and for chance.

ALTER TABLE games ADD COLUMN attacker_bot INTEGER REFERENCES bots (id);
ALTER TABLE games ADD COLUMN defender_bot INTEGER REFERENCES bots (id);
