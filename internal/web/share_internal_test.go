package web

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// pacedReader is the other end of a download.
type pacedReader struct{ bytesPerSecond int }

func (r pacedReader) Write(p []byte) (int, error) {
	<-time.After(time.Duration(len(p)) * time.Second / time.Duration(r.bytesPerSecond))
	return len(p), nil
}

// A slow reader is cut off after a minute. A fast one may take as long as the event needs, and the time of the database
// does not count.
func TestDownloadsOfSlowReaders(t *testing.T) {
	for _, test := range []struct {
		rate int
		want error
	}{{1_000, errSlowReader}, {99_000, errSlowReader}, {101_000, nil}, {10_000_000, nil}} {
		synctest.Test(t, func(t *testing.T) {
			d := download{to: pacedReader{test.rate}}
			begun := time.Now()
			var err error
			for range 10_000 { // 320 MB
				if _, err = d.Write(make([]byte, 32_000)); err != nil {
					break
				}
				<-time.After(time.Second) // the database
			}
			if !errors.Is(err, test.want) {
				t.Errorf("%d bytes a second: %v, want %v", test.rate, err, test.want)
			}
			if waited := d.waited; err != nil && (waited < time.Minute || waited > 2*time.Minute) {
				t.Errorf("%d bytes a second: cut off after waiting for %v in %v", test.rate, waited, time.Since(begun))
			}
		})
	}
}
