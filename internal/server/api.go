package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/server/budget"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/internal/text/plain"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/recipe"
	"versus2048/tournament/report"
)

// api answers HTTP requests to look at events and to operate them. Bodies and answers are in JSON.
type api struct {
	admission *admission
	roster    *roster.Roster
	host      *host
	records   Records                                   // the store for requests that only look
	read      func(*http.Request) (*budget.Turn, error) // waits until a request may read much
	whole     func(context.Context) Status              // returns the status of the arena
	workers   func() []Worker
	log       *slog.Logger
}

// handler answers a request, or returns an error for writeError to answer with.
type handler func(w http.ResponseWriter, r *http.Request) error

// routes returns the routes below /api.
func (a *api) routes() (all []Route) {
	for _, r := range []struct {
		pattern string
		right   Right
		does    operation
	}{
		{"GET /api/bots", LookRight, list(a.roster.List)},
		// Only operators get the status of the arena: it names paths of the machine, and facts that would help an
		// attacker.
		{"GET /api/status", OperateRight, giving(Status{}, a.arenaStatus)},
		{"GET /api/workers", LookRight, list(a.workers)},
		{"GET /api/events", LookRight, list(a.host.runs.Events)},
		{"GET /api/events/{id}", LookRight, giving(Progress{}, a.status)},
		{"GET /api/events/{id}/news", LookRight, a.stream(News{}, sendNews)},
		{"GET /api/events/{id}/progress", LookRight, a.stream(Progress{}, sendProgress)},
		{"GET /api/events/{id}/crosstable", LookRight, figures(a, false, (*report.Collector).Crosstable)},
		{"GET /api/events/{id}/standings", LookRight, giving(tournament.Standings{}, a.standings)},
		{"GET /api/events/{id}/heads", LookRight, figures(a, true, (*report.Collector).HeadToHeads)},
		{"GET /api/queue", LookRight, list(a.host.queue.queued)},
		{"POST /api/events", OperateRight, creating(func(e *tournament.Event) *tournament.Event { return e }, a.host.Start)},
		{"POST /api/queue", OperateRight, creating(func(b *Booking) *tournament.Event { return &b.Event }, a.host.queue.book)},
		{"POST /api/rounds", OperateRight, operation{a.doRound, Form{Body: Round{}, Answer: RoundNews{}, Media: linesMedia}}},
		{"POST /api/events/{id}/cancel", OperateRight, forEvent(a.host.queue.Cancel)},
		{"POST /api/events/{id}/queue", OperateRight, forEvent(a.host.queue.requeue)},
		{"POST /api/events/{id}/skip", OperateRight, forEvent(a.host.queue.Skip)},
		{"POST /api/events/{id}/join", OperateRight, forBot(a.host.Join)},
		{"POST /api/events/{id}/leave", OperateRight, forBot(a.host.Leave)},
		{"POST /api/events/{id}/pause", OperateRight, forEvent(a.host.Pause)},
		{"POST /api/events/{id}/resume", OperateRight, forEvent(a.host.Resume)},
		{"POST /api/events/{id}/extend", OperateRight, forBody("the matches", func(ctx context.Context, id int64, body extension) error {
			return a.host.extend(ctx, id, body.Matches)
		})},
		{"POST /api/events/{id}/replay-match", OperateRight, forBody("the match", func(ctx context.Context, id int64, body matchNumber) error {
			return a.host.ReplayMatch(ctx, id, body.Match)
		})},
		{"POST /api/events/{id}/stop", OperateRight, forEvent(a.host.Stop)},
	} {
		all = append(all, Route{Pattern: r.pattern, Right: r.right, Serve: a.answering(r.does.handler), Form: r.does.Form})
	}
	return all
}

// answering returns a handler that answers with an error's text if h returns an error.
func (a *api) answering(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			a.writeError(w, r, err)
		}
	}
}

// Problem is the body of an answer that refuses a request.
type Problem struct {
	Error string `json:"error"`
	// OperatorFile is the path of the file that lets a command on this machine prove that it is an operator's. It is
	// set if a request from this machine does not have the right that it needs.
	OperatorFile string `json:"operator_file,omitempty"`
}

// writeError answers with a Problem that has the error's text. It logs errors that are not the client's.
func (a *api) writeError(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // the client is gone
	}
	status, request, answer := http.StatusInternalServerError, (*RequestError)(nil), Problem{Error: err.Error()}
	switch {
	case errors.Is(err, errForbidden), errors.Is(err, ErrBadToken):
		status = http.StatusForbidden
		if gate.FromLoopback(r) {
			answer.OperatorFile = a.admission.secretFile
		}
	case errors.As(err, &request):
		status = http.StatusBadRequest
	case errors.Is(err, ErrTooMany):
		status = http.StatusTooManyRequests
	default:
		a.log.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // the client may be gone
}

