package sweep

import (
	"os"
	"testing"

	"versus2048/rules"
)

// If the file of a layer cannot be renamed, save removes it.
func TestNoUnfinishedLayerStays(t *testing.T) {
	g := newGeometry(rules.GPCC2016, rules.Size{Width: 2, Height: 2}, 25)
	s := store{config: Config{Rules: rules.GPCC2016, State: t.TempDir()}, geometry: g}
	l := g.newLayer(g.top())
	if err := os.Mkdir(s.path(l.sum), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.save(l); err == nil {
		t.Error("a layer has taken the place of a folder")
	}
	if left, err := os.ReadDir(s.config.State); err != nil || len(left) != 1 {
		t.Errorf("the state has %v, error %v; want only the folder", left, err)
	}
}
