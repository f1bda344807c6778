package botcmd

import (
	"fmt"
	"testing"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/players/ntuple"
	"versus2048/protocol"
	"versus2048/rules"
)

// A bot that is refused for good has an exit code of its own. The arena may admit a bot later whose name is in use.
func TestRefusedForGood(t *testing.T) {
	for code, want := range map[protocol.Code]int{protocol.BadToken: cmdline.Refused, protocol.TokenRequired: cmdline.Refused, protocol.NameInUse: cmdline.Failed} {
		join := cli.Command{Name: "join", Action: func(c *cli.Context) error {
			return ended(c.Context, fmt.Errorf("joining: %w", &protocol.RefusedError{Code: code}))
		}}
		app := &cli.App{Name: "bot", Commands: []*cli.Command{&join}}
		if got := cmdline.Run(t.Context(), app, []string{"bot", "join"}, t.Output()); got != want {
			t.Errorf("%s: exit code %d, want %d", code, got, want)
		}
	}
}

// A bot that has been warmed unpacks nothing in the time of its first move.
func TestWarm(t *testing.T) {
	spec, err := players.Parse("champion:time=1")
	if err != nil {
		t.Fatal(err)
	}
	warm(spec)
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		took := testkit.Allocated(func() {
			if _, err := spec.New(players.Game{Seed: 1}).Choose(t.Context(), rules.NewPosition(r, rules.Full)); err != nil {
				t.Fatal(err)
			}
		})
		if network := uint64(2 * ntuple.Own(r).Structure().Weights()); took >= network {
			t.Errorf("%v: the first move took %d bytes, its network has %d", r, took, network)
		}
	}
}
