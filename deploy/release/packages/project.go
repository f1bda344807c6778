package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// project is the description of the Python package in python/pyproject.toml.
type project struct {
	Name         string
	Version      string
	Description  string
	Readme       string
	License      string
	Python       string `toml:"requires-python"`
	Dependencies []string
	Optional     map[string][]string `toml:"optional-dependencies"`
	Classifiers  []string
}

// readProject reads pyproject.toml.
func readProject(path string) (project, error) {
	var file struct{ Project project }
	text, err := os.ReadFile(path)
	if err != nil {
		return project{}, err
	}
	err = toml.Unmarshal(text, &file)
	return file.Project, err
}

// metadata describes the package to installers (https://packaging.python.org/en/latest/specifications/core-metadata/).
// The folder has the package's README.
func (p project) metadata(folder string) ([]byte, error) {
	readme, err := os.ReadFile(filepath.Join(folder, p.Readme))
	if err != nil {
		return nil, err
	}
	text := fmt.Appendf(nil, "Metadata-Version: 2.4\nName: %s\nVersion: %s\nSummary: %s\nLicense-Expression: %s\nLicense-File: LICENSE\nRequires-Python: %s\n",
		p.Name, p.Version, p.Description, p.License, p.Python)
	for _, classifier := range p.Classifiers {
		text = fmt.Appendf(text, "Classifier: %s\n", classifier)
	}
	for _, needed := range p.Dependencies {
		text = fmt.Appendf(text, "Requires-Dist: %s\n", needed)
	}
	for _, extra := range slices.Sorted(maps.Keys(p.Optional)) {
		text = fmt.Appendf(text, "Provides-Extra: %s\n", extra)
		for _, needed := range p.Optional[extra] {
			text = fmt.Appendf(text, "Requires-Dist: %s; extra == '%s'\n", needed, extra)
		}
	}
	return fmt.Appendf(text, "Description-Content-Type: text/markdown\n\n%s", readme), nil
}
