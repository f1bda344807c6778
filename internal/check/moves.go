package check

import (
	"context"

	"versus2048/rules"
)

// movesInGames is the check that fails for an illegal move in its own games or in the games of most other checks.
// Checks of single positions count their own illegal moves.
const movesInGames = "moves.in-games"

// moveChecks are about the rules of the game.
func moveChecks() []Check {
	return []Check{
		{
			ID: "moves.defender", Level: Must, Media: Both, run: inPositions(defences),
			Demand: "Slides legally in random positions under all rules and on boards of all sizes.",
		},
		{
			ID: "moves.attacker", Level: Must, Media: Both, run: inPositions(attacks),
			Demand: "Places legally in random positions under both rules with an attacker and on boards of all sizes.",
		},
		{
			ID: "moves.merges", Level: Must, Media: Both, run: inPositions(traps),
			Demand: "Slides legally where wrong rules for merging allow other slides.",
		},
		{
			ID: "moves.one-slide", Level: Must, Media: Both, run: inPositions(lasts),
			Demand: "Finds the only legal slide.",
		},
		{
			ID: "moves.one-cell", Level: Must, Media: Both, run: inPositions(singles),
			Demand: "Places on the only empty cell.",
		},
		{
			ID: "moves.huge", Level: Must, Media: Both, run: inPositions(giants),
			Demand: "Knows that two 65536s do not merge.",
		},
		{
			ID: "moves.twos", Level: Must, Media: Both, run: checkTwos,
			Demand: "Places only 2s under gpcc2015.",
		},
		{
			ID: movesInGames, Level: Must, Media: Both, run: checkMovesInGames, illegal: movesInGames,
			Demand: "Moves legally in whole games.",
		},
	}
}

func inPositions(list func() []rules.Position) func(context.Context, *bench) error {
	return func(ctx context.Context, b *bench) error {
		all, err := b.scope.among(list())
		if err != nil {
			return err
		}
		if b.options.brief {
			all = all[:min(2, len(all))]
		}
		return b.positions(ctx, style{}, all)
	}
}

func checkTwos(ctx context.Context, b *bench) error {
	var usual []rules.Position
	for _, p := range attacks() {
		if p.Rules() == rules.GPCC2015 {
			usual = append(usual, p)
		}
	}
	usual, err := b.scope.among(usual)
	if err != nil {
		return err
	}
	return b.positions(ctx, style{}, usual[:min(20, len(usual))])
}

func checkMovesInGames(ctx context.Context, b *bench) error {
	for _, setting := range []struct {
		rules rules.Ruleset
		size  rules.Size
		role  rules.Side
	}{
		{rules.GPCC2015, rules.Size{Width: 3, Height: 3}, rules.Attacker},
		{rules.GPCC2016, rules.Size{Width: 3, Height: 3}, rules.Defender},
		{rules.GPCC2016, rules.Size{Width: 2, Height: 4}, rules.Attacker},
		{rules.Solo, rules.Size{Width: 4, Height: 3}, rules.Defender},
	} {
		start, plies := b.scope.game(setting.rules, setting.size)
		if _, err := b.someGame(ctx, start, b.scope.side(setting.role), plies, nil); err != nil {
			return err
		}
	}
	return nil
}
