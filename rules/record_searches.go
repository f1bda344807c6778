package rules

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
	if f.Searches != nil && len(f.Searches) != len(r.Moves) {
		return &formError{tag: "Searches", err: fmt.Errorf("searches: %d entries for %d moves: want one a move", len(f.Searches), len(r.Moves))}
	}
	p := r.Start
	for i, form := range f.Searches {
		var s *SearchReport
		if form != nil {
			s = form.report()
			if err := s.Check(p); err != nil {
				return &formError{tag: "Searches", err: fmt.Errorf("searches[%d]: %w", i, err)}
			}
		}
		r.Searches = append(r.Searches, s)
		p = p.Next(r.Moves[i])
	}
	return nil
}
