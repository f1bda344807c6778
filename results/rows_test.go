package results

import (
	"context"
	"database/sql"
	"errors"
	"testing"
)

// A match that could not be written does not count as stored.
func TestFailedMatchIsNotStored(t *testing.T) {
	s := openNew(t)
	event := newDuel(t, s, 1).event
	g := duelGame(1, 1)
	playOn(&g, nil, -1)
	m := &matchRow{id: 1}
	ended, end := context.WithCancel(t.Context())
	end()
	err := s.update(t.Context(), func(tx *sql.Tx) error {
		return s.rows.add(ended, newWriteTx(tx), event, m, &g, [2]int64{})
	})
	if !errors.Is(err, context.Canceled) || m.stored.Load() {
		t.Errorf("error %v, stored: %v", err, m.stored.Load())
	}
}
