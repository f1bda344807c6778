// Package format holds the pairing systems of an event: round-robin, gauntlet,
// Swiss, knockout, double elimination, ladder, SPRT and placement.
//
//	e := tournament.Event{
//		Size: rules.Full, Matches: 1, Concurrency: 1,
//		Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}, {Name: "cid"}},
//	}
//	if err := format.Validate(e); err != nil {
//		log.Fatal(err)
//	}
//	f := format.New(e)
//	for p, ok := f.Next(tournament.Everyone{}); ok; p, ok = f.Next(tournament.Everyone{}) {
//		fmt.Println(p.Match, p.First, p.Second)
//	}
//
// [New] makes the format of an event's plan. docs/adr/0012-formats.md describes how each system
// pairs bots, and how it breaks ties.
//
// A new format is one file with a function that returns its kind, and one line in kinds, the list in format.go.
package format
