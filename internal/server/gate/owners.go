package gate

import (
	"context"
	"sync"
	"time"

	"versus2048/protocol"
)

// RegisteredNames lists the names of bots that have a token.
type RegisteredNames interface {
	Owners(ctx context.Context) ([]string, error)
}

// Owners are the names with tokens. No other bot may have a name that looks like one of them. The methods may be called
// from several goroutines.
type Owners struct {
	tokens RegisteredNames
	mu     sync.Mutex
	keys   map[string]protocol.NameKey // by name
	read   time.Time
}

// NewOwners returns Owners that read the names from tokens when they are needed.
func NewOwners(tokens RegisteredNames) *Owners { return &Owners{tokens: tokens} }

// ownersAge is the largest age of the list of names. It delays only the comparison of looks: the tokens of a name are
// looked up each time.
const ownersAge = time.Second

// Alike returns another name that has a token and looks like name, "" if there is none.
func (o *Owners) Alike(ctx context.Context, name string) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.refresh(ctx, ownersAge); err != nil {
		return "", err
	}
	return o.alike(name), nil
}

// now is Alike, but always reads the list of names again. It also returns the number of names with a token.
func (o *Owners) now(ctx context.Context, name string) (alike string, count int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.refresh(ctx, 0); err != nil {
		return "", 0, err
	}
	return o.alike(name), len(o.keys), nil
}

// alike returns another name that looks like the given one. The caller holds the lock.
func (o *Owners) alike(name string) string {
	key := protocol.NewNameKey(name)
	for owner, k := range o.keys {
		if owner != name && k.Alike(key) {
			return owner
		}
	}
	return ""
}

// refresh reads the names again if they are older than age. The caller holds the lock.
func (o *Owners) refresh(ctx context.Context, age time.Duration) error {
	if time.Since(o.read) < age {
		return nil
	}
	all, err := o.tokens.Owners(ctx)
	if err != nil {
		return err
	}
	keys := make(map[string]protocol.NameKey, len(all))
	for _, name := range all {
		key, known := o.keys[name]
		if !known {
			key = protocol.NewNameKey(name)
		}
		keys[name] = key
	}
	o.keys, o.read = keys, time.Now()
	return nil
}
