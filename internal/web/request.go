package web

import (
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"versus2048/internal/server"
	"versus2048/internal/web/live"
	"versus2048/rules"
)

// The length in bytes of the longest body of a request.
const (
	longestVisitors  = 16 << 10
	longestOperators = 1 << 20
)

// bound bounds the body of a request that needs a right.
func bound(w http.ResponseWriter, r *http.Request, right server.Right) {
	longest := int64(longestVisitors)
	if right == server.OperateRight {
		longest = longestOperators
	}
	r.Body = http.MaxBytesReader(w, r.Body, longest)
}

// origin returns the scheme and the host of the arena in the address that a visitor uses.
func origin(r *http.Request) string {
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// numberIn returns the number of a game, an event or another thing in a request: of a game in /games/17, or in
// ?game=17.
func numberIn(r *http.Request, key, what string) (int64, error) {
	text := cmp.Or(r.PathValue(key), r.FormValue(key))
	n, ok := server.ParseNumber(text)
	if !ok {
		return 0, notFound(fmt.Sprintf("There is no %s %.40q", what, text), "Games and events are known by their numbers, from 1.")
	}
	return n, nil
}

// gameAndPly returns the game and the ply that a request asks for.
func (s *Site) gameAndPly(r *http.Request) (now *live.Snapshot, ply int, err error) {
	id, err := numberIn(r, "game", "game")
	if err != nil {
		return nil, 0, err
	}
	if now, err = s.snapshot(r.Context(), id, nil); err != nil {
		return nil, 0, err
	}
	last := now.Plies()
	ply, err = plyOf(r, "ply", last, last)
	return now, ply, err
}

// plyOf returns the ply under a key of a request, from 0 to last, or otherwise if the request has none.
func plyOf(r *http.Request, key string, last, otherwise int) (int, error) {
	text := r.FormValue(key)
	if text == "" {
		return otherwise, nil
	}
	ply, err := strconv.Atoi(text)
	if err != nil || ply < 0 || ply > last {
		return 0, wrong(fmt.Sprintf("There is no ply %.20q", text), fmt.Sprintf("This game has the plies 0 to %d.", last))
	}
	return ply, nil
}

// positionOf returns the position in a request: position=TEXT with rules=NAME, or game=NUMBER with
// ply=NUMBER. Without either it is the empty board of the published game.
func (s *Site) positionOf(r *http.Request) (p rules.Position, err error) {
	chosen := rules.GPCC2015
	if name := r.FormValue("rules"); name != "" {
		if chosen, err = rules.ParseRuleset(name); err != nil {
			return p, wrong("There are no such rules", err.Error())
		}
	}
	switch text := r.FormValue("position"); {
	case text != "":
		if p, err = rules.ParsePosition(chosen, text); err != nil {
			return p, wrong("This position is impossible", reason(err))
		}
		return p, nil
	case r.FormValue("game") != "":
		return s.positionInGame(r)
	}
	return rules.NewPosition(chosen, rules.Full), nil
}

// reason returns the fault of a position from an error, without the position.
func reason(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		if strings.HasPrefix(err.Error(), "position \"") {
			err = inner
		}
	}
	return err.Error()
}

func (s *Site) positionInGame(r *http.Request) (p rules.Position, err error) {
	now, ply, err := s.gameAndPly(r)
	if err != nil {
		return p, err
	}
	return at(&now.Game.Record, ply)
}

// offsetOf returns how many items a request skips.
func offsetOf(r *http.Request, key string) (int, error) {
	text := r.FormValue(key)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, wrong("There is no such page", "The number of items before a page is a whole number from 0.")
	}
	return n, nil
}

// isSet reports whether a request has a key set, as in reverse=1. Both reverse=0 and no key leave it out.
func isSet(r *http.Request, key string) bool {
	on, err := strconv.ParseBool(r.FormValue(key))
	return on && err == nil
}

// pager is the place of a page in a whole list.
type pager struct {
	Offset, Size, Total int
	First, Last         int    // of the items shown, from 1
	Before, Next        string // addresses, "" if there is no such page
}

// pagerOf reads the page of a list that a request asks for, from the number of items before it.
func pagerOf(r *http.Request, key string, total, size int) (pager, error) {
	p := pager{Size: size, Total: total}
	offset, err := offsetOf(r, key)
	if err != nil {
		return p, err
	}
	p.Offset = min(offset, total)
	at := func(offset int) string {
		query := url.Values{}
		for k, v := range r.URL.Query() {
			query[k] = v
		}
		query.Set(key, strconv.Itoa(offset))
		return "?" + query.Encode()
	}
	p.First, p.Last = min(p.Offset+1, total), min(p.Offset+size, total)
	if p.Offset > 0 {
		p.Before = at(max(0, p.Offset-size))
	}
	if p.Last < total {
		p.Next = at(p.Last)
	}
	return p, nil
}

// readJSON decodes a request's body. It refuses other content types, which other sites' forms can send, and unknown
// fields.
func readJSON(r *http.Request, into any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return wrong("This request is not in JSON", "Send it with the Content-Type application/json.")
	}
	if err := server.DecodeBody(r.Body, into); err != nil {
		return wrong("This request cannot be read", fmt.Sprintf("%v.", err))
	}
	return nil
}
