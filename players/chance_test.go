package players

import (
	"fmt"
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestChance draws one placement in each of many games, whose seeds are
// neighbours: cells must come up evenly, and one 4 in ten where there are 4s.
func TestChance(t *testing.T) {
	fours := map[rules.Ruleset]float64{rules.GPCC2015: 0, rules.GPCC2016: 0.1, rules.Solo: 0.1}
	for r, share := range fours {
		p := searchtest.Position(t, r, "2,0,4/0,0,8 A")
		var four searchtest.Sample
		cells := map[int]*searchtest.Sample{1: {}, 4: {}, 5: {}}
		for seed := range uint64(5000) {
			m, err := Chance(seed).Choose(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			four.Count(m.IsFour())
			for c, s := range cells {
				s.Count(c == m.Cell())
			}
		}
		four.Near(t, r.String()+", share of 4s", share)
		for c, s := range cells {
			s.Near(t, fmt.Sprintf("%v, share of cell %d", r, c), 1.0/3)
		}
	}
}

// TestChanceIsTheBot checks that a recorded spec "chance" draws what Chance does.
func TestChanceIsTheBot(t *testing.T) {
	bot := mustParse(t, "chance")
	p := rules.NewPosition(rules.Solo, rules.Full)
	for seed := range uint64(20) {
		want, _ := Chance(seed).Choose(t.Context(), p)
		if got, err := bot.New(seed).Choose(t.Context(), p); got != want || err != nil {
			t.Errorf("seed %d: the bot plays %v (%v), Chance %v", seed, got, err, want)
		}
	}
}

func TestGameOver(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, "2,4/4,2 D")
	if m, err := Chance(1).Choose(t.Context(), p); err == nil {
		t.Errorf("chose %v in a game that is over", m)
	}
}
