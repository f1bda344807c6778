package learning

import (
	"path/filepath"
	"slices"
	"testing"

	"versus2048/rules"
)

// Older checkpoints have the sums of errors for the least number of a weight alone. Learning goes on from them as
// from others.
func TestOlderCheckpoint(t *testing.T) {
	settings := Defaults(rules.Solo, rules.Size{Width: 3, Height: 3})
	settings.Average = 0
	trainer, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	trainer.Play(t.Context(), 20)
	want, missing := slices.Clone(trainer.weights.all), 0
	for i := range trainer.weights.all {
		one := &trainer.weights.all[i]
		if one.absolute > 0 && i != int(slices.Min(trainer.weights.features.Shared(nil, uint32(i)))) {
			one.errors, one.absolute = 0, 0
			missing++
		}
	}
	path := filepath.Join(t.TempDir(), "checkpoint")
	if err := trainer.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	opened, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if missing == 0 || !slices.Equal(opened.weights.all, want) {
		t.Errorf("other weights than before, with %d sums missing in the file", missing)
	}
}
