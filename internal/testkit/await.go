package testkit

import (
	"testing"
	"time"
)

// patience is how long the functions of this package wait at most. It only limits how late a test fails.
const patience = 3 * time.Minute

// Await waits until a condition holds. After three minutes it fails the test, which has waited for something.
func Await(t testing.TB, something string, condition func() bool) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for timeout := time.After(patience); !condition(); {
		select {
		case <-look.C:
		case <-timeout:
			t.Fatalf("waiting for %s: three minutes have passed", something)
		}
	}
}
