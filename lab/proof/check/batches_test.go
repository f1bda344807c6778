package check

import (
	"bufio"
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"versus2048/lab/proof/coarse"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// A board that several batches find is checked once, and no other board is left out.
func TestBatches(t *testing.T) {
	c := coarse.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 3}, Large: 4, Tile: 8, Threads: 2}
	var lists []certificate.Layer
	if _, err := coarse.Prove(t.Context(), c, func(l certificate.Layer) error {
		lists = append(lists, l)
		return nil
	}, nil); err != nil {
		t.Fatal(err)
	}
	whole, err := inBatches(t, c, lists, usualBatch)
	if err != nil || whole.Widest < 100 || whole.Checked != 11364 {
		t.Fatalf("%+v, error %v: want a sum with tasks for several batches", whole, err)
	}
	for i := range lists {
		if len(lists[i].Boards) == whole.Widest {
			fewer := slices.Clone(lists)
			fewer[i].Boards = slices.Delete(slices.Clone(lists[i].Boards), 50, 51)
			_, first := inBatches(t, c, fewer, usualBatch)
			for _, batch := range []int{1, 3} {
				if _, err := inBatches(t, c, fewer, batch); !errors.Is(err, ErrUncovered) || first == nil || err.Error() != first.Error() {
					t.Errorf("a board is missing: in batches of %d error %v, in one %v", batch, err, first)
				}
			}
		}
	}
	for _, batch := range []int{1, 2, 3, 10} {
		if result, err := inBatches(t, c, lists, batch); err != nil || result != whole {
			t.Errorf("in batches of %d: %+v, error %v; in one: %+v", batch, result, err, whole)
		}
	}
}

// inBatches checks the certificate with these lost boards.
func inBatches(t *testing.T, c coarse.Config, lists []certificate.Layer, batch int) (Result, error) {
	t.Helper()
	var file bytes.Buffer
	w, err := coarse.NewWriter(&file, c)
	for _, l := range lists {
		if err == nil && len(l.Boards) > 0 {
			err = w.Write(l)
		}
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	in := input{Reader: bufio.NewReader(&file), stopped: t.Context().Err}
	checker := newCoarseChecker(in, 2, 0, math.MaxInt, nil)
	checker.task, checker.batch = 10, batch
	return coarseFile(checker)
}

// from and without return the codes that loops return.
func TestFrom(t *testing.T) {
	for n := range 20 {
		var codes, some, others []uint64
		for i := range n {
			code := uint64(3*i + 2)
			if codes = append(codes, code); i%2 == 1 {
				some = append(some, code)
			} else {
				others = append(others, code-1, code)
			}
		}
		for code := range uint64(3*n + 4) {
			rest := codes
			for len(rest) > 0 && rest[0] < code {
				rest = rest[1:]
			}
			if got := from(codes, code); !slices.Equal(got, rest) {
				t.Errorf("from %d of %v: %v", code, codes, got)
			}
		}
		if kept := without(slices.Clone(codes), others); !slices.Equal(kept, some) {
			t.Errorf("%v without %v: %v, want %v", codes, others, kept, some)
		}
	}
}
