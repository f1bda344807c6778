package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/results"
	"versus2048/results/parquet"
	"versus2048/rules/record"
)

// exports are the downloads of events.
type exports struct {
	store   *results.Store
	archive *archive.Archive
	log     *slog.Logger
	places  chan struct{} // one for each running download
	version string        // of this program
}

// exportFormat is a format of downloads. write includes the search reports of unfinished games if whole is set: only
// operators get these reports, because an interrupted event may be resumed.
type exportFormat struct {
	kind, name string
	write      func(e *exports, ctx context.Context, to io.Writer, event int64, whole bool) error
}

// describe sets the headers of a download.
func (f *exportFormat) describe(h http.Header, event int64) {
	h.Set("Content-Type", f.kind)
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="`+f.name+`"`, event))
	h.Set("Cache-Control", "no-store")
}

// exportFormats are the values of the parameter format; "" is the usual one.
var exportFormats = map[string]exportFormat{
	"":        {"application/jsonl", "event-%d.jsonl", (*exports).writeLines},
	"jsonl":   {"application/jsonl", "event-%d.jsonl", (*exports).writeLines},
	"parquet": {"application/zip", "event-%d-parquet.zip", (*exports).writeTables},
}

// send answers with the file that “arena export” writes, or with the event's tables in an archive. An export that fails
// midway is cut off: its end is missing, so that an import notices. send returns the error of an export that fails
// before its first byte.
func (e *exports) send(w http.ResponseWriter, r *http.Request) error {
	line, err := lineIn(r, e.archive)
	if err != nil {
		return err
	}
	format, known := exportFormats[r.FormValue("format")]
	if !known {
		return wrong("There is no such format", "Want format=jsonl or format=parquet.")
	}
	whole := server.IsOperator(r.Context())
	if !line.State.Ended() && !whole { // the searches would help an opponent
		return &problem{status: http.StatusForbidden, title: "This event is being played", advice: "Only an operator can download it before it is over."}
	}
	h := w.Header()
	if r.Method == http.MethodHead { // without a body there is nothing to read
		format.describe(h, line.Event)
		return nil
	}
	select {
	case e.places <- struct{}{}:
		defer func() { <-e.places }()
	default: // each download reads the database for as long as its client takes
		return &problem{status: http.StatusServiceUnavailable, title: "Others are downloading events", advice: "Try again in a minute."}
	}
	format.describe(h, line.Event)
	to := &download{to: w}
	switch err := format.write(e, r.Context(), to, line.Event, whole); {
	case err == nil:
		return nil
	case to.sent == 0:
		h.Del("Content-Disposition")
		h.Del("Cache-Control")
		return err
	case r.Context().Err() == nil: // the visitor is still there
		e.log.ErrorContext(r.Context(), "an export failed", "event", line.Event, "error", err)
	}
	panic(http.ErrAbortHandler)
}

// writeLines writes an event as lines of JSON.
func (e *exports) writeLines(ctx context.Context, to io.Writer, event int64, whole bool) error {
	export := e.store.ExportShown
	if whole {
		export = e.store.Export
	}
	_, err := export(ctx, to, event)
	return err
}

// writeTables writes an event's tables.
func (e *exports) writeTables(ctx context.Context, to io.Writer, event int64, whole bool) error {
	return e.store.Snapshot(ctx, func(now results.Snapshot) error {
		header, err := now.Header(ctx, event)
		if err != nil {
			return err
		}
		return parquet.WriteZip(to, parquet.Source{Event: header, Version: e.version}, func(write func(results.Stored) error) error {
			return now.Games(ctx, results.Filter{Event: event, Searches: true, Scored: true}, func(g results.Stored) error {
				if !whole && g.Record.Ending == record.Unfinished {
					g.Record.Searches = nil
				}
				return write(g)
			})
		})
	})
}

// mostExports is the largest number of downloads at once.
const mostExports = 2

// download passes the export of an event on to a client. Meanwhile the database keeps all new data in its write-ahead
// log, so a download fails if its client turns out to be slow.
type download struct {
	to     io.Writer
	sent   int64
	waited time.Duration // for the client
}

// A download fails once it has waited for its client for more than downloadPatience, and has sent fewer than
// downloadRate bytes for each second of waiting.
const (
	downloadPatience = time.Minute
	downloadRate     = 100_000
)

var errSlowReader = errors.New("its reader takes less than 100 kB a second")

func (d *download) Write(p []byte) (int, error) {
	begun := time.Now()
	n, err := d.to.Write(p)
	d.sent += int64(n)
	d.waited += time.Since(begun)
	if err == nil && d.waited > downloadPatience && float64(d.sent) < downloadRate*d.waited.Seconds() {
		err = errSlowReader
	}
	return n, err
}

// reports serves reports on events, to be saved or shown elsewhere.
type reports struct {
	archive *archive.Archive
	made    *archive.Figures[int64, *archive.Report] // by event
}

// keptReports is the largest size of all kept reports in kilobytes, roughly.
const keptReports = 30_000

func newReports(s *sharing, store *results.Store, all *archive.Archive) *reports {
	return &reports{all, archive.NewFigures(all, keptReports, (*archive.Report).Size, func(ctx context.Context, event int64) (*archive.Report, error) {
		artist, err := s.artist()
		if err != nil {
			return nil, err
		}
		return archive.NewReport(ctx, store.Reader, event, artist)
	})}
}

// send answers with the report of an event as a page that can be saved, or with format=markdown as a text for forums.
func (v *reports) send(w http.ResponseWriter, r *http.Request) error {
	line, err := lineIn(r, v.archive)
	if err != nil {
		return err
	}
	form, known := archive.ReportFormOf(cmp.Or(r.FormValue("format"), "html"))
	if !known {
		return wrong("There is no such format of a report", "It is html or markdown.")
	}
	made, err := v.made.Await(r.Context(), line.Event, line.Played())
	if err != nil {
		return err
	}
	if !line.State.Ended() && !server.IsOperator(r.Context()) {
		made = made.WithoutSeed()
	}
	var page bytes.Buffer
	if err := form.Write(made, &page, origin(r)); err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", archive.ReportPolicy()+"; frame-ancestors 'none'")
	return send(tagged{w}, r, http.StatusOK, form.Kind, page.Bytes())
}
