package gate

import "testing"

func TestLink(t *testing.T) {
	var l OperatorLink
	if l.Use("") {
		t.Error("a link that was not made lets somebody in")
	}
	old := l.New()
	secret := l.New()
	for _, step := range []struct {
		secret string
		want   bool
	}{{old, false}, {"", false}, {secret + "A", false}, {secret, true}, {secret, false}, {"", false}} {
		if got := l.Use(step.secret); got != step.want {
			t.Errorf("%q lets in: %v, want %v", step.secret, got, step.want)
		}
	}
}
