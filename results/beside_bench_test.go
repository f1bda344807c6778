package results

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"versus2048/tournament"
)

// largeBytes is how large BenchmarkJournalBeside makes a database.
const largeBytes = 256 << 20

// BenchmarkJournalBeside measures how long a journal needs to have a ply on disk while the database, of 256 MiB, is
// copied again and again: page by page as Copy does, and by VACUUM INTO.
func BenchmarkJournalBeside(b *testing.B) {
	s := openNew(b)
	if _, err := s.write.ExecContext(b.Context(), `CREATE TABLE filler (content BLOB);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO filler SELECT randomblob(16384) FROM n`, largeBytes>>14); err != nil {
		b.Fatal(err)
	}
	event := newDuel(b, s, 1000)
	match := 0
	for _, way := range []struct {
		name string
		copy func(ctx context.Context, to string) error
	}{
		{"nothing", nil},
		{"copy", func(ctx context.Context, to string) error {
			_, err := Copy(ctx, s.place.path, to, nil)
			return err
		}},
		{"vacuum", func(ctx context.Context, to string) error {
			db, err := connect(s.place.path, url.Values{"mode": {"rw"}})
			if err != nil {
				return err
			}
			defer db.Close()
			_, err = db.ExecContext(ctx, `VACUUM INTO ?`, to)
			return err
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			copies, done := 0, make(chan struct{})
			go func() {
				defer close(done)
				for way.copy != nil && ctx.Err() == nil {
					to := filepath.Join(b.TempDir(), "copy.db")
					if err := way.copy(ctx, to); err == nil {
						copies++
					} else if ctx.Err() == nil {
						b.Error(err)
						return
					}
					_ = os.Remove(to)
				}
			}()
			var times []time.Duration
			began := time.Now()
			for b.Loop() {
				match++
				g := open(b, event, duelGame(match, 1))
				event.Append(g.ID, tournament.Ply{Move: g.Record.Start.AppendMoves(nil)[0]})
				start := time.Now()
				if err := event.Flush(b.Context()); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			elapsed := time.Since(began)
			cancel()
			<-done
			slices.Sort(times)
			for name, t := range map[string]time.Duration{"p50-ms": times[len(times)/2], "p99-ms": times[len(times)*99/100], "max-ms": times[len(times)-1]} {
				b.ReportMetric(float64(t)/1e6, name)
			}
			b.ReportMetric(float64(copies)/elapsed.Seconds(), "copies/s")
		})
	}
}
