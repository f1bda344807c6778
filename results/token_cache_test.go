package results

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A thousand questions at once cost a few readings, however they end.
func TestTokenQuestionsShareReadings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c tokenCache
		var readings atomic.Int32
		slow := func(context.Context) ([]validToken, error) {
			readings.Add(1)
			<-time.After(time.Second)
			return nil, errors.New("no table")
		}
		var asking sync.WaitGroup
		for range 1000 {
			asking.Go(func() {
				if _, err := c.current(t.Context(), slow); err == nil {
					t.Error("the error of the reading is lost")
				}
			})
		}
		asking.Wait()
		if n := readings.Load(); n > 2 {
			t.Errorf("the tokens were read %d times", n)
		}
		began := time.Now()
		for range 10 { // one after the other
			_, _ = c.current(t.Context(), func(context.Context) ([]validToken, error) { return nil, nil })
		}
		if took := time.Since(began); took < 8*tokenReadings {
			t.Errorf("10 readings within %v", took)
		}
	})
}

// The answer to a question is at least as new as the question.
func TestTokensOfAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	arena, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer arena.Close()
	other, err := OpenTokens(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	valid := func(token string) bool {
		t.Helper()
		found, err := arena.Tokens().Valid(t.Context(), "bot", "ann", token)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for range 5 {
		token, err := other.Tokens().Make(t.Context(), "bot", "ann")
		if err != nil {
			t.Fatal(err)
		}
		if !valid(token) {
			t.Error("a new token is not valid")
		}
		if _, err := other.Tokens().Revoke(t.Context(), "bot", "ann"); err != nil {
			t.Fatal(err)
		}
		if valid(token) {
			t.Error("a revoked token is still valid")
		}
	}
}

// A thousand readers at once open few connections to the database.
func TestConnectionsAreBounded(t *testing.T) {
	s := openNew(t)
	var asking sync.WaitGroup
	for range 1000 {
		asking.Go(func() {
			if _, err := s.Tokens().All(t.Context()); err != nil {
				t.Error(err)
			}
			if found, err := s.Tokens().Valid(t.Context(), "bot", "ann", "a guess"); err != nil || found {
				t.Error(found, err)
			}
			if n := s.read.Stats().OpenConnections; n > maxConnections {
				t.Errorf("%d connections are open", n)
			}
		})
	}
	asking.Wait()
}
