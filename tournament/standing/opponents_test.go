package standing

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Without a list a newcomer meets the references, which are specs of the registry from weak to strong.
func TestReferences(t *testing.T) {
	e := tournament.Event{Rules: rules.GPCC2015, Size: rules.Full}
	all, rated := Opponents(nil, nil, "me=exec:./me", &e)
	if rated || len(all) != len(references) {
		t.Fatalf("%+v, %v", all, rated)
	}
	for i, o := range all {
		spec, err := players.Parse(o.Bot)
		if err != nil || players.Short(spec.String()) != o.Bot || o.Known != references[i].Known {
			t.Errorf("%+v: %v", o, err)
		}
		if i > 0 && (o.Known.Elo <= all[i-1].Known.Elo || o.Known.Elo-all[i-1].Known.Elo > 350) {
			t.Errorf("%+v comes after %+v", o, all[i-1])
		}
		if o.Bot == "greedy" && o.Known.Elo != 1000 {
			t.Errorf("greedy is %+v, want 1000 as the documents say", o)
		}
	}
	e.Rules = rules.GPCC2016
	if all, _ := Opponents(nil, nil, "greedy:seed=0", &e); len(all) != len(references)-1 || all[0].Known.Deviation != foreignDeviation {
		t.Errorf("a reference meets %+v under other rules", all)
	}
}

// A list that knows only the newcomer rates none of its opponents.
func TestOnlyTheNewcomerIsRated(t *testing.T) {
	l := List{Groups: []Group{{Rows: []Row{{Bot: HostedBot(complete("greedy"))}}}}}
	e := tournament.Event{Rules: rules.GPCC2015, Size: rules.Full}
	for newcomer, want := range map[string]bool{"greedy": false, "me": true} {
		if all, rated := Opponents(&l, nil, newcomer, &e); rated != want {
			t.Errorf("%s meets %+v, rated: %v", newcomer, all, rated)
		}
	}
}

// The list's ratings replace the measured ones, except provisional ratings, bots of other groups,
// and bots that cannot be started.
func TestOpponentsOfTheList(t *testing.T) {
	spec := func(text string) string {
		s, err := players.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return s.String()
	}
	c := NewCollector()
	event := eventOf("greedy="+spec("greedy"), "mcts7="+spec("mcts:playouts=7"), "ann", "zoe", "lost="+spec("random"), "found="+spec("mcts:playouts=9"))
	v := c.Event(event, []tournament.Identity{{Name: "ann", Version: "1"}}, nil)
	for i := range 60 {
		result := 1 - 2*(i/2%2)
		v.Add(match(3*i+1, "greedy", "mcts7", result), Cast{})
		v.Add(match(3*i+2, "mcts7", "ann", 1-2*(i%2)), Cast{})
		if i < 5 {
			v.Add(match(3*i+3, "greedy", "zoe", 1-2*(i%2)), Cast{})
		}
		v.Add(match(1000+i, "lost", "found", 1-2*(i%2)), Cast{})
	}
	v.Close()
	l := listOf(t, c, Defaults())
	connected := []Connected{{"ann", Bot{Name: "ann", Version: "1"}}, {"bob", Bot{Name: "bob"}}, {"zoe", Bot{Name: "zoe"}}}
	all, rated := Opponents(&l, connected, "me", &event)
	var got []string
	for _, o := range all {
		if o.Known.Deviation != math.Round(o.Known.Deviation) {
			got = append(got, o.Bot)
		}
	}
	if want := "[greedy ann mcts:playouts=7]"; fmt.Sprint(got) != want || !rated || len(all) != len(references)+2 {
		t.Errorf("the list knows %v of %+v, want %s", got, all, want)
	}
	if known := all[1].Known; math.Abs(known.Elo-1000) > 100 || known.Deviation < 10 || known.Deviation > 100 {
		t.Errorf("greedy is %+v", known)
	}
	if strings.Contains(fmt.Sprint(all), "playouts=9") {
		t.Errorf("a bot of another group is an opponent: %+v", all)
	}
	if rating.Margin(rating.Deviation(50)) != 25 {
		t.Errorf("an interval of 50 is +/- %v", rating.Margin(rating.Deviation(50)))
	}
}
