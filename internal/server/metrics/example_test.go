package metrics_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"versus2048/internal/server/metrics"
	"versus2048/tournament"
)

func Example() {
	var watcher tournament.Watcher
	mux := http.NewServeMux()
	m := metrics.New("v1.2.3")
	watcher = m.Watch(watcher) // a tournament.Watcher: plies and games are counted on their way
	m.Show(func() metrics.State { return metrics.State{Connected: 2} })
	mux.Handle("GET /metrics", m.Handler())

	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), "bots{") {
			fmt.Println(lines.Text())
		}
	}
	// Output:
	// versus2048_bots{state="away"} 0
	// versus2048_bots{state="connected"} 2
	// versus2048_bots{state="guests"} 0
}
