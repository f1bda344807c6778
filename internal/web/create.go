package web

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/web/archive"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/recipe"
	"versus2048/tournament/report"
)

// creation is the form of a new event.
type creation struct {
	pages   *pages
	arena   *server.Server
	archive *archive.Archive
	store   *results.Store
}

// fieldGroup is a part of the form of an event.
type fieldGroup struct {
	Title  tournament.Group
	Fields []*eventField
	Folded string        // the title of the fields in More
	More   []*eventField // the fields that few events need
}

// Open reports whether the fields in More are shown at once: one of them is filled in, or belongs to the chosen format.
func (g *fieldGroup) Open() bool {
	return slices.ContainsFunc(g.More, func(f *eventField) bool { return f.Value != "" || f.Needed })
}

// eventField is a setting of an event in the form.
type eventField struct {
	tournament.Setting
	Value       string // as typed, or the default
	Check, Many bool   // a box to tick; a field of several lines
	Needed      bool   // whether the chosen format has this setting
	Wrong       bool   // whether the value cannot be read
}

// eventForm returns the form with its defaults.
func eventForm() []*fieldGroup {
	form := []*fieldGroup{
		{Title: tournament.BotGroup, Folded: "Limits of a search"},
		{Title: tournament.FormatGroup, Folded: "For one format only"},
		{Title: tournament.GameGroup, Folded: "Limits, resigning, faults"},
		{Title: tournament.ClockGroup, Folded: "Absences, late moves"},
	}
	for _, s := range tournament.AllSettings() {
		i := slices.IndexFunc(form, func(g *fieldGroup) bool { return g.Title == s.Group })
		switch {
		case s.RequestOnly:
		case s.Rank == tournament.Rare:
			form[i].More = append(form[i].More, newField(s))
		default:
			form[i].Fields = append(form[i].Fields, newField(s))
		}
	}
	return form
}

// newField returns the field of a setting with its default.
func newField(s tournament.Setting) *eventField {
	f := &eventField{Setting: s, Value: s.Usual}
	switch s.Value(&tournament.Event{}).(type) {
	case bool:
		f.Check = true
	case []string:
		f.Many = true
	}
	if s.Choices != nil && s.Usual == "" {
		f.Choices = append([]string{""}, s.Choices...)
	}
	return f
}

// Advice explains the field, and the meaning of an empty field.
func (f *eventField) Advice() string {
	advice := f.Meaning()
	if f.Many {
		advice += "; one a line"
	}
	if f.Otherwise != "" && f.Usual == "" {
		advice += "; empty: " + f.Otherwise
	}
	return advice
}

// fieldsOf returns all fields of a form.
func fieldsOf(form []*fieldGroup) (all []*eventField) {
	for _, g := range form {
		all = append(append(all, g.Fields...), g.More...)
	}
	return all
}

// set sets the setting of an event to the value that was typed. If nothing was typed, the setting stays as it is.
func (f *eventField) set(e *tournament.Event) error {
	text := strings.TrimSpace(f.Value)
	switch {
	case text == "":
		return nil
	case f.Check:
		text = strconv.FormatBool(text == "on")
	}
	if err := f.Set(e, text); err != nil {
		return fmt.Errorf("%s: %w", f.Label, err)
	}
	return nil
}

// newPage is the form of an event, with a preview once it is filled in.
type newPage struct {
	Form          []*fieldGroup
	Problem       string
	Ready         bool // the event can be played
	Total         tournament.Total
	Forecast      report.Forecast
	Bots          []tournament.Entry
	Available     []string // bots that can play: the connected ones, and the kinds that the arena starts
	IsProgram     func(bot string) bool
	Command, TOML string
}

func (c *creation) show(w http.ResponseWriter, r *http.Request) error {
	page := newPage{Form: eventForm()}
	if r.FormValue("from") != "" {
		id, err := numberIn(r, "from", "event")
		if err != nil {
			return err
		}
		x, err := c.archive.Event(r.Context(), id, 0)
		if err != nil {
			return err
		}
		copyEvent(page.Form, x.Event)
	}
	return c.showPage(w, r, page)
}

// copyEvent fills in the form with an earlier event.
func copyEvent(form []*fieldGroup, earlier tournament.Event) {
	again, settings := recipe.Again(earlier)
	for _, f := range fieldsOf(form) {
		f.Needed = slices.Contains(f.Formats, again.Settings.Plan.Kind)
		changed := slices.ContainsFunc(settings, func(s tournament.Setting) bool { return s.Name == f.Name })
		switch {
		case f.Check && f.Setting.Value(&again) == true:
			f.Value = "on"
		case f.Name == "bot" || changed && !f.Check:
			f.Value = f.Text(&again)
		}
	}
}

func (c *creation) showPage(w http.ResponseWriter, r *http.Request, page newPage) error {
	for _, b := range c.arena.Bots() {
		page.Available = append(page.Available, b.Name)
	}
	for _, k := range opponents() {
		page.Available = append(page.Available, k.Name)
	}
	return c.pages.show(w, r, "new", view{status: statusOf(page.Problem), Title: "New event", Section: "new", Modules: []string{"new.js"}, Body: page})
}

// create shows a preview of the event, or starts it. The typed texts stay in the form.
func (c *creation) create(w http.ResponseWriter, r *http.Request) error {
	page := newPage{Form: eventForm()}
	fields := fieldsOf(page.Form)
	for _, f := range fields {
		f.Value = strings.ReplaceAll(plain.TrimBOM(r.PostFormValue(f.Name)), "\r\n", "\n")
		f.Needed = slices.Contains(f.Formats, r.PostFormValue("format"))
	}
	e, err := typedEvent(fields)
	if err != nil {
		err = &server.RequestError{Err: err}
	} else {
		err = c.preview(&page, e, r)
	}
	if err == nil && r.PostFormValue("do") == "start" {
		var id int64
		if id, err = c.arena.Start(r.Context(), e); err == nil {
			http.Redirect(w, r, fmt.Sprintf("/events/%d", id), http.StatusSeeOther)
			return nil
		}
	}
	var refused *server.RequestError // for the visitor; another error is the arena's
	switch {
	case errors.As(err, &refused):
		page.Problem, page.Ready = err.Error(), false
	case err != nil:
		return err
	}
	return c.showPage(w, r, page)
}

// typedEvent returns the event in a form. If a value cannot be read, typedEvent marks the first such field as wrong, and
// returns an error. It also returns an error if the fields do not fit together.
func typedEvent(fields []*eventField) (e tournament.Event, err error) {
	recipe.Prepare(&e)
	for _, f := range fields {
		if err := f.set(&e); err != nil {
			f.Wrong = true
			return e, err
		}
	}
	err = recipe.Complete(&e, recipe.LoadDrawnOpenings)
	return e, err
}

// preview fills in the preview of the event. It returns a *server.RequestError for an event that cannot be played.
func (c *creation) preview(page *newPage, e tournament.Event, r *http.Request) error {
	if len(e.Bots) < 2 && e.Settings.Plan.Open == tournament.Closed {
		return &server.RequestError{Err: fmt.Errorf("too few bots (%d): write at least two, one a line", len(e.Bots))}
	}
	resolved, err := c.arena.Resolve(e)
	if err != nil {
		return &server.RequestError{Err: err}
	}
	page.IsProgram = resolved.Settings.IsProgram
	page.Ready, page.Bots, page.Total = true, resolved.Entries, format.New(resolved).Total()
	if page.Forecast, err = c.store.Forecast(r.Context(), resolved); err != nil {
		return err
	}
	page.Command, page.TOML = recipe.Command(e, origin(r)), recipe.TOML(e)
	return nil
}
