package format

import (
	"fmt"
	"iter"

	"versus2048/tournament"
)

// gauntletKind describes the format with seeds, the first entries. Each seed meets every bot that
// is not a seed. There are no other matches. Bots are ranked by the fraction of the available
// points that they have made, since seeds play more matches than the others. Bots with equal
// fractions are ranked by margin.
func gauntletKind() kind {
	return kind{
		name:    tournament.Gauntlet,
		matches: 10,
		most:    tournament.MaxMatches,
		check: func(p tournament.Plan, bots int) error {
			if p.Seeds < 0 || p.Seeds >= bots {
				return fmt.Errorf("%d seeds of %d bots: want at least 1 seed and 1 opponent", p.Seeds, bots)
			}
			return nil
		},
		create: func(e tournament.Event) tournament.Format {
			seeds := max(1, e.Settings.Plan.Seeds)
			return newLeague(e, tournament.Gauntlet, "share", byShare, challenges{seeds, len(e.Entries) - seeds})
		},
	}
}

// challenges arranges the pairs of a gauntlet: in the rounds of a cycle every seed meets each opponent once.
type challenges struct{ seeds, others int }

func (c challenges) size() (rounds, tables int) { return c.others, c.seeds }

// bots returns a seed and its opponent in their order. A seed comes first against every second opponent, so that each
// bot comes first about as often as second, even if the number of matches is odd.
func (c challenges) bots(round, table int) (first, second int) {
	other := (round + table) % c.others
	if (table+other)%2 == 1 {
		return c.seeds + other, table
	}
	return table, c.seeds + other
}

// tablesOf yields the tables of a bot in a round. A seed has one table. Any other bot has the tables of
// the seeds that it meets.
func (c challenges) tablesOf(round, bot int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if bot < c.seeds {
			yield(bot)
			return
		}
		other := bot - c.seeds
		for seed := (other - round + c.others) % c.others; seed < c.seeds && yield(seed); {
			seed += c.others
		}
	}
}
