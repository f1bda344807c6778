package ntuple_test

import (
	"strings"
	"testing"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// Every size has structures; each is valid and has its own name.
func TestStructures(t *testing.T) {
	for _, size := range rules.Sizes() {
		all := ntuple.Structures(size)
		if len(all) == 0 {
			t.Errorf("%v: no structures", size)
		}
		for i, s := range all {
			named, err := ntuple.Named(s.Name, size)
			if err != nil || s.Validate() != nil || named.Weights() != s.Weights() || s.Size != size {
				t.Errorf("%s on %v: %v, %v", s.Name, size, s.Validate(), err)
			}
			if i > 0 && s.Weights() < all[i-1].Weights() {
				t.Errorf("%s on %v: smaller than the one before", s.Name, size)
			}
		}
	}
	for name, want := range map[string]int{"5x4": 5 << 16, "4x5": 4 << 20, "4x6": 4 << 24, "8x6": 8 << 24} {
		if s, err := ntuple.Named(name, rules.Full); err != nil || s.Weights() != want {
			t.Errorf("%s: %d weights, %v, want %d", name, s.Weights(), err, want)
		}
	}
	if _, err := ntuple.Named("9x9", rules.Full); err == nil || !strings.Contains(err.Error(), "want 5x4 or 4x5 or 4x6 or 8x6") {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestStructureRefuses(t *testing.T) {
	size := rules.Size{Width: 3, Height: 2}
	six := []int{0, 1, 2, 4, 5, 6}
	for want, s := range map[string]ntuple.Structure{
		"board size":         {Tuples: [][]int{{0}}},
		"it has no tuples":   {Size: size},
		"0 cells":            {Size: size, Tuples: [][]int{{}}},
		"7 cells":            {Size: rules.Full, Tuples: [][]int{{0, 1, 2, 3, 4, 5, 6}}},
		"outside":            {Size: size, Tuples: [][]int{{0, 3}}},
		"are outside":        {Size: size, Tuples: [][]int{{0, 8}}},
		"some are outside":   {Size: size, Tuples: [][]int{{-1}}},
		"increasing":         {Size: size, Tuples: [][]int{{1, 0}}},
		"increasing numbers": {Size: size, Tuples: [][]int{{1, 1}}},
		"stages [3]":         {Size: size, Tuples: [][]int{{0}}, Stages: []int{3}},
		"stages [1]":         {Size: size, Tuples: [][]int{{0}}, Stages: []int{1}},
		"stages [65536]":     {Size: size, Tuples: [][]int{{0}}, Stages: []int{65536}},
		"stages [8 8]":       {Size: size, Tuples: [][]int{{0}}, Stages: []int{8, 8}},
		"in all stages":      {Size: size, Tuples: [][]int{six, six, six, six}, Stages: []int{2, 4}},
		"weights":            {Size: size, Tuples: [][]int{six, six, six, six, six, six, six, six, six}},
	} {
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want it to say %s", s, err, want)
		}
	}
}
