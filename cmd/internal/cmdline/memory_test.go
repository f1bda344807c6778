package cmdline

import (
	"testing"
)

func TestParseAndFormatBytes(t *testing.T) {
	for text, want := range map[string]int64{"6GiB": 6 << 30, "512MiB": 512 << 20, "1.5 GB": 1_500_000_000, "64KiB": 1 << 16, "7B": 7, "2TB": 2e12} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%s: %d %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "6", "GiB", "-1GiB", "NaNB", "1e30GiB", "six GiB"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
	for n, want := range map[int64]string{64 << 20: "64MiB", 6 << 30: "6GiB", 1536 << 20: "1.5GiB", 2000: "2KiB"} {
		if got := FormatBytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
