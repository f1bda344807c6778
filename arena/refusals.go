package arena

import (
	"net/netip"
	"slices"
	"sync"
	"time"

	"versus2048/protocol"
)

// Bounds of what is remembered of bots that were turned away.
const (
	mostRefusals   = 100 // the last ones; the same again counts as one
	longestRefusal = 300 // characters of its reason
)

// Refusal says why a bot was turned away. Its texts are partly the bot's; its token is in none of them.
type Refusal struct {
	Bot     string // the name it gave, "" if its hello was not understood
	Code    protocol.Code
	Message string    // what the bot was told
	Times   int       // how often it came with the same
	Last    time.Time // when it came last
	from    netip.Addr
}

// refusals are the last bots that were turned away, so that the pages can tell their authors why.
type refusals struct {
	mu   sync.Mutex
	list []Refusal // the latest last
}

// add notes that a bot was turned away.
func (rs *refusals) add(r Refusal) {
	if runes := []rune(r.Message); len(runes) > longestRefusal {
		r.Message = string(runes[:longestRefusal]) + "…"
	}
	r.Times, r.Last = 1, time.Now()
	rs.mu.Lock()
	defer rs.mu.Unlock()
	same := func(o Refusal) bool {
		return o.Bot == r.Bot && o.Code == r.Code && o.Message == r.Message && o.from == r.from
	}
	if i := slices.IndexFunc(rs.list, same); i >= 0 {
		r.Times += rs.list[i].Times
		rs.list = slices.Delete(rs.list, i, i+1)
	}
	if len(rs.list) == mostRefusals {
		rs.list = slices.Delete(rs.list, 0, 1)
	}
	rs.list = append(rs.list, r)
}

// admitted forgets why a bot was turned away before.
func (rs *refusals) admitted(bot string, from netip.Addr) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.list = slices.DeleteFunc(rs.list, func(r Refusal) bool { return r.from == from && (r.Bot == bot || r.Bot == "") })
}

// find returns the latest refusals that match, at most so many, the latest first.
func (rs *refusals) find(most int, match func(*Refusal) bool) (found []Refusal) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for i := len(rs.list) - 1; i >= 0 && len(found) < most; i-- {
		if match(&rs.list[i]) {
			found = append(found, rs.list[i])
		}
	}
	return found
}

// RefusalsOf returns the last refusals, the latest first: of bots that gave this name, if it is not
// empty, and of those whose hello came from the same machine as the request and was not understood.
func (s *Server) RefusalsOf(bot string, from netip.Addr, most int) []Refusal {
	return s.refusals.find(most, func(r *Refusal) bool {
		return r.Bot != "" && r.Bot == bot || r.Bot == "" && from.IsValid() && r.from == from
	})
}

// Refusals returns the last refusals of all bots, the latest first.
func (s *Server) Refusals(most int) []Refusal {
	return s.refusals.find(most, func(*Refusal) bool { return true })
}
