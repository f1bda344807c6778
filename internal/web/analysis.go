package web

import (
	"errors"
	"net/http"

	"versus2048/internal/server"
	"versus2048/internal/web/analysis"
	"versus2048/players"
	"versus2048/players/exact"
)

// positions is the page about one position.
type positions struct {
	pages    *pages
	arena    *server.Server
	find     *finder
	tables   analysis.Tables
	explorer *explorer
}

// ofArena is the part of the page about one position that an arena has: its games, and the bots that can be asked.
type ofArena struct {
	Explorer *explorerView
	Kinds    []players.Kind   // of bots that the arena can start for an opinion
	Asked    []server.BotInfo // connected bots that can be asked
}

// show shows a position with the facts that are known about it. An impossible position is shown in the form
// that it was typed into, with the reason.
func (a *positions) show(w http.ResponseWriter, r *http.Request) error {
	if r.FormValue("setup") != "" {
		return a.pages.show(w, r, "setup", framed(analysis.Setup(r.Form)))
	}
	page, status, err := a.page(r)
	if err != nil {
		return err
	}
	page.Arena = &ofArena{a.explorer.view(r, page.Position), askable(), a.arena.Bots()}
	v := framed(page.View())
	v.status = status
	return a.pages.show(w, r, "analysis", v)
}

// page returns the page of the position that a request asks for, and its status.
func (a *positions) page(r *http.Request) (*analysis.Page, int, error) {
	p, err := a.find.position(r)
	var page *analysis.Page
	if err == nil {
		page, err = analysis.NewTriedPage(a.tables, r.Form, p)
	}
	var impossible *analysis.Problem
	switch {
	case errors.As(err, &impossible) && !impossible.Missing:
		return analysis.NewFaultyPage(a.tables, r.Form, impossible), http.StatusBadRequest, nil
	case err != nil:
		return nil, 0, err
	}
	if r.FormValue("position") == "" {
		page.Game, page.Ply = r.FormValue("game"), r.FormValue("ply")
	}
	return page, http.StatusOK, nil
}

// exact returns the value of a position and of each move.
func (a *positions) exact(r *http.Request) (*exact.Probe, error) {
	p, err := a.find.position(r)
	if err != nil {
		return nil, err
	}
	return a.tables.Probe(p)
}
