package main

import (
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// citation has the keys of CITATION.cff, which are of the format's version 1.2.0.
type citation struct {
	CFFVersion   string `yaml:"cff-version"`
	Message      string
	Type         string
	Title        string
	Abstract     string
	Version      string
	DateReleased string `yaml:"date-released"`
	License      string
	Authors      []struct{ Name string }
	Keywords     []string
}

// The citation is YAML and has only keys of its format; the tests at the top of the project compare its version.
func TestCitation(t *testing.T) {
	var c citation
	decoder := yaml.NewDecoder(strings.NewReader(content(t, "../../../CITATION.cff")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.CFFVersion != "1.2.0" || c.Type != "software" || c.Message == "" || c.Title == "" || len(c.Authors) != 1 || c.Authors[0].Name == "" {
		t.Errorf("%+v", c)
	}
	if !regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`).MatchString(c.DateReleased) {
		t.Errorf("date-released: %q", c.DateReleased)
	}
}
