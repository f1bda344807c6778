package neural

import (
	_ "embed"
	"regexp"
	"strings"
	"testing"
)

//go:embed kernel_amd64.s
var assembly string

// TestRegisters checks that the functions for AVX2 use only its 16 registers. The assembler also accepts the
// registers of AVX-512 in them, but such a function fails only on a processor without AVX-512.
func TestRegisters(t *testing.T) {
	checked, beyond := 0, regexp.MustCompile(`\b([XY](1[6-9]|2\d|3[01])|Z\d+|K\d)\b`)
	for _, text := range strings.Split(assembly, "\nTEXT ")[1:] {
		name, _, _ := strings.Cut(text, "(")
		if !strings.HasSuffix(name, "AVX2") {
			continue
		}
		checked++
		if register := beyond.FindString(text); register != "" {
			t.Errorf("%s takes the register %s, which only AVX-512 has", name, register)
		}
	}
	if checked < 5 {
		t.Errorf("found %d functions for AVX2", checked)
	}
}