// list answers with all values of a kind.
func list[T any](all func() []T) operation {
	return giving([]T{}, func(w http.ResponseWriter, _ *http.Request) error { return writeJSON(w, all()) })
}

func (a *api) arenaStatus(w http.ResponseWriter, r *http.Request) error {
	return writeJSON(w, a.whole(r.Context()))
}

// creating calls create with a request's body, and answers with the number of the created event. event returns the
// event in the body.
func creating[T any](event func(*T) *tournament.Event, create func(context.Context, T) (int64, error)) operation {
	return operation{func(w http.ResponseWriter, r *http.Request) error {
		var body T
		recipe.Prepare(event(&body))
		err := readJSON(w, r, maxBodyBytes, &body)
		if err == nil {
			err = recipe.Complete(event(&body), recipe.LoadDrawnOpenings)
		}
		if err != nil {
			return &RequestError{fmt.Errorf("the event: %w", err)}
		}
		id, err := create(r.Context(), body)
		return answerEvent(w, id, err)
	}, Form{Body: *new(T), Answer: changed{}}}
}

// doRound answers with the news of a round, line by line. The round ends early if the request ends or the arena shuts
// down.
func (a *api) doRound(w http.ResponseWriter, r *http.Request) error {
	var round Round
	if err := readJSON(w, r, maxRoundBytes, &round); err != nil {
		return &RequestError{fmt.Errorf("the round: %w", err)}
	}
	if err := a.host.checkRound(&round); err != nil {
		return &RequestError{err}
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	defer context.AfterFunc(a.host.runs.life, stop)()
	ServeRound(ctx, w, a.host.farm, round)
	return nil
}

// status answers with an event's progress, whether or not it is being played.
func (a *api) status(w http.ResponseWriter, r *http.Request) error {
	if id, err := eventID(r); err == nil {
		if run := a.host.runs.of(id); run != nil {
			now, _ := run.feed.detailed()
			return writeJSON(w, now)
		}
	}
	recorded, err := a.recorded(r)
	if err != nil {
		return err
	}
	p := recorded.Progress()
	p.Message = a.reason(r.Context(), p.Event)
	return writeJSON(w, p)
}

// reason returns why the arena stopped an event, "" if it did not.
func (a *api) reason(ctx context.Context, id int64) string {
	if item, err := itemIn(ctx, a.records.Agenda, id); err == nil && item.Wanted == agenda.Stopped {
		return item.Reason
	}
	return "" // an item that cannot be read has no reason
}

// standings answers with an event's standings by the rules of its format.
func (a *api) standings(w http.ResponseWriter, r *http.Request) error {
	recorded, err := a.recorded(r)
	if err != nil {
		return err
	}
	standings, _ := recorded.board.Standings(0)
	return writeJSON(w, standings)
}

// figures passes the decided matches of the event in a request's path to the given function, and answers with its
// result. timed is set if the function needs the times of the matches.
func figures[T any](a *api, timed bool, of func(*report.Collector) T) operation {
	return giving(*new(T), func(w http.ResponseWriter, r *http.Request) error {
		collected, err := reading(a, r, func(ctx context.Context, e tournament.Event) (*report.Collector, error) {
			return a.host.collect(ctx, a.records, e, timed)
		})
		if err != nil {
			return err
		}
		return writeJSON(w, of(collected))
	})
}

// recorded returns the record of the event in a request's path.
func (a *api) recorded(r *http.Request) (*Record, error) {
	return reading(a, r, func(ctx context.Context, e tournament.Event) (*Record, error) {
		return a.host.recorded(ctx, e, a.records.Results)
	})
}

// reading waits until it is the request's turn to read, and then reads about the event in the request's path.
func reading[T any](a *api, r *http.Request, read func(context.Context, tournament.Event) (T, error)) (found T, err error) {
	id, err := eventID(r)
	if err != nil {
		return found, err
	}
	turn, err := a.read(r)
	if err != nil {
		return found, err
	}
	defer turn.End()
	e, err := a.records.Event(r.Context(), id)
	if err != nil {
		return found, refused(err)
	}
	return read(budget.With(r.Context(), turn), e)
}

// streamInterval is the shortest time between two updates to a client that is following an event.
const streamInterval = 100 * time.Millisecond

// stream answers with one line of JSON for each value, as soon as follow passes the value to send. follow runs until
// the event or the request ends. line is a value of the type of the lines.
func (a *api) stream(line any, follow func(ctx context.Context, f *feed, send func(any) error) error) operation {
	return operation{func(w http.ResponseWriter, r *http.Request) error {
		id, err := eventID(r)
		if err != nil {
			return err
		}
		run, err := a.host.runs.existing(id)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", linesMedia)
		lines := json.NewEncoder(w)
		_ = follow(r.Context(), run.feed, func(line any) error {
			if err := lines.Encode(line); err != nil {
				return err
			}
			return http.NewResponseController(w).Flush()
		}) // the client may leave at any time
		return nil
	}, Form{Answer: line, Media: linesMedia}}
}

// sendProgress sends the event's Progress, with details, at once and after each change until its state is final.
// Without a change it sends the Progress again after beatInterval, or after awayInterval while the time of an absent
// bot runs.
func sendProgress(ctx context.Context, f *feed, send func(any) error) error {
	return follow(ctx, streamInterval, f.detailed, func(now Progress) error { return send(now) })
}

// sendNews sends the event's News until it has ended.
func sendNews(ctx context.Context, f *feed, send func(any) error) error {
	reader := newsReader{feed: f, send: func(n News) error { return send(n) }}
	return reader.follow(ctx)
}

// forEvent calls do with the event in a request's path.
func forEvent(do func(ctx context.Context, id int64) error) operation {
	return giving(changed{}, func(w http.ResponseWriter, r *http.Request) error {
		id, err := eventID(r)
		if err == nil {
			err = do(r.Context(), id)
		}
		return answerEvent(w, id, err)
	})
}

// forBot calls do with the event in a request's path and the bot in its body.
func forBot(do func(ctx context.Context, id int64, bot string) error) operation {
	return forBody("the bot", func(ctx context.Context, id int64, body botName) error { return do(ctx, id, body.Bot) })
}

// forBody calls do with the event in a request's path and with the request's body. Errors call the body by the given
// name.
func forBody[T any](what string, do func(ctx context.Context, id int64, body T) error) operation {
	return operation{func(w http.ResponseWriter, r *http.Request) error {
		id, err := eventID(r)
		if err != nil {
			return err
		}
		var body T
		if err := readJSON(w, r, maxBodyBytes, &body); err != nil {
			return &RequestError{fmt.Errorf("%s: %w", what, err)}
		}
		return answerEvent(w, id, do(r.Context(), id, body))
	}, Form{Body: *new(T), Answer: changed{}}}
}

// eventID returns the number of the event in a request's path. Unrecorded events have negative numbers.
func eventID(r *http.Request) (int64, error) {
	text := r.PathValue("id")
	digits, unrecorded := strings.CutPrefix(text, "-")
	id, ok := ParseNumber(digits)
	if !ok {
		return 0, &RequestError{fmt.Errorf("event %.40q: want its number", text)}
	}
	if unrecorded {
		return -id, nil
	}
	return id, nil
}

// ParseNumber reads the number of an event or a game in a path: in decimal, from 1, without sign and leading zeros. So
// each event and each game has one address. ok is false for any other text.
func ParseNumber(text string) (number int64, ok bool) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < 1 || strconv.FormatInt(number, 10) != text {
		return 0, false
	}
	return number, true
}

