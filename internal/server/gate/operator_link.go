package gate

import (
	"crypto/subtle"
	"sync"
)

// OperatorLink has the secret of a link that logs one browser in. The zero value logs nobody in. Its methods may be
// called from several goroutines.
type OperatorLink struct {
	mu     sync.Mutex
	secret string // "" before New and after its use
}

// New returns a new secret. An earlier secret is void from then on.
func (l *OperatorLink) New() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.secret = NewSecret()
	return l.secret
}

// Use reports whether a secret is the secret of the link. If so, the secret is void from then on.
func (l *OperatorLink) Use(secret string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.secret == "" || subtle.ConstantTimeCompare([]byte(l.secret), []byte(secret)) != 1 {
		return false
	}
	l.secret = ""
	return true
}
