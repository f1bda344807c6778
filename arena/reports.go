package arena

import (
	"net/http"

	"versus2048/tournament"
)

// crosstable answers with who has made what against whom in an event's finished
// games.
func (s *Server) crosstable(w http.ResponseWriter, r *http.Request) error {
	e, games, err := s.played(r)
	if err != nil {
		return err
	}
	return answer(w, tournament.NewCrosstable(e, games))
}

// standings answers with an event's places by its format's rules.
func (s *Server) standings(w http.ResponseWriter, r *http.Request) error {
	e, games, err := s.played(r)
	if err != nil {
		return err
	}
	return answer(w, e.Format().Standings(tournament.Matches(games)))
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
