package web

import (
	"fmt"
	"net/http"
	"slices"

	"versus2048/internal/server"
	"versus2048/tournament/standing"
)

func (s *Site) ratingsRoutes() []server.Route {
	return []server.Route{
		s.look("/ratings", s.showRatings),
		s.look("/api/ratings", s.sendRatings),
	}
}

// ratingsPage is the standing list of some conditions.
type ratingsPage struct {
	All    []standing.Summary
	Chosen string // the conditions of the list
	List   *standing.List
}

func (s *Site) showRatings(w http.ResponseWriter, r *http.Request) error {
	page, err := s.ratings(r)
	if err != nil {
		return err
	}
	return s.showTagged(w, r, "ratings", view{Title: "Ratings", Section: "ratings", Body: page})
}

func (s *Site) sendRatings(w http.ResponseWriter, r *http.Request) error {
	page, err := s.ratings(r)
	if err != nil {
		return err
	}
	return sendTagged(w, r, server.Ratings{All: page.All, List: page.List})
}

// ratings returns the list of the conditions that a request names, or of the conditions with the most matches.
func (s *Site) ratings(r *http.Request) (*ratingsPage, error) {
	turn, err := s.arena.Read(r) // it may read all games
	if err != nil {
		return nil, tooMany(err)
	}
	defer turn.End()
	collected, err := s.lists.Collector(r.Context())
	if err != nil {
		return nil, err
	}
	page := &ratingsPage{All: collected.Summaries(), Chosen: r.FormValue("conditions")}
	if page.Chosen == "" {
		if len(page.All) == 0 {
			return page, nil
		}
		page.Chosen = page.All[0].Conditions
	}
	if !slices.ContainsFunc(page.All, func(list standing.Summary) bool { return list.Conditions == page.Chosen }) {
		return nil, notFound("There are no such ratings", fmt.Sprintf("no match has been played under the conditions %.80q; arena rating --conditions lists the conditions", page.Chosen))
	}
	list, err := s.lists.List(r.Context(), page.Chosen, standing.Defaults())
	if err != nil {
		return nil, err
	}
	page.List = &list
	return page, nil
}