// The lengths of the longest bodies that are read, in bytes.
const (
	maxBodyBytes  = 1 << 20
	maxRoundBytes = 64 << 20
)

// readJSON decodes a request's body. It rejects other content types than JSON, unknown fields, and a body with more
// bytes than most.
func readJSON(w http.ResponseWriter, r *http.Request, most int64, into any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return fmt.Errorf("Content-Type %q: want application/json", kind)
	}
	return DecodeBody(http.MaxBytesReader(w, r.Body, most), into)
}

// DecodeBody decodes the body of a request, one JSON value. It returns an error for unknown fields, for an empty body,
// and for text after the value.
func DecodeBody(body io.Reader, into any) error {
	value := json.NewDecoder(plain.WithoutBOM(body))
	value.DisallowUnknownFields()
	err := value.Decode(into)
	if err == io.EOF {
		return errors.New("the body is empty: want a JSON object")
	}
	if err != nil {
		return err
	}
	if _, err := value.Token(); err != io.EOF {
		return errors.New("something follows the JSON object: want one object")
	}
	return nil
}

// writeJSON answers with a value in JSON.
func writeJSON(w http.ResponseWriter, body any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(body)
}

// answerEvent answers with the number of an event, or returns failed if that is an error.
func answerEvent(w http.ResponseWriter, id int64, failed error) error {
	if failed != nil {
		return failed
	}
	return writeJSON(w, changed{id})
}

// RequestError means that the arena cannot do a request, because of the request itself or the present state of the
// event.
type RequestError struct{ Err error }

func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *RequestError) Unwrap() error { return e.Err }

// unlessOurs returns the error of a change of the lineup as a *RequestError, unless the store failed.
func unlessOurs(err error) error {
	if errors.Is(err, tournament.ErrNotRecorded) {
		return err
	}
	return &RequestError{err}
}

// refused wraps an error of a store in a *RequestError if there is no such event, or if the match cannot be voided. It
// returns any other error unchanged.
func refused(err error) error {
	if errors.Is(err, tournament.ErrUnknownEvent) || errors.Is(err, tournament.ErrNotVoidable) {
		return &RequestError{err}
	}
	return err
}
