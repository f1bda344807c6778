package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/rules"
	"versus2048/tournament"
)

// The form has a field for each setting, and reads the values that users type. The page of an event shows each value
// that is not the usual one.
func TestFormAndFactsOfEverySetting(t *testing.T) {
	fields := map[string]*eventField{}
	for _, f := range fieldsOf(eventForm()) {
		fields[f.Name] = f
	}
	for _, s := range tournament.AllSettings() {
		f := fields[s.Name]
		if s.RequestOnly {
			if f != nil {
				t.Errorf("the form has a field for %s", s.Name)
			}
			continue
		}
		if f == nil {
			t.Errorf("the form has no field for %s", s.Name)
			continue
		}
		e := tournament.Event{Rules: rules.GPCC2015, Size: rules.Full}
		want := map[string]string{"bot": "ann\nbob", "rules": "solo", "size": "3x3", "sprt": "elo0=0.0,elo1=5.0,alpha=0.1,beta=0.1"}[s.Name]
		switch value := s.Value(&e).(type) {
		case bool:
			f.Value, want = "on", "true"
		case time.Duration:
			want = "1m30s"
		case int, uint64, float64:
			want = "3"
		case string:
			if want == "" {
				want = append(s.Choices, "text")[0]
			}
		case []string:
		default:
			t.Errorf("%s: a value such as %v", s.Name, value)
		}
		if !f.Check {
			f.Value = " " + want + " "
		}
		if err := f.set(&e); err != nil || s.Text(&e) != want {
			t.Errorf("%s: %q is read as %q (%v)", s.Name, f.Value, s.Text(&e), err)
		}
		e.Settings.Openings.Starts, e.Settings.Plan.Open = []string{""}, tournament.OpenAll
		shown := false
		for _, fact := range archive.Facts(&e) {
			shown = shown || fact.Label == s.Noun() && fact.Text != ""
		}
		if elsewhere := s.Name == "bot" || s.Name == "name"; shown == elsewhere {
			t.Errorf("the page of an event shows %s: %v", s.Name, shown)
		}
		if f.Value = "\x00?"; !f.Check && !f.Many && s.Set(&e, f.Value) != nil {
			if err := f.set(&e); err == nil || !strings.HasPrefix(err.Error(), f.Label+": ") {
				t.Errorf("the error %v does not begin with the field's label %s", err, f.Label)
			}
		}
	}
}

// A fault of the database is not blamed on the form.
func TestFaultWhileCreating(t *testing.T) {
	e := recorded(t)
	if err := e.store.Close(); err != nil {
		t.Fatal(err)
	}
	form := url.Values{"bot": {"greedy\nrandom"}, "size": {"3x3"}, "matches": {"1"}, "concurrency": {"1"}, "do": {"preview"}}
	r := httptest.NewRequest(http.MethodPost, "/new", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	c := &creation{arena: server.New(server.Config{Log: e.log}), archive: e.archive, store: e.store}
	if err := c.create(httptest.NewRecorder(), r); err == nil || !strings.Contains(err.Error(), "looking for earlier games") {
		t.Errorf("with a closed database the preview fails by %v", err)
	}
}
