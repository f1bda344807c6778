package main

import "testing"

// The name of a report's file has nothing of an event's name that leads to another folder or that a shell reads.
func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"Cup 2026": "Cup-2026", "../../etc/passwd": "etc-passwd", "-rf <b>": "rf-b", "": "event-7", "...": "event-7", "先手 杯": "先手-杯", "a\x00\u202eb": "a-b",
	} {
		if got := fileName(name, 7); got != want {
			t.Errorf("the file of %q is %q, want %q", name, got, want)
		}
	}
}
