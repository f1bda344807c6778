package neural

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"versus2048/rules"
)

//go:embed weights
var weights embed.FS

// ownNetworks are the networks that come with the program.
var ownNetworks = shelf{files: weights}

// OwnBytes is the most memory, in bytes, that one of the program's own networks takes with an Evaluator for 64
// boards.
const OwnBytes = 64 << 20

// Own returns the network that comes with the program for a method, rules and a size. It returns an error
// if there is none.
func Own(method string, r rules.Ruleset, s rules.Size) (*Network, error) {
	return ownNetworks.network(method, r, s)
}

// HasOwn reports whether the program comes with a network of a method for some rules and some size.
func HasOwn(method string) bool { return ownNetworks.has(method) }

// HasOwnFor reports whether Own has a network, without reading it.
func HasOwnFor(method string, r rules.Ruleset, s rules.Size) bool {
	_, err := fs.Stat(ownNetworks.files, fileName(method, r, s))
	return err == nil
}

// shelf holds the networks in a folder "weights", which may have a file for each method, rules and size.
type shelf struct {
	files  fs.FS
	opened sync.Map // maps names of files to networks
}

// fileName returns the name of a network's file.
func fileName(method string, r rules.Ruleset, s rules.Size) string {
	return fmt.Sprintf("weights/%s-%v-%v.safetensors", method, r, s)
}

func (s *shelf) has(method string) bool {
	list, err := fs.Glob(s.files, "weights/"+method+"-*.safetensors")
	return err == nil && len(list) > 0
}

func (s *shelf) network(method string, r rules.Ruleset, size rules.Size) (*Network, error) {
	name := fileName(method, r, size)
	if n, ok := s.opened.Load(name); ok {
		return n.(*Network), nil
	}
	content, err := fs.ReadFile(s.files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the program has no network of %s for %v on %v: want weights=FILE", method, r, size)
	}
	if err != nil {
		return nil, err
	}
	n, err := Read(content)
	if err == nil && (n.method != method || n.rules != r || n.size != size) {
		err = fmt.Errorf("it is of %s for %v on %v", n.method, n.rules, n.size)
	}
	if err != nil {
		return nil, &UnusableError{strings.TrimPrefix(name, "weights/"), err.Error()}
	}
	first, _ := s.opened.LoadOrStore(name, n)
	return first.(*Network), nil
}
