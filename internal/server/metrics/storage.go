package metrics

import (
	"io"
	"time"

	victoria "github.com/VictoriaMetrics/metrics"
)

// Storage is the state of a database at one moment.
type Storage struct {
	Size, Log int64         // of the database and of its write-ahead log, in bytes
	Free      int64         // bytes on its disk
	Backlog   int           // plies that are not on disk yet
	Oldest    time.Duration // how long the oldest of these plies has been waiting
	Arena     Readers       // connections that the arena reads with
	Pages     Readers       // connections that the pages read with
}

// Readers are connections to a database for reading.
type Readers struct {
	Used   int           // now
	Most   int           // the limit of Used
	Waited time.Duration // the total time that readers have waited for a connection since the start
}

// writes counts the writes of the journals.
type writes struct {
	delay, took *victoria.PrometheusHistogram
	failed      *victoria.Counter
}

// diskBuckets are bounds of times in seconds until a write is on disk: a journal waits 50 ms for more plies, and
// promises 100 ms.
var diskBuckets = []float64{.001, .003, .01, .03, .05, .075, .1, .15, .3, 1, 3, 10, 30}

func newWrites(m *Metrics) writes {
	return writes{
		delay:  m.family("journal_delay_seconds", "The time that the oldest ply of each write had to wait until it was on disk.").histogram(diskBuckets),
		took:   m.family("journal_write_seconds", "The duration of each write of plies or finished games; the rest of the delay is waiting.").histogram(diskBuckets),
		failed: m.family("journal_failures_total", "Writes of plies or finished games that failed. Their events end as failed.").counter(),
	}
}

// Written counts a write of a journal. took is the duration of the write. delay is the time from the oldest ply in it
// until the ply was on disk; it is 0 for a write without plies of games in progress.
func (m *Metrics) Written(delay, took time.Duration, err error) {
	if err != nil {
		m.writes.failed.Inc()
		return
	}
	m.writes.took.Update(took.Seconds())
	if delay > 0 {
		m.writes.delay.Update(delay.Seconds())
	}
}

// ShowStorage adds the state of the database. Each scrape calls state; state must be quick, and may be called by
// several goroutines. If state returns an error, these metrics are left out.
func (m *Metrics) ShowStorage(state func() (Storage, error)) {
	size := m.family("database_bytes", "Size of the database's files.", "file")
	free := m.family("disk_free_bytes", "The room for the arena's user on the disk of the database.")
	backlog := m.family("journal_backlog_plies", "Plies of games in progress that are not on disk yet.")
	oldest := m.family("journal_backlog_seconds", "The waiting time of the oldest ply that is not on disk.")
	readers := m.family("database_readers", "Connections for reading the database that are in use.", "of")
	most := m.family("database_readers_most", "The most connections for reading the database; further readers wait.", "of")
	waited := m.family("database_readers_waited_seconds_total", "The total time that readers have waited for a connection.", "of")
	m.set.RegisterMetricsWriter(func(w io.Writer) {
		now, err := state()
		if err != nil {
			return
		}
		write(w, size, map[string]int64{"database": now.Size, "log": now.Log})
		write(w, free, alone(now.Free))
		write(w, backlog, alone(now.Backlog))
		write(w, oldest, alone(now.Oldest.Seconds()))
		write(w, readers, map[string]int{"arena": now.Arena.Used, "pages": now.Pages.Used})
		write(w, most, map[string]int{"arena": now.Arena.Most, "pages": now.Pages.Most})
		write(w, waited, map[string]float64{"arena": now.Arena.Waited.Seconds(), "pages": now.Pages.Waited.Seconds()})
	})
}
