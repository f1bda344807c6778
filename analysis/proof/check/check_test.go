package check_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	"versus2048/analysis/exact"
	"versus2048/analysis/proof/certificate"
	"versus2048/analysis/proof/check"
	"versus2048/rules"
)

// solved makes the list that proves a claim from the exact values: of the moves that keep
// the claim, the first. It returns nil if the table says that the claim is wrong.
func solved(t *testing.T, table *exact.Table, h certificate.Header) []certificate.Covered {
	t.Helper()
	gain := func(b rules.Board) int {
		points, ok := table.Gain(b)
		if !ok {
			t.Fatalf("board %x is not in the table", uint64(b))
		}
		return int(points)
	}
	goal := (h.Score + 3) / 4 * 4
	keeps := func(b rules.Board, g int) bool { return (gain(b) >= g) == (h.Claimant == rules.Defender) }
	if !keeps(0, goal) {
		return nil
	}
	needs := map[int]map[rules.Board]int{0: {0: goal}}
	need := func(b rules.Board, g int) {
		if needs[b.Sum()] == nil {
			needs[b.Sum()] = map[rules.Board]int{}
		}
		old, ok := needs[b.Sum()][b]
		if !ok || (g > old) == (h.Claimant == rules.Defender) {
			needs[b.Sum()][b] = g
		}
	}
	var list []certificate.Covered
	for sum := 0; len(needs) > 0; sum += 2 {
		for b, g := range needs[sum] {
			list = append(list, certificate.Covered{Board: b, Gain: g, Move: expand(h, b, g, keeps, need)})
		}
		delete(needs, sum)
	}
	slices.SortFunc(list, func(a, b certificate.Covered) int {
		return cmp.Or(cmp.Compare(a.Board.Sum(), b.Board.Sum()), cmp.Compare(a.Board, b.Board))
	})
	return list
}

// expand needs what a position rests on, and returns the attacker's move.
func expand(h certificate.Header, b rules.Board, g int, keeps func(rules.Board, int) bool, need func(rules.Board, int)) rules.Move {
	for i := range 16 {
		for k := 1; k <= 2 && b.Empty(h.Size)>>(4*i)&1 == 1 && (k == 1 || h.Rules.Fours()); k++ {
			slides := map[rules.Board]int{}
			good := 0
			placed := b.With(i, k)
			for _, m := range []rules.Move{rules.North, rules.South, rules.West, rules.East} {
				after := placed.Slide(h.Size, m)
				if after == placed {
					continue
				}
				rest := g - after.Potential() + placed.Potential()
				after = after.Canonical(h.Size)
				slides[after] = rest
				if h.Claimant == rules.Defender && (rest <= 0 || keeps(after, rest)) {
					if rest > 0 {
						need(after, rest)
					}
					break
				}
				if rest > 0 && keeps(after, rest) {
					good++
					continue
				}
				good = -8
			}
			if h.Claimant == rules.Attacker && good >= 0 {
				for after, rest := range slides {
					need(after, rest)
				}
				return rules.Place(i, k == 2)
			}
		}
	}
	return 0
}

func write(t *testing.T, h certificate.Header, list []certificate.Covered) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := certificate.NewWriter(&file, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestClaimsAtTheValue(t *testing.T) {
	for _, size := range []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}, {Width: 4, Height: 2}} {
		for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
			solution, err := exact.Solve(t.Context(), r, size, nil)
			if err != nil {
				t.Fatal(err)
			}
			value, _ := solution.Gain(0)
			for _, h := range []certificate.Header{
				{Rules: r, Size: size, Claimant: rules.Defender, Score: int(value)},
				{Rules: r, Size: size, Claimant: rules.Defender, Score: int(value) - 4},
				{Rules: r, Size: size, Claimant: rules.Attacker, Score: int(value) + 4},
				{Rules: r, Size: size, Claimant: rules.Attacker, Score: int(value) + 8},
			} {
				t.Run(h.String(), func(t *testing.T) { testCertificate(t, solution.Table, h) })
			}
		}
	}
}

func testCertificate(t *testing.T, table *exact.Table, h certificate.Header) {
	list := solved(t, table, h)
	file := write(t, h, list)
	result, err := check.File(bytes.NewReader(file), nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.Positions != len(list) {
		t.Errorf("%d positions were checked, want %d", result.Positions, len(list))
	}
	t.Logf("%d positions, %d bytes", len(list), len(file))
	stride := max(1, len(list)/25)
	for i := 1; i < len(list); i += stride {
		shorter := slices.Delete(slices.Clone(list), i, i+1)
		refused(t, fmt.Sprintf("without position %d", i), write(t, h, shorter), check.ErrUncovered)
	}
	for i := 0; i < len(file); i += max(1, len(file)/200) {
		bad := slices.Clone(file)
		bad[i] ^= 1 << (i % 8)
		if _, err := check.File(bytes.NewReader(bad), nil); err == nil {
			t.Errorf("with bit %d of byte %d flipped it is accepted", i%8, i)
		}
		refused(t, fmt.Sprintf("cut after %d bytes", i), file[:i], check.ErrTruncated)
	}
	bad := slices.Clone(file)
	bad[len(bad)-1] ^= 1
	refused(t, "a wrong checksum", bad, check.ErrDamaged)
	refused(t, "something after the end", append(slices.Clone(file), 0), check.ErrDamaged)
}

func refused(t *testing.T, what string, file []byte, reason error) {
	t.Helper()
	if _, err := check.File(bytes.NewReader(file), nil); !errors.Is(err, reason) {
		t.Errorf("%s: %v, want %v", what, err, reason)
	}
}
