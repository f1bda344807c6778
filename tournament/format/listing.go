package format

import (
	"iter"
	"maps"

	"versus2048/tournament"
)

// list yields unsettled matches of the same two bots, each with its result. The result is nil while the match is
// undecided.
type list = iter.Seq2[tournament.Pairing, *tournament.MatchResult]

// listing is the common part of the formats that list their matches. The lists have matches that are not settled:
// matches that may start, matches in play and decided ones.
type listing struct {
	field
	lists   iter.Seq[list]
	advance func() // settles decided matches, and adds further matches to the lists
}

func (f *listing) SetLineup(e tournament.Event) {
	f.faults.SetLeft(e.Withdrawn())
	f.advance()
}

func (f *listing) Due(name string) bool {
	for l := range f.lists {
		for p, m := range l {
			if m == nil && (p.First == name || p.Second == name) {
				return true
			}
		}
	}
	return false
}

// Next gives out the first match of the lists that can start.
func (f *listing) Next(free tournament.Free) (p tournament.Pairing, ok bool) {
	for l := range f.lists {
		if p, ok := f.next(l, free); ok {
			return p, true
		}
	}
	return p, false
}

// next gives out the first match of a list that can start. A list has the matches of the same two
// bots, so the first one that cannot start ends the search.
func (f *listing) next(matches list, free tournament.Free) (p tournament.Pairing, ok bool) {
	for p, m := range matches {
		if m != nil || f.inPlay[p.Match] {
			continue
		}
		if !free.Match(p) {
			break
		}
		f.inPlay[p.Match] = true
		return p, true
	}
	return p, false
}

// Encounters returns the results of the bots against each other, as far as they count.
func (f *listing) Encounters() []tournament.Encounter {
	unsettled, _ := f.unsettled()
	return f.counting(f.encounters(unsettled))
}

// accounts returns the bots' accounts in all decided matches.
func (f *listing) accounts() map[string]account {
	unsettled, _ := f.unsettled()
	return accounts(maps.Values(f.encounters(unsettled)))
}

// unsettled returns the results of matches that are not settled: of the decided ones, and of undecided ones that are
// walkovers because a bot is set aside. walkovers is the number of these undecided ones.
func (f *listing) unsettled() (matches []tournament.MatchResult, walkovers int) {
	for _, m := range f.pending {
		matches = append(matches, f.counted(m))
	}
	if len(f.SetAside()) == 0 {
		return matches, 0
	}
	for l := range f.lists {
		for p, m := range l {
			if _, decided := f.pending[p.Match]; m != nil && !decided {
				matches = append(matches, *m)
				walkovers++
			}
		}
	}
	return matches, walkovers
}

// total returns the total without the matches that are not played.
func (f *listing) total(t tournament.Total) tournament.Total {
	if f.allPlayed() {
		return t
	}
	_, walkovers := f.unsettled()
	t.Matches = max(0, t.Matches-f.skipped-walkovers)
	if t.Bound == tournament.Exactly && f.undecided() {
		t.Bound = tournament.About // other bots may be set aside
	}
	return t
}

func (f *listing) undecided() bool {
	for l := range f.lists {
		for _, m := range l {
			if m == nil {
				return true
			}
		}
	}
	return false
}
