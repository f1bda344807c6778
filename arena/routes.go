package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"versus2048/tournament"
)

// routes is the arena's HTTP interface: bots at /bot, commands below /api.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /bot", s.serveBot)
	mux.HandleFunc("GET /api/bots", s.operator(s.listBots))
	mux.HandleFunc("GET /api/events", s.operator(s.listEvents))
	mux.HandleFunc("POST /api/events", s.operator(s.startEvent))
	mux.HandleFunc("GET /api/events/{id}", s.operator(s.status))
	mux.HandleFunc("GET /api/events/{id}/news", s.operator(s.stream(followNews)))
	mux.HandleFunc("GET /api/events/{id}/progress", s.operator(s.stream(followProgress)))
	mux.HandleFunc("GET /api/events/{id}/crosstable", s.operator(s.crosstable))
	mux.HandleFunc("GET /api/events/{id}/standings", s.operator(s.standings))
	mux.HandleFunc("GET /api/events/{id}/heads", s.operator(s.headToHeads))
	mux.HandleFunc("POST /api/events/{id}/join", s.operator(s.changeLadder(s.host.join)))
	mux.HandleFunc("POST /api/events/{id}/leave", s.operator(s.changeLadder(s.host.leave)))
	mux.HandleFunc("POST /api/events/{id}/pause", s.operator(forEvent(s.host.pause)))
	mux.HandleFunc("POST /api/events/{id}/resume", s.operator(forEvent(s.host.resume)))
	mux.HandleFunc("POST /api/events/{id}/stop", s.operator(forEvent(s.host.stop)))
	return mux
}

// operator lets through only an operator's requests: from loopback anybody's,
// from elsewhere those with an operator's token. A page of another site, which a
// browser on this machine may show, is not an operator.
func (s *Server) operator(next func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := s.authorize(r)
		if err == nil {
			err = next(w, r)
		}
		if err != nil {
			s.answerError(w, r, err)
		}
	}
}

// Why a request is forbidden.
var (
	errForbidden = errors.New("other than from this machine, by its loopback address, this needs an operator's token; make one with: arena token new --operator NAME")
	errBadToken  = errors.New("the token is not an operator's, or is revoked")
)

func (s *Server) authorize(r *http.Request) error {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		valid, err := s.tokens.ValidToken(r.Context(), OperatorRole, "", token)
		if err != nil || valid {
			return err
		}
		return errBadToken
	}
	if !fromLoopback(r) || r.Header.Get("Origin") != "" {
		return errForbidden
	}
	return nil
}

// answerError answers with the error in a sentence, as {"error": "..."}.
func (s *Server) answerError(w http.ResponseWriter, r *http.Request, err error) {
	status, request := http.StatusInternalServerError, (*RequestError)(nil)
	switch {
	case errors.Is(err, errForbidden), errors.Is(err, errBadToken):
		status = http.StatusForbidden
	case errors.As(err, &request):
		status = http.StatusBadRequest
	default:
		s.log.Error("request failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": err.Error()}) // the asker may be gone
}

func answer(w http.ResponseWriter, body any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(body)
}

func (s *Server) listBots(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, s.roster.list())
}

func (s *Server) listEvents(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, s.host.list())
}

const maxSetupBytes = 1 << 20

func (s *Server) startEvent(w http.ResponseWriter, r *http.Request) error {
	var event tournament.Event
	if err := decode(w, r, &event); err != nil {
		return &RequestError{fmt.Errorf("the event: %w", err)}
	}
	id, err := s.host.start(r.Context(), event)
	if err != nil {
		return err
	}
	return answer(w, map[string]int64{"event": id})
}

// decode reads a request's body, which must be JSON and have known fields only.
func decode(w http.ResponseWriter, r *http.Request, into any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return fmt.Errorf("Content-Type %q: want application/json", kind)
	}
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxSetupBytes))
	body.DisallowUnknownFields()
	return body.Decode(into)
}

// eventID is the event that a request's path names.
func eventID(r *http.Request) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return 0, &RequestError{fmt.Errorf("event %q: want its number", r.PathValue("id"))}
	}
	return id, nil
}

// forEvent does something to the event that a request's path names.
func forEvent(do func(ctx context.Context, id int64) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := eventID(r)
		if err == nil {
			err = do(r.Context(), id)
		}
		if err != nil {
			return err
		}
		return answer(w, map[string]int64{"event": id})
	}
}
