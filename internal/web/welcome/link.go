package welcome

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"versus2048/internal/web/analysis"
	"versus2048/rules"
)

// mostBeat is the largest score to beat. No game has more points: a 65536 is worth at most 15 times its number, and it
// never merges.
const mostBeat = 16 * 15 * 65536

// CheckLink returns an error that names the first wrong part of a link to a game, such as /play?level=club&beat=200.
func CheckLink(asked url.Values) error {
	for _, check := range []func(url.Values) error{checkLevel, checkRole, checkRules, checkSize, checkBeat, checkPosition} {
		if err := check(asked); err != nil {
			return err
		}
	}
	return nil
}

func checkLevel(asked url.Values) error {
	name := asked.Get("level")
	if name == "" || slices.ContainsFunc(Levels(), func(l Level) bool { return l.Name == name }) {
		return nil
	}
	return fmt.Errorf("level %.40q: want beginner, club or champion", name)
}

func checkRole(asked url.Values) error {
	switch role := asked.Get("role"); {
	case !slices.Contains([]string{"", "attacker", "defender"}, role):
		return fmt.Errorf("role %.40q: want attacker or defender", role)
	case role == "attacker" && asked.Get("rules") == rules.Solo.String():
		return errors.New("role: under solo chance attacks, and you defend")
	}
	return nil
}

func checkRules(asked url.Values) (err error) {
	if name := asked.Get("rules"); name != "" {
		_, err = rules.ParseRuleset(name)
	}
	return err
}

func checkSize(asked url.Values) (err error) {
	if size := asked.Get("size"); size != "" {
		_, err = rules.ParseSize(size)
	}
	return err
}

// checkBeat checks the score to beat. An attacker stays below it, and nobody has fewer than 0 points.
func checkBeat(asked url.Values) error {
	text, least := asked.Get("beat"), 0
	if text == "" {
		return nil
	}
	if asked.Get("role") == "attacker" {
		least = 1
	}
	if n, err := strconv.Atoi(text); err != nil || n < least || n > mostBeat {
		return fmt.Errorf("score to beat %.40q: want a whole number from %d to %d", text, least, mostBeat)
	}
	return nil
}

func checkPosition(asked url.Values) error {
	_, err := analysis.PositionIn(asked)
	if problem := (*analysis.Problem)(nil); errors.As(err, &problem) {
		return fmt.Errorf("position %.80q: %s", asked.Get("position"), problem.Advice)
	}
	return err
}
