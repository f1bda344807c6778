-- With the code of an invitation bots register names, each with a token that the bot has made itself.

CREATE TABLE invitations (
    id      INTEGER PRIMARY KEY,
    hash    BLOB    NOT NULL UNIQUE, -- SHA-256 of the code
    created TEXT    NOT NULL,
    expires TEXT    NOT NULL,
    names   INTEGER NOT NULL, -- that bots may register with it
    revoked TEXT
) STRICT;

ALTER TABLE tokens ADD COLUMN invitation INTEGER REFERENCES invitations; -- by which its bot registered; else NULL

CREATE INDEX tokens_by_invitation ON tokens (invitation) WHERE invitation IS NOT NULL;
