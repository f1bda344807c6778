package results

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"versus2048/rules/record"
)

// formatSearches writes the reports of consecutive plies, nil if there is none.
func formatSearches(searches []*record.SearchReport) ([]byte, error) {
	if !slices.ContainsFunc(searches, func(s *record.SearchReport) bool { return s != nil }) {
		return nil, nil
	}
	return json.Marshal(searches)
}

// parseSearches undoes formatSearches.
func parseSearches(text []byte) (searches []*record.SearchReport, err error) {
	if text != nil {
		err = json.Unmarshal(text, &searches)
	}
	return searches, err
}

// packSearches compresses what formatSearches writes.
func packSearches(searches []*record.SearchReport) ([]byte, error) {
	text, err := formatSearches(searches)
	if text == nil {
		return nil, err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}

// unpackSearches undoes packSearches.
func unpackSearches(packed []byte) ([]*record.SearchReport, error) {
	if packed == nil {
		return nil, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	var text []byte
	if err == nil {
		text, err = io.ReadAll(r)
	}
	var searches []*record.SearchReport
	if err == nil {
		searches, err = parseSearches(text)
	}
	if err != nil {
		return nil, fmt.Errorf("the packed search reports are damaged: %w", err)
	}
	return searches, nil
}
