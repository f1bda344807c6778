package players

import (
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestAttackNetwork reads the network that the champion attacks with.
func TestAttackNetwork(t *testing.T) {
	n := attackNetwork()
	if n.Size() != rules.Full || n.Rules() != rules.GPCC2015 {
		t.Errorf("a network for %v under %v", n.Size(), n.Rules())
	}
	easy := searchtest.Position(t, rules.GPCC2015, "64,32,16,8/0,0,0,4/0,0,0,2/0,0,0,0 A").Board()
	hard := searchtest.Position(t, rules.GPCC2015, "2,64,4,8/32,4,16,2/4,16,0,8/2,8,4,2 A").Board()
	if n.Of(easy) <= n.Of(hard) {
		t.Errorf("an easy board is worth %d, one that is nearly mated %d", n.Of(easy), n.Of(hard))
	}
	if bytes := 2 * uint64(n.Structure().Weights()); bytes > attackBytes {
		t.Errorf("the weights have %d bytes", bytes)
	}
}

// TestByRole checks for which positions the champion uses its network.
func TestByRole(t *testing.T) {
	champion := &byRole{usual: new(paced), attack: new(paced)}
	for _, game := range []struct {
		rules   rules.Ruleset
		text    string
		attacks bool
	}{
		{rules.GPCC2015, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 A", true},
		{rules.GPCC2015, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 D", false},
		{rules.GPCC2016, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 A", false},
		{rules.Solo, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 A", false},
		{rules.GPCC2015, "2,0,0/0,0,0/0,0,2 A", false},
	} {
		p := searchtest.Position(t, game.rules, game.text)
		if got := champion.of(p) == champion.attack; got != game.attacks {
			t.Errorf("%v: the network is used: %v", p, got)
		}
	}
}
