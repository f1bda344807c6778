package experiment

import (
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/rules"
)

// Every variant differs from MCTS2 or from scaled in the options listed here and in no others.
func TestVariantsChangeOneThing(t *testing.T) {
	changes := map[string]string{
		"canonical": "canonical", "reuse": "reuse",
		"scaled": "", "edges": "backup", "minimax": "backup", "leaf2": "leaf", "leaf4": "leaf",
		"corner": "policy", "merge": "policy", "duel": "policy", "cutoff": "slides",
		"evaluated": "c expand slides", "log": "reward", "rank": "reward",
		"plus": "c expand canonical backup slides",
	}
	bases := map[string]string{"dag": fullSpec("dag:time=7"), "mctsplus": fullSpec("mctsplus:time=7," + scaled)}
	for _, v := range Variants() {
		spec := fullSpec(v.spec(7))
		if got := strings.Join(changedOptions(bases[v.kind], spec), " "); got != changes[v.Name] {
			t.Errorf("%s changes %q, want %q: %s", v.Name, got, changes[v.Name], spec)
		}
		if v.Change == "" || len(v.Name) > 10 {
			t.Errorf("variant %+v: want a change and a short name", v)
		}
	}
	if len(Variants()) != len(changes) {
		t.Errorf("%d variants, want %d", len(Variants()), len(changes))
	}
}

// changedOptions returns the names of the options with different values in two full specs of the same kind.
func changedOptions(a, b string) (names []string) {
	other := strings.Split(b, ",")
	for i, setting := range strings.Split(a, ",") {
		if setting != other[i] {
			name, _, _ := strings.Cut(setting, "=")
			names = append(names, name)
		}
	}
	return names
}

// Scaled differs from MCTS2 only in c: with a c of 0 both play the same game.
func TestScaledEqualsMCTS2WithoutC(t *testing.T) {
	const budget = "playouts=60,"
	if a, b := play(t, "mctsplus:"+budget+with(scaled, "c=0")), play(t, "dag:"+budget+"c=0"); a != b {
		t.Errorf("mctsplus plays %s\nMCTS2 plays    %s", a, b)
	}
	if a, b := play(t, "mctsplus:"+budget+scaled), play(t, "dag:"+budget+"c=0"); a == b {
		t.Error("with a c of 200% it plays the same")
	}
}

// play returns the moves of a bot's game against itself.
func play(t *testing.T, text string) string {
	t.Helper()
	spec, err := players.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	bot, moves := spec.New(players.Game{Seed: 3}), ""
	for p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3}); !p.Over(); {
		move, err := bot.Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		moves += " " + move.String()
		p = p.Next(move)
	}
	return moves
}

func TestVariantsNamed(t *testing.T) {
	if all, err := VariantsNamed(nil); err != nil || len(all) != len(Variants()) {
		t.Errorf("no name: %d variants, %v", len(all), err)
	}
	two, err := VariantsNamed([]string{"plus", "edges", "plus"})
	if err != nil || len(two) != 2 || two[0].Name != "edges" || two[1].Name != "plus" {
		t.Errorf("two names, one of them twice: %+v, %v", two, err)
	}
	if _, err := VariantsNamed([]string{"edges", "thinking"}); err == nil || !strings.Contains(err.Error(), `"thinking": want canonical, reuse,`) {
		t.Errorf("an unknown name: %v", err)
	}
}
