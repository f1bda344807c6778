package chore

import (
	"fmt"
	"math"

	"versus2048/players/puct"
	"versus2048/rules"
)

// SelfPlaySettings describe the games to play, and how to play them.
type SelfPlaySettings struct {
	Rules       rules.Ruleset
	Size        rules.Size
	Games       int // number of games
	First       int // number of the first game; games with other numbers differ, and all numbers are below 2^31
	Seed        uint64
	Opening     int // the greatest number of random plies at the start of a game
	Warm        int // plies with temperature, the opening included; after them the most visited move is played
	Search      puct.Config
	Simulations int // of a search

	Together int // games at once in a thread: the size of its batches
	Threads  int
}

// SelfPlayDefaults returns the published settings of Silver et al. 2018: noise of 25 %, and a temperature of 1 for all
// plies. Their alpha is larger in games with fewer legal moves. Here it is 1. The other settings are this project's.
func SelfPlayDefaults(r rules.Ruleset, s rules.Size) SelfPlaySettings {
	c := puct.Defaults()
	c.Noise, c.Temperature, c.Alpha = 0.25, 1, 1
	return SelfPlaySettings{Rules: r, Size: s, Games: 1, Seed: 1, Opening: 2 * s.Cells(), Warm: 1 << 20, Search: c, Simulations: 50, Together: 64, Threads: 1}
}

// The limits of settings.
const (
	mostSimulations = 1<<16 - 1 // visits are written with 16 bits
	mostGames       = 10_000_000
	mostTogether    = 4096
	mostThreads     = 256
)

// Validate returns an error for settings that allow no games.
func (s SelfPlaySettings) Validate() error {
	switch {
	case s.Rules.Chance():
		return fmt.Errorf("rules %v: want gpcc2015 or gpcc2016, where both sides choose", s.Rules)
	case s.Games < 1 || s.Games > mostGames:
		return fmt.Errorf("%d games: want 1 to %d", s.Games, mostGames)
	case s.First < 0 || s.First > math.MaxInt32-s.Games: // a file has numbers of 32 bits
		return fmt.Errorf("first game %d: want 0 to %d for %d games", s.First, math.MaxInt32-s.Games, s.Games)
	case s.Opening < 0:
		return fmt.Errorf("opening of %d plies: want 0 or more", s.Opening)
	case s.Warm < 0:
		return fmt.Errorf("temperature for %d plies: want 0 or more", s.Warm)
	case s.Simulations < 1 || s.Simulations > mostSimulations:
		return fmt.Errorf("%d simulations: want 1 to %d", s.Simulations, mostSimulations)
	case s.Together < 1 || s.Together > mostTogether:
		return fmt.Errorf("%d games together: want 1 to %d", s.Together, mostTogether)
	case s.Threads < 1 || s.Threads > mostThreads:
		return fmt.Errorf("%d threads: want 1 to %d", s.Threads, mostThreads)
	case !(s.Search.Noise >= 0 && s.Search.Noise <= 1):
		return fmt.Errorf("noise %v: want 0 to 1", s.Search.Noise)
	case !(s.Search.Alpha > 0 && s.Search.Alpha <= 100):
		return fmt.Errorf("alpha %v: want more than 0, and at most 100", s.Search.Alpha)
	case !(s.Search.Temperature >= 0 && s.Search.Temperature <= 100):
		return fmt.Errorf("temperature %v: want 0 to 100", s.Search.Temperature)
	}
	return nil
}
