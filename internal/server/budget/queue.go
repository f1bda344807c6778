package budget

import (
	"net/netip"
	"slices"
)

// queue holds the turns that have not begun, by address. Each address has its turns in the order of their arrival.
type queue struct {
	order  []netip.Prefix // of the addresses that wait, the next one first
	by     map[netip.Prefix][]*Turn
	length int // of all
}

func (q *queue) add(t *Turn) {
	if q.by == nil {
		q.by = map[netip.Prefix][]*Turn{}
	}
	if len(q.by[t.from]) == 0 {
		q.order = append(q.order, t.from)
	}
	q.by[t.from] = append(q.by[t.from], t)
	q.length++
}

// next takes the next turn out of a queue that is not empty.
func (q *queue) next() *Turn {
	from := q.order[0]
	t := q.by[from][0]
	q.remove(t)
	if len(q.by[from]) > 0 { // the others come before its next one
		q.order = append(q.order[1:], from)
	}
	return t
}

// remove takes a turn out of the queue, and reports whether it was there.
func (q *queue) remove(t *Turn) bool {
	i := slices.Index(q.by[t.from], t)
	if i < 0 {
		return false
	}
	q.length--
	q.by[t.from] = slices.Delete(q.by[t.from], i, i+1)
	if len(q.by[t.from]) == 0 {
		delete(q.by, t.from)
		q.order = slices.DeleteFunc(q.order, func(from netip.Prefix) bool { return from == t.from })
	}
	return true
}
