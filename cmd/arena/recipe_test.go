package main

import (
	"reflect"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
	"versus2048/tournament/recipe"
)

// recipes are events that use every setting.
func recipes() map[string]tournament.Event {
	plain := tournament.Event{
		Name: "ann, bob", Rules: rules.GPCC2015, Size: rules.Full, Seed: 1, Matches: 10, Concurrency: 2,
		Entries: []tournament.Entry{{Name: "ann", Spec: "greedy:seed=0"}, {Name: "bob"}}, Clock: tournament.Clock{PerMove: 5 * time.Second},
	}
	all := plain
	all.Name, all.Rules, all.Size, all.Seed, all.Search, all.InProcess = "it's \"a\" \\ test\n", rules.GPCC2016, rules.Size{Width: 3, Height: 4}, 7, true, true
	all.Clock = tournament.Clock{Base: time.Minute, Increment: 100 * time.Millisecond}
	all.Settings = tournament.Settings{
		Plan:         tournament.Plan{Kind: "swiss", Rounds: 3},
		Budget:       players.Effort{Playouts: 100, Nodes: 1000},
		Lenience:     tournament.Lenience{Margin: tournament.Millis(10 * time.Millisecond), Lag: tournament.Millis(20 * time.Millisecond)},
		Adjudication: tournament.Adjudication{MaxTurns: 100, MaxTile: 512, EarlyDecision: true, Resign: true},
		Strikes:      tournament.Strikes{Faults: 3, Games: tournament.VoidGames},
		Absent:       tournament.Millis(90 * time.Second),
	}
	test := plain
	test.Matches = 0
	test.Settings.Plan = tournament.Plan{Kind: "sprt", Ahead: 4, SPRT: rating.SPRT{Elo0: -1.5, Elo1: 5, Alpha: 0.1, Beta: 0.05, Model: rating.Logistic}}
	test.Settings.Openings.Source = "random:plies=4,seed=3"
	named := plain
	named.Name = "true"
	return map[string]tournament.Event{"plain": plain, "all": all, "sprt": test, "named true": named}
}

// The command line and the config file of an event are read as that event.
func TestRecipes(t *testing.T) {
	t.Parallel()
	for name, want := range recipes() {
		if source := want.Settings.Openings.Source; source != "" {
			starts, err := recipe.LoadOpenings(source, recipe.Variant{Rules: want.Rules, Size: want.Size})
			if err != nil {
				t.Fatal(err)
			}
			want.Settings.Openings = tournament.NewOpenings(source, starts)
		}
		got, problem := configured(t, recipe.TOML(want))
		if problem != "" || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the file\n%s\nis read as %+v, want %+v: %s", name, recipe.TOML(want), got, want, problem)
		}
		got, problem = eventOf(t, shellWords(t, recipe.Command(want, ""))[3:]...)
		asked := want
		asked.Entries, asked.Bots = nil, []string{"ann=greedy:seed=0", "bob"}
		if problem != "" || !reflect.DeepEqual(got, asked) {
			t.Errorf("%s: the command\n%s\nis read as %+v, want %+v: %s", name, recipe.Command(want, ""), got, asked, problem)
		}
	}
}

// shellWords splits a command line as a shell does. It knows only the quotes of recipe.Quote.
func shellWords(t *testing.T, line string) (words []string) {
	t.Helper()
	word, quoted, begun := "", false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted, begun = !quoted, true
		case c == '\\' && !quoted:
			i++
			word += string(line[i])
		case c == ' ' && !quoted:
			words, word, begun = append(words, word), "", false
		default:
			word, begun = word+string(c), true
		}
	}
	if quoted {
		t.Fatalf("the quotes of %s do not end", line)
	}
	if begun {
		words = append(words, word)
	}
	return words
}
