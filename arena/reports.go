package arena

import (
	"net/http"

	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// crosstable answers with who has made what against whom in an event's finished
// games.
func (s *Server) crosstable(w http.ResponseWriter, r *http.Request) error {
	e, games, err := s.played(r)
	if err != nil {
		return err
	}
	done := tournament.Matches(games)
	return answer(w, report.NewCrosstable(e, format.New(e).Standings(done), done))
}

// standings answers with an event's places by its format's rules.
func (s *Server) standings(w http.ResponseWriter, r *http.Request) error {
	e, games, err := s.played(r)
	if err != nil {
		return err
	}
	return answer(w, format.New(e).Standings(tournament.Matches(games)))
}

// headToHeads answers with the comparisons of every two bots of an event.
func (s *Server) headToHeads(w http.ResponseWriter, r *http.Request) error {
	e, games, err := s.played(r)
	if err != nil {
		return err
	}
	return answer(w, report.HeadToHeads(e, games))
}

// status answers with an event's progress, also if it is not being played.
func (s *Server) status(w http.ResponseWriter, r *http.Request) error {
	if id, err := eventID(r); err == nil {
		if p := s.host.performance(id); p != nil {
			now, _ := p.feed.latest()
			return answer(w, p.feed.detailed(now))
		}
	}
	e, games, err := s.played(r)
	if err != nil {
		return err
	}
	return answer(w, Recorded(e, games))
}

// played is the event that a request's path names, and its finished games.
func (s *Server) played(r *http.Request) (e tournament.Event, games []tournament.Game, err error) {
	id, err := eventID(r)
	if err != nil {
		return e, nil, err
	}
	if e, err = s.host.store.Event(r.Context(), id); err != nil {
		return e, nil, &RequestError{err}
	}
	games, err = s.host.store.Journal(id).Finished(r.Context())
	return e, games, err
}
