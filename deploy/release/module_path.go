package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

var (
	// host matches the first part of a path from which Go fetches modules.
	host = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)
	// part matches each of the others.
	part = regexp.MustCompile(`^[A-Za-z0-9_~-]([A-Za-z0-9._~-]*[A-Za-z0-9_~-])?$`)
	// major matches a last part that stands for a major version.
	major = regexp.MustCompile(`^v[0-9]+$`)
	// allowed matches those that Go allows.
	allowed = regexp.MustCompile(`^v([2-9]|[1-9][0-9]+)$`)
)

// checkPath returns an error if Go would not fetch a module by the path.
func checkPath(module string) error {
	if strings.Contains(module, "://") {
		return fmt.Errorf("module path %q: write it as import statements do, without the scheme: example.org/you/versus2048", module)
	}
	parts := strings.Split(module, "/")
	if !host.MatchString(parts[0]) {
		return fmt.Errorf("module path %q: it begins with %q, want a host in small letters: example.org/you/versus2048", module, parts[0])
	}
	for _, p := range parts[1:] {
		if !part.MatchString(p) {
			return fmt.Errorf("module path %q: the part %q: want letters, digits, and - _ ~ . between them", module, p)
		}
	}
	if last := path.Base(module); len(parts) > 1 && major.MatchString(last) && !allowed.MatchString(last) {
		return fmt.Errorf("module path %q: it ends in %q: leave that out, Go wants only v2 and later ones there", module, last)
	}
	return nil
}
