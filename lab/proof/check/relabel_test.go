package check_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"versus2048/lab/proof/check"
	"versus2048/lab/retrograde"
	"versus2048/players/certificate"
	"versus2048/players/exact"
	"versus2048/rules"
)

// reasons are all reasons to refuse a certificate.
var reasons = []error{
	check.ErrDamaged, check.ErrTruncated, check.ErrClaim, check.ErrOrder, check.ErrPosition, check.ErrMove, check.ErrUncovered,
}

// relabelled gives a certificate another first line, and a checksum that fits it.
func relabelled(file []byte, h certificate.Header) []byte {
	body := file[bytes.IndexByte(file, '\n') : len(file)-sha256.Size]
	other := append([]byte("versus2048 certificate 1 "+h.String()), body...)
	sum := sha256.Sum256(other)
	return append(other, sum[:]...)
}

// A sound certificate under the name of a claim that is false is refused: with other rules, another
// size, another side or another score. The scores under perfect play say which claims are false.
func TestFalseClaims(t *testing.T) {
	values := map[rules.Ruleset]map[rules.Size]int{rules.GPCC2015: {}, rules.GPCC2016: {}}
	tables := map[certificate.Header]*exact.Table{}
	for r := range values {
		for _, s := range []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}, {Width: 2, Height: 3}} {
			solution, err := retrograde.Solve(t.Context(), r, s, nil)
			if err != nil {
				t.Fatal(err)
			}
			value, _ := solution.Gain(0)
			values[r][s] = int(value)
			tables[certificate.Header{Rules: r, Size: s, Claimant: rules.Defender, Score: int(value)}] = solution.Table
			tables[certificate.Header{Rules: r, Size: s, Claimant: rules.Attacker, Score: int(value) + 4}] = solution.Table
		}
	}
	tried := 0
	for from, table := range tables {
		file := write(t, from, solved(t, table, from))
		if again := relabelled(file, from); !bytes.Equal(again, file) {
			t.Fatal("a certificate under its own name differs")
		}
		for to := range falseClaims(values) {
			tried++
			if _, err := check.File(t.Context(), bytes.NewReader(relabelled(file, to)), 2, nil); !isReason(err) {
				t.Errorf("the certificate of %v as %v: %v", from, to, err)
			}
		}
	}
	if want := 12 * 6 * 6; tried != want {
		t.Errorf("%d false claims were tried, want %d", tried, want)
	}
}

// falseClaims returns false claims of both sides about each game: next to the value, and further away.
func falseClaims(values map[rules.Ruleset]map[rules.Size]int) map[certificate.Header]bool {
	claims := map[certificate.Header]bool{}
	for r, sizes := range values {
		for s, value := range sizes {
			for _, score := range []int{value + 4, value + 8, 2*value + 8} {
				claims[certificate.Header{Rules: r, Size: s, Claimant: rules.Defender, Score: score}] = true
			}
			for _, score := range []int{value, value - 3, value/2 + 2} {
				claims[certificate.Header{Rules: r, Size: s, Claimant: rules.Attacker, Score: score}] = true
			}
		}
	}
	return claims
}

func isReason(err error) bool {
	for _, reason := range reasons {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}

// Under gpcc2015 the list says nothing of gains. A score that is too high by one unit fails where the defender does not
// reach it, and a score that is too low fails at a board that has it.
func TestHigherScoreIsUncovered(t *testing.T) {
	size := rules.Size{Width: 3, Height: 2}
	solution, err := retrograde.Solve(t.Context(), rules.GPCC2015, size, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := certificate.Header{Rules: rules.GPCC2015, Size: size, Claimant: rules.Defender, Score: 516}
	file := write(t, h, solved(t, solution.Table, h))
	h.Score = 520
	refused(t, fmt.Sprint("the list of 516 as ", h), relabelled(file, h), check.ErrUncovered)
	h.Claimant, h.Score = rules.Attacker, 520
	file = write(t, h, solved(t, solution.Table, h))
	h.Score = 516 // the last board of the list has this score already
	refused(t, fmt.Sprint("the list of below 520 as ", h), relabelled(file, h), check.ErrPosition)
}
