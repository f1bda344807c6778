package main

import (
	"slices"
	"testing"
)

// A browser is opened where there is a desktop.
func TestBrowserCommand(t *testing.T) {
	const url = "http://127.0.0.1:2048"
	for _, c := range []struct {
		system, variable string
		want             []string
	}{
		{"darwin", "", []string{"open", url}},
		{"windows", "", []string{"rundll32", "url.dll,FileProtocolHandler", url}},
		{"linux", "DISPLAY", []string{"xdg-open", url}},
		{"linux", "WAYLAND_DISPLAY", []string{"xdg-open", url}},
		{"linux", "", nil},
	} {
		env := func(name string) string { return map[bool]string{true: ":0"}[name == c.variable] }
		if got := browserCommand(c.system, env, url); !slices.Equal(got, c.want) {
			t.Errorf("%s with %q: %q, want %q", c.system, c.variable, got, c.want)
		}
	}
}
