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
