package analysis

import (
	"testing"

	"versus2048/rules/record"
)

func TestValueText(t *testing.T) {
	for want, m := range map[string]record.RootMove{
		"1\u202f240.5":     {Value: 1240.5},
		"−3.0":             {Value: -3},
		"mate in 1 ply":    {Value: -499_999_999, Mate: 1},
		"mate in 12 plies": {Mate: 12},
	} {
		if got := valueText(m); got != want {
			t.Errorf("%+v: %q, want %q", m, got, want)
		}
	}
}

func TestEffortText(t *testing.T) {
	for want, r := range map[string]record.SearchReport{
		"":                                  {},
		"from a proof":                      {Source: record.FromProof, Nodes: 3},
		"1 playout":                         {Playouts: 1, Nodes: 3},
		"3 nodes":                           {Nodes: 3},
		"1\u202f812 tokens read, 9 written": {TokensRead: 1812, TokensWritten: 9},
		"0 tokens read, 9 written":          {TokensWritten: 9},
	} {
		if got := effortText(&r); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}
