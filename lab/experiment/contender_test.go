package experiment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/rules"
)

// needFiles are the kinds that play only from a file, or only on some boards without one.
var needFiles = []string{"perfect", "ntuple", "td", "dqn", "cnn", "ppo", "az", "muzero"}

// Every kind of bot is on the ladder, except for kinds that need a file to play on every board, and every
// search has the time.
func TestContenders(t *testing.T) {
	all := Contenders()
	for _, k := range players.Kinds() {
		i := slices.IndexFunc(all, func(c Contender) bool { return c.Name == k.Name })
		if all := !slices.Contains(needFiles, k.Name); all != (i >= 0) {
			t.Errorf("%s, which plays every game without a file: %v; is on the ladder: %v", k.Name, all, i >= 0)
		}
		if i < 0 {
			continue
		}
		spec, err := players.Parse(all[i].withTime(7))
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
		} else if timed(k) != strings.Contains(spec.String(), "time=7") {
			t.Errorf("%s: with 7 ms: %v", k.Name, spec)
		}
		for _, o := range k.Options {
			if deepest := fmt.Sprintf("depth=%d,", o.Most); o.Name == "depth" && !strings.Contains(spec.String(), deepest) {
				t.Errorf("%s searches less deep than %s: %v", k.Name, deepest, spec)
			}
		}
	}
}

func TestParseContender(t *testing.T) {
	for text, want := range map[string][2]string{
		"evminimax":                   {"evminimax", "evminimax:mate=10000000,time=20"},
		"random":                      {"random", "random"},
		"paper=evminimax:depth=3":     {"paper", "evminimax:depth=3,time=20"},
		"evminimax:depth=3":           {"evminimax:depth=3", "evminimax:depth=3,time=20"},
		"slow=dag:time=50,reuse=true": {"slow", "dag:time=50,reuse=true"},
		"plus=mctsplus":               {"plus", "mctsplus:time=20"},
		"a=greedy:seed=3":             {"a", "greedy:seed=3"},
	} {
		c, err := ParseContender(text)
		if got := [2]string{c.Name, c.withTime(20)}; err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"champ", "a=champ:depth=2", "evminimax:width=2", ""} {
		if c, err := ParseContender(text); err == nil {
			t.Errorf("%q is read as %+v", text, c)
		}
	}
}

// timedSettings returns settings of small events at equal time per move.
func timedSettings() Config {
	return Config{Matches: 2, Time: 5, Size: rules.Size{Width: 3, Height: 3}, Seed: 7, Concurrency: 1, Search: true}
}

func TestTimedEventOutOfRange(t *testing.T) {
	for why, spoil := range map[string]func(*Config){
		"0 milliseconds":          func(s *Config) { s.Time = 0 },
		"under solo rules chance": func(s *Config) { s.Rules = rules.Solo },
		"0 matches a pairing":     func(s *Config) { s.Matches = 0 },
	} {
		s := timedSettings()
		spoil(&s)
		if _, err := StrengthEvent(Contenders(), s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want one that says %q", err, why)
		}
	}
}
