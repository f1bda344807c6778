package botcmd

import (
	"testing"

	"versus2048/players"
)

// What an arena sets counts as given with the spec; the defaults of the other options follow from it.
func TestWith(t *testing.T) {
	for _, test := range []struct {
		text, name, value string
		want              string
	}{
		{"evminimax", "time", "1", "evminimax:depth=16,time=1"},
		{"evminimax:depth=3", "time", "1", "evminimax:depth=3,time=1"},
		{"evminimax:time=1", "depth", "2", "evminimax:depth=2,time=1"},
		{"evminimax:time=1", "time", "0", "evminimax"},
		{"ov3y:seed=3", "eval", "ntuple", "ov3y:eval=ntuple,weights=v1-rules,seed=3"},
		{"random", "unknown", "1", "random"},
	} {
		spec, err := players.Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := with(test.text, spec, map[string]string{test.name: test.value})
		want, wrong := players.Parse(test.want)
		if err != nil || wrong != nil || got.String() != want.String() {
			t.Errorf("%s with %s=%s is %v, want %v: %v, %v", test.text, test.name, test.value, got, want, err, wrong)
		}
	}
}
