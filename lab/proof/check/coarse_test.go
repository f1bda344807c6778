package check_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/proof/check"
	"versus2048/lab/proof/coarse"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// coarseLayers returns the lost coarse boards.
func coarseLayers(t *testing.T, c coarse.Config) (lists []certificate.Layer, r coarse.Result) {
	t.Helper()
	r, err := coarse.Prove(t.Context(), c, func(l certificate.Layer) error {
		lists = append(lists, l)
		return nil
	}, nil)
	if err != nil || !r.Proven {
		t.Fatalf("%+v: %+v, error %v", c, r, err)
	}
	return lists, r
}

func writeCoarse(t *testing.T, c coarse.Config, lists []certificate.Layer) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := coarse.NewWriter(&file, c)
	for _, l := range lists {
		if err == nil && len(l.Boards) > 0 {
			err = w.Write(l)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func coarseConfig(w, h uint8, large, tile int) coarse.Config {
	return coarse.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: w, Height: h}, Large: large, Tile: tile, Threads: 2}
}

func TestCoarseProofs(t *testing.T) {
	for _, c := range testkit.Shortened(t, []coarse.Config{
		coarseConfig(2, 2, 3, 4), coarseConfig(3, 2, 3, 6), coarseConfig(2, 3, 3, 5), coarseConfig(4, 2, 4, 6),
		coarseConfig(4, 2, 3, 8), coarseConfig(3, 3, 4, 8), coarseConfig(3, 3, 3, 9), coarseConfig(3, 3, 4, 7),
	}, 4) {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			lists, r := coarseLayers(t, c)
			sums := 0
			result, err := check.File(t.Context(), bytes.NewReader(writeCoarse(t, c, lists)), 2, func(check.Result) { sums++ })
			if err != nil {
				t.Fatal(err)
			}
			claim := fmt.Sprintf("gpcc2016 %v below %d", c.Size, r.Bound+1)
			if result.Claim != claim || result.From != r.From || int64(result.Positions) != r.AllLost || result.Sum != lists[0].Sum || sums < 3 {
				t.Errorf("checked %+v, want %s and %+v", result, claim, r)
			}
		})
	}
}

// The parts of a check have the boards of the whole check, and a fault is found by the part that has its sum.
func TestCoarseParts(t *testing.T) {
	c := coarseConfig(3, 3, 4, 8)
	lists, _ := coarseLayers(t, c)
	part := func(file []byte, low, high int) (check.Result, error) {
		return check.Part(t.Context(), bytes.NewReader(file), 2, low, high, nil)
	}
	file := writeCoarse(t, c, lists)
	whole, err := part(file, 0, math.MaxInt)
	if err != nil || whole.Checked != 11364 || whole.High != 312 {
		t.Fatalf("%+v, error %v: want all boards", whole, err)
	}
	upper, err := part(file, 250, math.MaxInt)
	lower, wrong := part(file, 0, 248)
	if err != nil || wrong != nil || upper.Checked+lower.Checked != whole.Checked || upper.Checked == 0 || lower.Checked == 0 {
		t.Errorf("%d and %d boards, errors %v and %v: want %d together", upper.Checked, lower.Checked, err, wrong, whole.Checked)
	}
	if upper.Low != 250 || upper.High != 312 || lower.Low != 0 || lower.High != 248 || lower.From != whole.From {
		t.Errorf("parts %+v and %+v of %+v", upper, lower, whole)
	}
	at := slices.IndexFunc(lists, func(l certificate.Layer) bool { return l.Sum == 240 })
	lists[at].Boards = lists[at].Boards[1:]
	file = writeCoarse(t, c, lists)
	if _, err := part(file, 240, 240); !errors.Is(err, check.ErrUncovered) {
		t.Errorf("a board of sum 240 is missing: error %v", err)
	}
	if _, err := part(file, 242, math.MaxInt); err != nil {
		t.Errorf("larger sums: %v", err)
	}
	if _, err := part(file, 314, 400); !errors.Is(err, check.ErrPart) {
		t.Errorf("sums above all: error %v", err)
	}
}

// A certificate without one of its boards is no proof, since all of them are lost. One with another board may be a
// proof.
func TestCoarseMissing(t *testing.T) {
	c := coarseConfig(2, 3, 3, 5)
	lists, _ := coarseLayers(t, c)
	for i, l := range lists {
		for j := 0; j < len(l.Boards); j += 3 {
			fewer := slices.Clone(lists)
			fewer[i].Boards = slices.Delete(slices.Clone(l.Boards), j, j+1)
			want := check.ErrUncovered
			if len(fewer[i].Boards) == 0 && l.Sum < 1<<c.Tile && i+1 < len(lists) {
				want = check.ErrOrder // the list would end there
			}
			_, err := check.File(t.Context(), bytes.NewReader(writeCoarse(t, c, fewer)), 2, nil)
			if !errors.Is(err, want) && !errors.Is(err, check.ErrUncovered) {
				t.Errorf("without board %d of sum %d: %v, want %v", j, l.Sum, err, want)
			}
		}
	}
	last := len(lists) - 1
	more := slices.Clone(lists)
	won := rules.Board(0).With(0, 3).Canonical(c.Size) // a large tile alone
	if more[last].Boards = append(slices.Clone(more[last].Boards), won); slices.Contains(lists[last].Boards, won) {
		t.Fatal("the board that should be won is lost")
	}
	slices.Sort(more[last].Boards)
	_, err := check.File(t.Context(), bytes.NewReader(writeCoarse(t, c, more)), 2, nil)
	if err != nil && !errors.Is(err, check.ErrUncovered) { // a board that is given up may make other boards lost
		t.Error(err)
	}
}

