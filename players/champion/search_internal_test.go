package champion

import (
	"testing"

	"versus2048/players/ntuple"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// The champion searches with networks that are for these games.
func TestChampionNetworks(t *testing.T) {
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		n := ntuple.Own(r)
		if n.Size() != rules.Full || n.Rules() != r || !HasNetwork(r, n.Size()) {
			t.Errorf("a network for %v under %v, want %v", n.Size(), n.Rules(), r)
		}
		easy := searchtest.Position(t, r, "64,32,16,8/0,0,0,4/0,0,0,2/0,0,0,0 A").Board()
		hard := searchtest.Position(t, r, "2,64,4,8/32,4,16,2/4,16,0,8/2,8,4,2 A").Board()
		if n.Of(easy) <= n.Of(hard) {
			t.Errorf("%v: an easy board is worth %d, one that is nearly mated %d", r, n.Of(easy), n.Of(hard))
		}
	}
}

// TestByGame checks the settings of the champion's searches in positions.
func TestByGame(t *testing.T) {
	champion := New(Config{Network: ntuple.Own})
	for _, game := range []struct {
		rules rules.Ruleset
		text  string
		want  chooser
	}{
		{rules.GPCC2015, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 A", champion.attack},
		{rules.GPCC2015, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", champion.usual},
		{rules.GPCC2016, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 A", champion.learned},
		{rules.GPCC2016, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", champion.learned},
		{rules.GPCC2016, "2,0,0/0,0,0/0,0,2 A", champion.cramped},
		{rules.GPCC2016, "2,0,0/0,0,0/0,0,2 D", champion.cramped},
		{rules.Solo, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 A", champion.usual},
		{rules.Solo, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", champion.chance},
		{rules.GPCC2015, "2,0,0/0,0,0/0,0,2 A", champion.usual},
	} {
		p := searchtest.Position(t, game.rules, game.text)
		if champion.chooserFor(p) != game.want {
			t.Errorf("%v under %v: another search", p, game.rules)
		}
	}
}
