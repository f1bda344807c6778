package check_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"versus2048/lab/proof/check"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// sameWithThreads checks a file with several numbers of threads, which must not change anything: neither the result
// and the calls of report, nor which of many faults the error names.
func sameWithThreads(t *testing.T, file []byte) (check.Result, error) {
	t.Helper()
	run := func(threads int) (result check.Result, reports []check.Result, err error) {
		result, err = check.File(t.Context(), bytes.NewReader(file), threads, func(r check.Result) { reports = append(reports, r) })
		return result, reports, err
	}
	want, reports, reason := run(1)
	for _, threads := range []int{2, 3, 8} {
		result, again, err := run(threads)
		if result != want || !slices.Equal(again, reports) || (err == nil) != (reason == nil) || err != nil && err.Error() != reason.Error() {
			t.Errorf("%d threads: %+v, error %v; one thread: %+v, error %v", threads, result, err, want, reason)
		}
	}
	return want, reason
}

// text writes a board as the checker does: 0,2/0,4.
func text(b rules.Board, s rules.Size) string {
	var rows []string
	for y := range int(s.Height) {
		var row []string
		for x := range int(s.Width) {
			row = append(row, fmt.Sprint(1<<b.Exponent(4*y+x)&^1))
		}
		rows = append(rows, strings.Join(row, ","))
	}
	return strings.Join(rows, "/")
}

// Of all positions with too high a gain, the first one of the file is named.
func TestFirstFaultOfPositions(t *testing.T) {
	file, err := os.ReadFile("../../claims/artefacts/3x3-at-least-164.proof")
	if err != nil {
		t.Fatal(err)
	}
	if result, err := sameWithThreads(t, file); err != nil || result.Widest < 1000 {
		t.Errorf("%+v, error %v: want a sum that is divided among the threads", result, err)
	}
	r, err := certificate.NewReader(bytes.NewReader(file))
	var list []certificate.Covered
	for err == nil {
		var c certificate.Covered
		if c, err = r.Next(); err == nil {
			list = append(list, c)
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	for _, begin := range []int{2000, 5001, 9333, len(list) - 1} {
		wrong := slices.Clone(list)
		for i := begin; i < len(wrong); i += 7 {
			wrong[i].Gain += 4000
		}
		_, err := sameWithThreads(t, write(t, r.Header(), wrong))
		first := text(list[begin].Board, r.Header().Size)
		if !errors.Is(err, check.ErrUncovered) || !strings.Contains(err.Error(), first+", after a ") {
			t.Errorf("error %v: want the position %s", err, first)
		}
	}
}

// Of all boards that are not the smallest of their symmetries, the first one of the file is named, also if the file
// then ends too early.
func TestFirstBoardThatIsNoPosition(t *testing.T) {
	size := rules.Size{Width: 4, Height: 4}
	file := []byte("versus2048 certificate 1 gpcc2016 4x4 at-least 4\n\x01\x01\x00") // the empty board, a gain of 4
	next, first := rules.Board(0), rules.Board(0)
	for code := range 1 << 16 {
		b := rules.Board(0)
		for cell := range 16 {
			b = b.With(cell, code>>cell&1)
		}
		if b.Sum() != 8 {
			continue
		}
		file = append(binary.AppendUvarint(file, uint64(b+1-next)), 1)
		if next = b + 1; first == 0 && b.Canonical(size) != b {
			first = b
		}
	}
	_, err := sameWithThreads(t, file)
	if !errors.Is(err, check.ErrPosition) || !strings.Contains(err.Error(), ": "+text(first, size)) {
		t.Errorf("error %v: want %s", err, text(first, size))
	}
}

// Without many of its boards a certificate from coarse boards is refused for the same one.
func TestFirstFaultOfCoarseBoards(t *testing.T) {
	c := coarseConfig(3, 3, 4, 8)
	lists, _ := coarseLayers(t, c)
	if result, err := sameWithThreads(t, writeCoarse(t, c, lists)); err != nil || result.Checked != 11364 {
		t.Errorf("%+v, error %v: want each board that may be lost, once", result, err)
	}
	for i := 1; i < len(lists); i += 5 {
		fewer := slices.Clone(lists)
		for j := i; j < len(fewer); j++ {
			boards := fewer[j].Boards
			fewer[j].Boards = nil
			for k, b := range boards {
				if k%9 != 0 {
					fewer[j].Boards = append(fewer[j].Boards, b)
				}
			}
		}
		if _, err := sameWithThreads(t, writeCoarse(t, c, fewer)); err == nil {
			t.Error("it is accepted")
		}
	}
}
