package format_test

import (
	"fmt"
	"log"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

func Example() {
	e := tournament.Event{
		Size: rules.Full, Matches: 1, Concurrency: 1,
		Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}, {Name: "cid"}},
	}
	if err := format.Validate(e); err != nil {
		log.Fatal(err)
	}
	f := format.New(e)
	for p, ok := f.Next(tournament.Everyone{}); ok; p, ok = f.Next(tournament.Everyone{}) {
		fmt.Println(p.Match, p.First, p.Second)
	}
	// Output:
	// 1 bob cid
	// 2 ann bob
	// 3 ann cid
}