// A certificate proves nothing about another tile or size of board, or about an attacker who places only 2s.
func TestCoarseOtherClaims(t *testing.T) {
	c := coarseConfig(3, 2, 3, 6)
	lists, _ := coarseLayers(t, c)
	for _, other := range []coarse.Config{coarseConfig(3, 2, 3, 5), coarseConfig(3, 2, 3, 7), coarseConfig(2, 3, 3, 6), coarseConfig(4, 2, 3, 6)} {
		_, err := check.File(t.Context(), bytes.NewReader(writeCoarse(t, other, lists)), 2, nil)
		if err == nil {
			t.Errorf("what proves %+v is accepted for %+v", c, other)
		}
	}
	twos := c
	twos.Rules = rules.GPCC2015 // an attacker who may place only 2s has lost more
	if _, err := check.File(t.Context(), bytes.NewReader(writeCoarse(t, twos, lists)), 2, nil); !errors.Is(err, check.ErrUncovered) {
		t.Errorf("under gpcc2015: %v", err)
	}
}

func TestCoarseDamaged(t *testing.T) {
	c := coarseConfig(3, 2, 3, 6)
	lists, _ := coarseLayers(t, c)
	file := writeCoarse(t, c, lists)
	for i := range file {
		bad := slices.Clone(file)
		bad[i] ^= 1 << (i % 8)
		if _, err := check.File(t.Context(), bytes.NewReader(bad), 2, nil); err == nil {
			t.Errorf("with bit %d of byte %d flipped it is accepted", i%8, i)
		}
		refused(t, fmt.Sprintf("cut after %d bytes", i), file[:i], check.ErrTruncated)
	}
	refused(t, "something after the end", append(slices.Clone(file), 0), check.ErrDamaged)
	bad := slices.Clone(file)
	bad[len(bad)-1] ^= 1
	refused(t, "a wrong checksum", bad, check.ErrDamaged)
	refused(t, "another first line", append([]byte("versus2048 coarse certificate 2"), file[31:]...), check.ErrClaim)
	refused(t, "a large tile of 7", bytes.Replace(file, []byte("large 8"), []byte("large 7"), 1), check.ErrClaim)
	refused(t, "too small a large tile", bytes.Replace(file, []byte("large 8"), []byte("large 4"), 1), check.ErrClaim)
	refused(t, "too large a large tile", []byte("versus2048 coarse certificate 1 gpcc2016 4x4 large 512 prevents 1024\n"), check.ErrClaim)
	refused(t, "rules without an attacker", bytes.Replace(file, []byte("gpcc2016"), []byte("solo"), 1), check.ErrClaim)
	wrongOrder := slices.Insert(slices.Clone(lists), 2, lists[0])
	refused(t, "sums that rise", writeCoarse(t, c, wrongOrder), check.ErrOrder)
	mirrored := slices.Clone(lists)
	mirrored[0].Boards = []rules.Board{rules.Board(0).With(2, 1)} // the mirror image has it on the first cell
	refused(t, "a board that is not the smallest", writeCoarse(t, c, mirrored), check.ErrPosition)
}

// A check can be ended while it looks for the boards of a sum that are to be checked: here only few of them are.
func TestCoarseEnds(t *testing.T) {
	file := writeCoarse(t, coarseConfig(4, 4, 5, 13), nil)
	for _, left := range []int{0, 1, 10, 100} {
		if _, err := check.File(testkit.NewCountdown(t.Context(), int64(left)), bytes.NewReader(file), 2, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("ended after %d steps: %v", left, err)
		}
	}
}

// checkCoarse is the same checker in Python, written from docs/PROOFS.md.
const checkCoarse = "../../../docs/example/check_coarse.py"

// Both checkers agree on proofs, and on files with something changed.
func TestPythonAgreesOnCoarse(t *testing.T) {
	testkit.Long(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing, which runs the other checker")
	}
	for _, c := range []coarse.Config{coarseConfig(2, 2, 3, 4), coarseConfig(2, 3, 3, 5)} {
		lists, _ := coarseLayers(t, c)
		file := writeCoarse(t, c, lists)
		agree(t, python, checkCoarse, file)
		for i := 0; i < len(file); i += len(file)/6 + 1 {
			bad := slices.Clone(file)
			bad[i] ^= 1 << (i % 8)
			agree(t, python, checkCoarse, bad)
			agree(t, python, checkCoarse, file[:i])
		}
		for i := 0; i < len(lists); i += len(lists)/4 + 1 {
			fewer := slices.Clone(lists)
			fewer[i].Boards = fewer[i].Boards[1:]
			agree(t, python, checkCoarse, writeCoarse(t, c, fewer))
		}
	}
}
