package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
)

// samples has an unusual value of each setting for which neither the type nor the choices give one.
var samples = map[string]string{"bot": "a=greedy\nb=random", "openings": "random:plies=4,count=2", "sprt": "elo0=-1.5,elo1=2,alpha=0.1,beta=0.2,model=logistic", "max-tile": "64", "rules": "solo"}

// sampleOf returns an unusual value of the setting.
func sampleOf(s tournament.Setting) string {
	var e tournament.Event
	switch sample := samples[s.Name]; {
	case sample != "":
		return sample
	case s.Choices != nil:
		return s.Choices[len(s.Choices)-1-map[bool]int{true: 1}[s.Choices[len(s.Choices)-1] == s.Usual]]
	}
	switch s.Value(&e).(type) {
	case bool:
		return "true"
	case time.Duration:
		return "1.5s"
	case int, uint64:
		return "3"
	case float64:
		return "2.5"
	}
	return "text"
}

// allFlagsAndKeys returns flagsAndKeys with a row for each setting that it does not have. Settings of formats come with
// a format that has them.
func allFlagsAndKeys(t *testing.T) []door {
	t.Helper()
	all, known := slices.Clone(flagsAndKeys), ""
	for _, row := range flagsAndKeys {
		known += row.flags + " "
	}
	for _, s := range tournament.AllSettings() {
		if s.RequestOnly || s.Name == "bot" || strings.Contains(known, "--"+s.Name+" ") {
			continue
		}
		e := tournament.Event{Matches: 1}
		if err := s.Set(&e, sampleOf(s)); err != nil {
			t.Fatal(err)
		}
		row := door{flags: "--" + s.Name + "=" + sampleOf(s)}
		if s.Value(&e) == true {
			row.flags = "--" + s.Name // a box of the form is checked
		}
		if s.Formats != nil {
			e.Settings.Plan.Kind = s.Formats[0]
			row.flags += " --format " + s.Formats[0]
		}
		row.file = fmt.Sprintf("%s = %s\n", s.FileKey(), fileValue(t, s, &e))
		if s.Formats != nil {
			row.file += fmt.Sprintf("plan.kind = %q\n", s.Formats[0])
		}
		row.body = bodyWith(t, &e, s)
		all = append(all, row)
	}
	return all
}

// fileValue returns the value of a setting in a file.
func fileValue(t *testing.T, s tournament.Setting, e *tournament.Event) string {
	t.Helper()
	key := s.FileKey()
	for line := range strings.Lines(recipe.TOML(*e)) {
		if name, value, ok := strings.Cut(line, " = "); ok && name == key[strings.LastIndex(key, ".")+1:] {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("the file of an event with %s does not have %s", s.Name, key)
	return ""
}

// bodyWith returns the part of a request's body that has a setting and the format.
func bodyWith(t *testing.T, e *tournament.Event, s tournament.Setting) string {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for key := range all {
		if key != "settings" && !strings.HasPrefix(s.RequestKey(), key) {
			delete(all, key)
		}
	}
	text, err = json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A value that is set comes back as the same text, by the text itself, a flag, a file and a request. The command and
// the file that repeat the event have it, and the page of the event says something about it.
func TestEverySettingByEveryDoor(t *testing.T) {
	t.Parallel()
	for _, s := range tournament.AllSettings() {
		if s.RequestOnly {
			continue
		}
		sample := sampleOf(s)
		want := tournament.Event{Rules: rules.GPCC2015, Size: rules.Full, Concurrency: 1}
		if err := s.Set(&want, sample); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		text := s.Text(&want)
		check := func(by string, e *tournament.Event) {
			t.Helper()
			if got := s.Text(e); got != text {
				t.Errorf("%s by %s is %q, want %q", s.Name, by, got, text)
			}
		}
		if again := (tournament.Event{}); s.Set(&again, text) != nil || !reflect.DeepEqual(s.Field(&again), s.Field(&want)) {
			t.Errorf("%s: %q is not read as it is written", s.Name, text)
		}
		bots := []string{"--bot", "a=greedy", "--bot", "b=random"}
		if s.Name == "bot" {
			want.Bots, bots = nil, nil
			for bot := range strings.SplitSeq(sample, "\n") {
				bots, want.Bots = append(bots, "--bot", bot), append(want.Bots, bot)
			}
		} else {
			bots = append(bots, "--"+s.Name+"="+sample)
		}
		byFlag, problem := eventOf(t, bots...)
		if check("flag", &byFlag); problem != "" {
			t.Errorf("%s by flag: %s", s.Name, problem)
		}
		repeated, problem := eventOf(t, shellWords(t, recipe.Command(byFlag, ""))[3:]...)
		if check("command", &repeated); problem != "" {
			t.Errorf("%s by command: %s", s.Name, problem)
		}
		byFile, problem := configured(t, recipe.TOML(byFlag))
		if check("file", &byFile); problem != "" {
			t.Errorf("%s by file: %s", s.Name, problem)
		}
		body, err := json.Marshal(byFlag)
		if err != nil {
			t.Fatal(err)
		}
		var byRequest tournament.Event
		recipe.Prepare(&byRequest)
		err = json.Unmarshal(body, &byRequest)
		if err == nil {
			err = recipe.Complete(&byRequest, recipe.LoadDrawnOpenings)
		}
		if check("request", &byRequest); err != nil {
			t.Errorf("%s by request: %v", s.Name, err)
		}
		if !strings.Contains(string(body), `"`+s.RequestKey()[strings.LastIndex(s.RequestKey(), ".")+1:]+`":`) {
			t.Errorf("%s: the request %s does not have its key %s", s.Name, body, s.RequestKey())
		}
		if s.Fact == nil && s.InWords(&want) == "" {
			t.Errorf("the page of an event says nothing about %s", s.Name)
		}
	}
}
