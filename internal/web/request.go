package web

import (
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"strconv"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
)

// The longest bodies of requests by visitors and by operators, in bytes.
const (
	longestVisitors  = 16 << 10
	longestOperators = 1 << 20
)

// bound limits the length of a request's body. The limit depends on the right that the request needs.
func bound(w http.ResponseWriter, r *http.Request, right server.Right) {
	longest := int64(longestVisitors)
	if right == server.OperateRight {
		longest = longestOperators
	}
	r.Body = http.MaxBytesReader(w, r.Body, longest)
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
