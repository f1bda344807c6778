package protocol_test

import (
	"strings"
	"testing"

	"versus2048/protocol"
)

func TestCodeIn(t *testing.T) {
	code := protocol.NewCode()
	for _, test := range []struct {
		token, code string
		isSecret    bool
	}{
		{protocol.OwnToken(code), code, true},
		{protocol.OwnToken(protocol.NoCode), "", true},
		{strings.ToLower(code) + "-" + strings.Repeat("ö", 20), code, true},
		{code + "-" + strings.Repeat("ö", 19), code, false},
		{code, "", false},
		{code + code, "", true},
		{"", "", false},
		{"KQ7M2XWDPA1C-" + strings.Repeat("x", 20), "", true}, // there is no 1 in a code
		{"a-" + code + "-" + strings.Repeat("x", 20), "", true},
	} {
		if got, isSecret := protocol.CodeIn(test.token); got != test.code || isSecret != test.isSecret {
			t.Errorf("%q: code %q, secret %v; want %q, %v", test.token, got, isSecret, test.code, test.isSecret)
		}
	}
	if !protocol.IsCode(code) || protocol.IsCode(strings.ToLower(code)) || protocol.IsCode("") {
		t.Errorf("%q is a code: %v", code, protocol.IsCode(code))
	}
}
