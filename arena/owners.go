package arena

import (
	"context"
	"sync"
	"time"

	"versus2048/names"
)

// owners are the names that tokens were made for. No bot without a token may have a name that looks
// like one of them.
type owners struct {
	store Store
	mu    sync.Mutex
	keys  map[string]names.Key // by name
	read  time.Time
}

// ownersAge is how old the list of names may be. Whether a token belongs to the very same name is
// always looked up.
const ownersAge = time.Second

// alike returns the name of a token that looks like name, "" if there is none.
func (o *owners) alike(ctx context.Context, name string) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.refresh(ctx); err != nil {
		return "", err
	}
	key := names.NewKey(name)
	for owner, k := range o.keys {
		if owner != name && k.Alike(key) {
			return owner, nil
		}
	}
	return "", nil
}

// refresh reads the names again if they are too old. The caller holds the lock.
func (o *owners) refresh(ctx context.Context) error {
	if time.Since(o.read) < ownersAge {
		return nil
	}
	all, err := o.store.OwnedNames(ctx)
	if err != nil {
		return err
	}
	keys := make(map[string]names.Key, len(all))
	for _, name := range all {
		key, known := o.keys[name]
		if !known {
			key = names.NewKey(name)
		}
		keys[name] = key
	}
	o.keys, o.read = keys, time.Now()
	return nil
}
