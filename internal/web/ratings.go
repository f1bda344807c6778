package web

import (
	"fmt"
	"net/http"
	"slices"

	"versus2048/internal/server"
	"versus2048/results/lists"
	"versus2048/tournament/standing"
)

// ratings are the pages with standing lists.
type ratings struct {
	pages *pages
	arena *server.Server
	lists *lists.Keeper
}

// ratingsPage is the standing list of some conditions.
type ratingsPage struct {
	server.Ratings
	Chosen string `json:"-"` // the conditions of the list
}

func (p *ratingsPage) view() view { return view{Title: "Ratings", Section: "ratings", Body: p} }

// page returns the list of the conditions that a request names, or of the conditions with the most matches.
func (l *ratings) page(r *http.Request) (*ratingsPage, error) {
	turn, err := l.arena.Read(r) // it may read all games
	if err != nil {
		return nil, tooMany(err)
	}
	defer turn.End()
	collected, err := l.lists.Collector(r.Context())
	if err != nil {
		return nil, err
	}
	page := &ratingsPage{server.Ratings{All: collected.Summaries()}, r.FormValue("conditions")}
	if page.Chosen == "" {
		if len(page.All) == 0 {
			return page, nil
		}
		page.Chosen = page.All[0].Conditions
	}
	if !slices.ContainsFunc(page.All, func(list standing.Summary) bool { return list.Conditions == page.Chosen }) {
		return nil, notFound("There are no such ratings", fmt.Sprintf("no match has been played under the conditions %.80q; arena rating --conditions lists the conditions", page.Chosen))
	}
	list, err := l.lists.List(r.Context(), page.Chosen, standing.Defaults())
	if err != nil {
		return nil, err
	}
	page.List = &list
	return page, nil
}
