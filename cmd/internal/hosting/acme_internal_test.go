package hosting

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/acme"
)

// The reason for a missing certificate is the authority's, if the authority gives one.
func TestReason(t *testing.T) {
	refused := errors.New("connection refused")
	for want, failed := range map[string]*acme.AuthorizationError{
		"the certificate authority does not find this arena under the name: connection refused": {Errors: []error{refused}},
		"asking: acme: authorization error for arena.example.org":                               {Identifier: "arena.example.org"},
	} {
		if got := reason(fmt.Errorf("asking: %w", failed)).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
