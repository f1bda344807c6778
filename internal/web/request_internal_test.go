package web

import (
	"net/http/httptest"
	"testing"
)

// A page at the end of a list, or past it, shows no item.
func TestPager(t *testing.T) {
	for query, want := range map[string]pager{
		"":           {0, 50, 120, 1, 50, "", "?offset=50"},
		"offset=100": {100, 50, 120, 101, 120, "?offset=50", ""},
		"offset=119": {119, 50, 120, 120, 120, "?offset=69", ""},
		"offset=120": {120, 50, 120, 0, 120, "?offset=70", ""},
		"offset=999": {120, 50, 120, 0, 120, "?offset=70", ""},
	} {
		if got, err := pagerOf(httptest.NewRequest("GET", "/?"+query, nil), "offset", 120, 50); err != nil || got != want {
			t.Errorf("%q: %+v, error %v, want %+v", query, got, err, want)
		}
	}
}
