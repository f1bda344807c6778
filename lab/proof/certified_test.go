//go:build !race

package proof_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/proof"
	"versus2048/lab/proof/check"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// As in single_test.go, there is one thread.

// certified are the games with claims that are proven and checked, with their values from docs/report.md, or
// 0 for a game that is solved here.
var certified = []struct {
	rules rules.Ruleset
	size  string
	value int
}{
	{rules.GPCC2015, "2x2", 0},
	{rules.GPCC2016, "2x2", 0},
	{rules.GPCC2015, "3x2", 0},
	{rules.GPCC2016, "3x2", 0},
	{rules.GPCC2016, "4x2", 0},
	{rules.GPCC2015, "4x2", 3076},
	{rules.GPCC2016, "3x3", 164},
}

// Each claim at the value, 4 below and 4 above is decided as the solved board says: one
// side has a certificate that the checker accepts, and the other side none.
func TestCertifiedClaims(t *testing.T) {
	for _, g := range testkit.Shortened(t, certified, 4) {
		t.Run(fmt.Sprint(g.rules, " ", g.size), func(t *testing.T) {
			if g.value == 0 {
				g.value = value(t, g.rules, g.size)
			}
			p := openMemory(t, proof.Config{Rules: g.rules, Size: parseSize(t, g.size), Memory: 64 << 20, Threads: 1})
			for _, score := range []int{g.value - 4, g.value, g.value + 4} {
				claim, denial := proof.Claim{Score: score, Claimant: rules.Defender}, proof.Claim{Score: score, Claimant: rules.Attacker}
				if score > g.value {
					claim, denial = denial, claim
				}
				if err := p.Extract(t.Context(), denial, nil); !errors.Is(err, proof.ErrRefuted) {
					t.Errorf("%v: %v, want %v", denial, err, proof.ErrRefuted)
				}
				c := certify(t, p, certificate.Header{Rules: g.rules, Size: parseSize(t, g.size), Claimant: claim.Claimant, Score: claim.Score})
				c.accepted(t)
				c.spoil(t)
			}
		})
	}
}

// A certified claim has its positions in the order of the certificate.
type certifiedClaim struct {
	header certificate.Header
	list   []certificate.Covered
}

// certify proves a claim.
func certify(t *testing.T, p *proof.Prover, h certificate.Header) certifiedClaim {
	t.Helper()
	c := certifiedClaim{header: h}
	err := p.Extract(t.Context(), proof.Claim{Score: h.Score, Claimant: h.Claimant}, func(covered certificate.Covered) error {
		c.list = append(c.list, covered)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// file writes the certificate.
func (c certifiedClaim) file(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := certificate.NewWriter(&file, c.header)
	if err != nil {
		t.Fatal(err)
	}
	for _, covered := range c.list {
		if err := w.Write(covered); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func (c certifiedClaim) accepted(t *testing.T) {
	t.Helper()
	file := c.file(t)
	result, err := check.File(t.Context(), bytes.NewReader(file), 2, nil)
	if err != nil || result.Positions != len(c.list) || len(c.list) == 0 {
		t.Fatalf("%v: %d positions checked, %v, want %d", c.header, result.Positions, err, len(c.list))
	}
	t.Logf("%v: %d positions, %d bytes", c.header, len(c.list), len(file))
}

// spoil changes one position at a time: it goes, its gain becomes easier, or the attacker places elsewhere. The
// checker must agree with the check of this package, and give the reason that a position does not follow. A bit
// that is flipped is always refused.
func (c certifiedClaim) spoil(t *testing.T) {
	t.Helper()
	refused := map[string]int{}
	samples := 8
	if len(c.list) > 10_000 {
		samples = 1 // each costs a check of the whole
	}
	for i := len(c.list) / 20; i < len(c.list); i += len(c.list)/samples + 1 {
		if i == 0 {
			continue // without the start it would not be written
		}
		refused["gone"] += c.verdict(t, i, slices.Delete(slices.Clone(c.list), i, i+1))
		if c.header.Rules.Fours() {
			refused["easier"] += c.easier(t, i)
		}
		if c.header.Claimant == rules.Attacker {
			refused["elsewhere"] += c.elsewhere(t, i)
		}
	}
	for what, n := range refused {
		if n == 0 && len(c.list) > 50 && samples > 1 {
			t.Errorf("%v: every certificate with a position %s is accepted", c.header, what)
		}
	}
	c.flip(t)
}

// easier weakens the claim about one position.
func (c certifiedClaim) easier(t *testing.T, i int) int {
	t.Helper()
	list := slices.Clone(c.list)
	if c.header.Claimant == rules.Attacker {
		list[i].Gain += 4
	} else if list[i].Gain -= 4; list[i].Gain == 0 {
		return 0
	}
	return c.verdict(t, i, list)
}

// elsewhere tries other legal placements in one position: all, or three in a long list.
func (c certifiedClaim) elsewhere(t *testing.T, i int) (refused int) {
	t.Helper()
	tried := 0
	for cell := range 16 {
		for _, four := range []bool{false, true} {
			move := rules.Place(cell, four)
			if c.list[i].Board.Empty(c.header.Size)>>(4*cell)&1 == 0 || four && !c.header.Rules.Fours() || move == c.list[i].Move {
				continue
			}
			if tried++; tried > 3 && len(c.list) > 1000 {
				return refused
			}
			list := slices.Clone(c.list)
			list[i].Move = move
			refused += c.verdict(t, i, list)
		}
	}
	return refused
}

// verdict compares both checks of a list that differs in one position. It returns 1 if the
// list is refused.
func (c certifiedClaim) verdict(t *testing.T, i int, list []certificate.Covered) int {
	t.Helper()
	all := map[rules.Board]certificate.Covered{}
	for _, covered := range list {
		all[covered.Board] = covered
	}
	sound := true
	changed := c.list[i].Board
	for _, covered := range list { // the others follow from the same positions as before
		if sum := changed.Sum() - covered.Board.Sum(); sum >= 0 && sum <= 4 {
			sound = sound && holds(all, c.header.Rules, c.header.Size, c.header.Claimant, covered)
		}
	}
	_, err := check.File(t.Context(), bytes.NewReader(certifiedClaim{c.header, list}.file(t)), 2, nil)
	switch {
	case sound && err != nil, !sound && !errors.Is(err, check.ErrUncovered):
		t.Errorf("%v, position %d of %d: %v; it is sound: %v", c.header, i, len(list), err, sound)
	case !sound:
		return 1
	}
	return 0
}

// flip flips a bit in each byte of the first line, here and there among the positions, and
// at both ends of the checksum, where the reason is that the file is damaged.
func (c certifiedClaim) flip(t *testing.T) {
	t.Helper()
	file := c.file(t)
	line := bytes.IndexByte(file, '\n')
	var places []int
	for i := range line {
		places = append(places, i)
	}
	for i := range 4 {
		places = append(places, line+1+i*(len(file)-line-34)/4)
	}
	for _, i := range append(places, len(file)-32, len(file)-1) {
		bad := slices.Clone(file)
		bad[i] ^= 1 << (i % 8)
		_, err := check.File(t.Context(), bytes.NewReader(bad), 2, nil)
		if err == nil || i >= len(file)-32 && !errors.Is(err, check.ErrDamaged) {
			t.Errorf("%v, with a bit of byte %d of %d flipped: %v", c.header, i, len(file), err)
		}
	}
}
