package tournament

import "versus2048/rules"

// seedBits keeps seeds exact where numbers are floating point, as in JSON.
const seedBits = 53

// gameSeed is the seed of one side in one leg of a match, derived from the
// event's seed alone, so that an event can be played again game by game. Where
// chance places the tiles, both legs of a match meet the same chance.
func gameSeed(e Event, match, leg int, side rules.Side) uint64 {
	if e.Rules.Chance() && side == rules.Attacker {
		leg = 0
	}
	x := e.Seed
	for _, part := range []uint64{uint64(match), uint64(leg), uint64(side)} {
		x = mix(x + part)
	}
	return x >> (64 - seedBits)
}

// mix is the output function of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
