package operator

import (
	"crypto/subtle"
	"sync"
)

// Link is the secret of an address that logs one browser in. The zero value lets nobody in. Its methods may be called from
// several goroutines.
type Link struct {
	mu     sync.Mutex
	secret string // "" before New and after its use
}

// New returns a new secret; an earlier one is void.
func (l *Link) New() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.secret = NewSecret()
	return l.secret
}

// Use reports whether a secret is the link's, which is void from then on.
func (l *Link) Use(secret string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.secret == "" || subtle.ConstantTimeCompare([]byte(l.secret), []byte(secret)) != 1 {
		return false
	}
	l.secret = ""
	return true
}
