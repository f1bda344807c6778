package results

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
)

func TestCondition(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 2)
	s.place.playing(j, true)
	defer s.place.playing(j, false)
	g, other := open(t, j, duelGame(1, 1)), open(t, j, duelGame(2, 1))
	var writes []Write
	s.OnWrite(func(w Write) { writes = append(writes, w) })
	for _, game := range []tournament.Game{g, g, other} {
		j.Append(game.ID, tournament.Ply{Move: rules.West})
	}
	before, err := s.Condition()
	if err != nil {
		t.Fatal(err)
	}
	if before.Backlog != 3 || before.Oldest <= 0 || before.Size <= 0 || before.Free <= 0 {
		t.Errorf("with 3 plies queued: %+v", before)
	}
	if before.Arena != (Readers{Most: maxConnections}) || before.Visitors != (Readers{Most: maxConnections}) {
		t.Errorf("nobody reads: %+v", before)
	}
	if err := j.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := s.Condition()
	if err != nil || after.Backlog != 0 || after.Oldest != 0 || after.Log <= 0 {
		t.Errorf("after they were written: %+v (%v)", after, err)
	}
	if len(writes) != 1 || writes[0].Delay < writes[0].Took || writes[0].Took <= 0 || writes[0].Err != nil {
		t.Errorf("the writes: %+v", writes)
	}
	if err := j.Flush(t.Context()); err != nil || len(writes) != 1 {
		t.Errorf("nothing to write: %+v (%v)", writes, err)
	}
}

func TestConditionWhileReading(t *testing.T) {
	s := openNew(t)
	err := s.view(t.Context(), func(*sql.Tx) error {
		c, err := s.Condition()
		if err == nil && c.Arena.Used != 1 {
			t.Errorf("one reads: %+v", c)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWritable(t *testing.T) {
	s := openNew(t)
	if err := s.Writable(t.Context()); err != nil {
		t.Fatal(err)
	}
	tx, err := s.write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := s.Writable(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while another transaction writes: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := s.Writable(t.Context()); err != nil {
		t.Errorf("after it: %v", err)
	}
	remove(t, s.place.path)
	moved := (*MovedError)(nil)
	if err := s.Writable(t.Context()); !errors.As(err, &moved) {
		t.Errorf("after it was deleted: %v", err)
	}
	if _, err := s.Condition(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the condition of a database that was deleted: %v", err)
	}
}

func TestUnwritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var u unwritten
		wait := func(d time.Duration) { <-time.After(d) }
		want := func(what string, got, want time.Duration) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
		want("nothing queued", u.age(), 0)
		u.begin()
		want("nothing written", u.end(nil), 0)
		u.queued()
		wait(time.Second)
		u.queued()
		want("two plies", u.age(), time.Second)
		u.begin()
		wait(time.Second)
		u.queued()
		wait(time.Second)
		want("a write that failed", u.end(errors.New("full")), 0)
		want("after it", u.age(), 3*time.Second)
		u.begin()
		u.queued()
		wait(time.Second)
		u.queued()
		want("a write", u.end(nil), 4*time.Second)
		want("after it", u.age(), time.Second)
		u.begin()
		want("the next write", u.end(nil), time.Second)
		want("after all", u.age(), 0)
	})
}
