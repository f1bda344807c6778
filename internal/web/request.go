package web

import (
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
)

// The longest bodies of requests by visitors and by operators, in bytes.
const (
	longestVisitors  = 16 << 10
	longestOperators = 1 << 20
)

// readForm limits the length of a request's body, and reads a form in it. The limit depends on the right that the
// request needs. readForm refuses a form that is too long: it would look like a form with empty fields.
func readForm(w http.ResponseWriter, r *http.Request, right server.Right) error {
	longest := int64(longestVisitors)
	if right == server.OperateRight {
		longest = longestOperators
	}
	r.Body = http.MaxBytesReader(w, r.Body, longest)
	if tooLong := (*http.MaxBytesError)(nil); errors.As(r.ParseForm(), &tooLong) {
		advice := fmt.Sprintf("Go back and shorten its texts: want at most %d bytes in all.", longest)
		return &problem{status: http.StatusRequestEntityTooLarge, title: "This form is too long", advice: advice, err: tooLong}
	}
	return nil
}

// origin returns the scheme and the host of the arena in the address that a visitor uses.
func origin(r *http.Request) string {
	if gate.SaysTLS(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// numberIn returns the number of a game, an event or another thing in a request, such as 17 in /games/17 or ?game=17.
// The error names the kind of thing by the parameter what.
func numberIn(r *http.Request, key, what string) (int64, error) {
	text := cmp.Or(r.PathValue(key), r.FormValue(key))
	n, ok := server.ParseNumber(text)
	if !ok {
		return 0, notFound(fmt.Sprintf("There is no %s %.40q", what, text), "Games, events and puzzles are known by their numbers, from 1.")
	}
	return n, nil
}

// numberOf returns a number of items that a request gives, 0 if it gives none.
func numberOf(r *http.Request, key string) (int, error) {
	text := r.FormValue(key)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, wrong("There is no such part of the list", "Want a whole number from 0 as "+key+".")
	}
	return n, nil
}

// pager is the place of a page in a whole list.
type pager struct {
	Offset, Size, Total int
	First, Last         int    // of the items shown, from 1; First is 0 if there are none
	Before, Next        string // addresses, "" if there is no such page
}

// pagerOf returns the page of a list that a request asks for. The parameter key of the request is the number of items
// before the page.
func pagerOf(r *http.Request, key string, total, size int) (pager, error) {
	p := pager{Size: size, Total: total}
	offset, err := numberOf(r, key)
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
	if p.Offset < total {
		p.First = p.Offset + 1
	}
	p.Last = min(p.Offset+size, total)
	if p.Offset > 0 {
		p.Before = at(max(0, p.Offset-size))
	}
	if p.Last < total {
		p.Next = at(p.Last)
	}
	return p, nil
}

// isSet reports whether a request switches an option on: true for reverse=1, for example, and false for reverse=0 or
// without the option.
func isSet(r *http.Request, key string) bool {
	on, _ := strconv.ParseBool(r.FormValue(key)) // false for other texts
	return on
}

// readJSON decodes a request's body. It accepts only the content type application/json, which a form on another site
// cannot send. It refuses unknown fields.
func readJSON(r *http.Request, into any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return wrong("This request is not in JSON", "Send it with the Content-Type application/json.")
	}
	if err := server.DecodeBody(r.Body, into); err != nil {
		return wrong("This request cannot be read", fmt.Sprintf("%v.", err))
	}
	return nil
}
