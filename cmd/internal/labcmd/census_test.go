package labcmd

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/lab/census"
	"versus2048/rules"
)

func TestCensusLine(t *testing.T) {
	p := census.Progress{
		Plies: 84, LastPlies: 84, Expanded: 2_500_000, Positions: 10_000_000, Placements: 30_000_000,
		InLayer: time.Second, Elapsed: 2 * time.Second,
	}
	want := "ply 84 of 84 [=====               ] 2.5M of 10M positions, 15M placements/s, 0:03 left, about 0:03 in all"
	if got := censusLine(p); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	p.LastPlies = 88 // two layers more, which take 4.7 and 5.4 seconds
	if got := censusLine(p); !strings.Contains(got, "0:03 left, about 0:13 in all") {
		t.Error(got)
	}
}

// The error that stopped a census counts the layers that the folder keeps, not all finished layers.
func TestStoppedCensus(t *testing.T) {
	s := census.Config{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Plies: 8, Memory: census.LeastMemory, Folder: t.TempDir()}
	if _, err := census.Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	kept := census.Recorded(s.Folder)
	if none := census.Recorded(t.TempDir()); kept != 5 || none != 0 {
		t.Fatalf("%d layers are recorded, and %d in an empty folder; want 5 and 0", kept, none)
	}
	full := &fs.PathError{Op: "write", Path: "d/layer-020", Err: syscall.ENOSPC}
	for _, c := range []struct {
		layers, kept int
		want         string
	}{
		{5, kept, "interrupted with 5 layers finished\ngo on: "},
		{8, kept, "interrupted with 8 layers finished, 5 kept\ngo on: "},
		{8, 0, "interrupted with 8 layers finished, none kept\nstart again: "},
	} {
		var told strings.Builder
		if err := censusError(&told, c.layers, c.kept, context.Canceled); !errors.Is(err, cmdline.ErrSilent) || !strings.HasPrefix(told.String(), c.want) {
			t.Errorf("%q, error %v; want %q", told.String(), err, c.want)
		}
	}
	for kept, want := range map[int]string{
		0: "(make the folder usable and repeat",
		1: "(1 layer is kept: make room there and repeat",
		5: "(5 layers are kept: make room there and repeat",
	} {
		if err := censusError(nil, 8, kept, full); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d layers kept: error %v, want %q", kept, err, want)
		}
	}
}
