package record

import "fmt"

// AddSearch enters what was reported of the search behind the last move, nil
// if nothing was.
func (r *Record) AddSearch(s *SearchReport) {
	if s == nil && r.Searches == nil {
		return
	}
	for len(r.Searches) < len(r.Moves) {
		r.Searches = append(r.Searches, nil)
	}
	r.Searches[len(r.Moves)-1] = s
}

func searchForms(searches []*SearchReport) []*searchForm {
	var forms []*searchForm
	for _, s := range searches {
		var f *searchForm
		if s != nil {
			f = newSearchForm(s)
		}
		forms = append(forms, f)
	}
	return forms
}

// readSearches reads the reports and holds each against the position that was
// searched. All moves are known to be legal by now.
func (f *recordForm) readSearches(r *Record) error {
	if f.Searches == nil {
		return nil
	}
	r.Searches = make([]*SearchReport, len(f.Searches))
	for i, form := range f.Searches {
		if form != nil {
			r.Searches[i] = form.report()
		}
	}
	if err := r.CheckSearches(); err != nil {
		return &formError{tag: "Searches", err: err}
	}
	return nil
}

// CheckSearches returns an error if the searches are not one a move, or one of
// them can't be that of its position. All moves must be legal.
func (r *Record) CheckSearches() error {
	if r.Searches != nil && len(r.Searches) != len(r.Moves) {
		return fmt.Errorf("searches: %d entries for %d moves: want one a move", len(r.Searches), len(r.Moves))
	}
	p := r.Start
	for i, s := range r.Searches {
		if s != nil {
			if err := s.Check(p); err != nil {
				return fmt.Errorf("searches[%d]: %w", i, err)
			}
		}
		p = p.Next(r.Moves[i])
	}
	return nil
}
