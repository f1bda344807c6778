package web

import (
	"net/http"

	"versus2048/internal/server"
	"versus2048/internal/study"
	"versus2048/rules/record"
)

// mistakes are the costliest moves of games that visitors have played without a record.
type mistakes struct {
	arena  *server.Server
	tables tables
}

// playedJSON is a game that a visitor has played.
type playedJSON struct {
	Record string `json:"record"` // in the text form of docs/RECORDS.md
}

// answer returns the costliest moves of the game in a request, by a table if there is one, else by a search.
func (m *mistakes) answer(r *http.Request) ([]study.Mark, error) {
	var sent playedJSON
	if err := readJSON(r, &sent); err != nil {
		return nil, err
	}
	game, err := record.Parse(sent.Record)
	if err != nil {
		return nil, wrong("This is no game", err.Error())
	}
	turn, err := m.arena.Think(r)
	if err != nil {
		return nil, tooMany(err)
	}
	defer turn.End()
	return append([]study.Mark{}, study.Costliest(&game, judging(r.Context(), turn), m.tables...)...), nil
}
