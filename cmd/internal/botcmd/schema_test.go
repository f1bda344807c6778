package botcmd

import (
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/check"
	"versus2048/internal/schema"
)

// outputsVersion is the version of the outputs. It is raised when something is removed or changes its meaning, but not
// when something is added.
const outputsVersion = 1

func TestSchema(t *testing.T) {
	schema.SameOutputs(t, "bot", outputsVersion, map[string]any{
		"list": []kind{}, "bench": []benchmark{}, "new": written{}, "try": trialValue{}, "check": schema.Several{CheckReport{}, check.List()},
		"version": cmdline.Build{},
	})
}
