package results

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"slices"

	"versus2048/rules"
)

// maxLog is the length in bytes of the longest log. It exceeds the limit for a bot's log, to leave
// room for later versions.
const maxLog = 1 << 20

// packLogs compresses the logs of a game. An empty log becomes nil.
func packLogs(logs [2][]byte) (packed [2][]byte) {
	for side, text := range logs {
		if len(text) == 0 {
			continue
		}
		packed[side] = compress(text)
	}
	return packed
}

// unpackLog undoes packLogs for one log.
func unpackLog(packed []byte) ([]byte, error) {
	text, err := decompress(packed, maxLog)
	return text, wrap(err, "the packed log is damaged")
}

func compress(text []byte) []byte {
	var to bytes.Buffer
	w := gzip.NewWriter(&to)
	_, _ = w.Write(text) // writing to a buffer does not fail
	_ = w.Close()
	return to.Bytes()
}

// decompress undoes compress. It returns an error for a text of more than most bytes, and for damage, which gzip's
// checksum detects.
func decompress(packed []byte, most int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("the text is longer than %d bytes", most)
	}
	return text, err
}

func (w *rowWriter) logs(ctx context.Context, tx *writeTx, game int64, packed [2][]byte) error {
	for side, text := range packed {
		if text == nil {
			continue
		}
		if _, err := tx.statement(ctx, w.insertLog).ExecContext(ctx, game, rules.Side(side).String(), text); err != nil {
			return err
		}
	}
	return nil
}

// Logs returns the end of the standard error output of the attacker's and the defender's program in a finished
// game. The log is nil if the program wrote none, and for a bot that is not a program of the arena. Exports contain no
// logs.
func (s *Reader) Logs(ctx context.Context, game int64) (logs [2][]byte, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		logs, err = readLogs(ctx, tx, game)
		return err
	})
	return logs, err
}

func readLogs(ctx context.Context, tx *sql.Tx, game int64) (logs [2][]byte, err error) {
	err = queryEach(ctx, tx, func(rows *sql.Rows) error {
		var name string
		var packed []byte
		if err := rows.Scan(&name, &packed); err != nil {
			return err
		}
		var side rules.Side
		err := side.UnmarshalText([]byte(name))
		if err == nil {
			logs[side], err = unpackLog(packed)
		}
		return err
	}, `SELECT side, text FROM logs WHERE game = ?`, game)
	return logs, wrap(err, "reading the logs of game %d", game)
}

func verifyLogs(ctx context.Context, tx *sql.Tx, f Filter, bad func(g Stored, why error)) error {
	damaged := map[int64]error{}
	clause, args := f.where()
	err := queryEach(ctx, tx, func(rows *sql.Rows) error {
		var game int64
		var packed []byte
		if err := rows.Scan(&game, &packed); err != nil {
			return err
		}
		if _, err := unpackLog(packed); err != nil {
			damaged[game] = err
		}
		return nil
	}, "SELECT logs.game, logs.text"+gameTables+" JOIN logs ON logs.game = games.id"+clause, args...)
	for _, game := range slices.Sorted(maps.Keys(damaged)) {
		g, readErr := findGame(ctx, tx, game)
		if readErr != nil {
			g.ID = game // another check reports the damaged game itself
		}
		bad(g, damaged[game])
	}
	return err
}
