// The files of this folder ask an arena for its metrics, raise alerts, and draw them.
package deploy_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readRules returns the text of a file for Prometheus.
func readRules(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("prometheus", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each metric that a file names is one of docs/schemas/metrics.json. A test of the arena compares that file with the
// arena's metrics.
func TestMetricsExist(t *testing.T) {
	var described struct {
		Metrics map[string]struct{ Type string }
	}
	if err := json.Unmarshal([]byte(readRules(t, "../../docs/schemas/metrics.json")), &described); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for name, metric := range described.Metrics {
		known[name] = true
		if metric.Type == "histogram" {
			known[name+"_bucket"], known[name+"_sum"], known[name+"_count"] = true, true, true
		}
	}
	for _, path := range []string{"alerts.yml", "alerts_test.yml", "dashboard.json"} {
		named := regexp.MustCompile(`versus2048_\w+`).FindAllString(readRules(t, path), -1)
		if len(named) < 5 {
			t.Errorf("%s names the metrics %q", path, named)
		}
		for _, name := range named {
			if !known[name] {
				t.Errorf("%s: docs/schemas/metrics.json has no %s", path, name)
			}
		}
	}
}

// Each alert has been tried, and names the steps to take.
func TestAlerts(t *testing.T) {
	alerts, tests := readRules(t, "alerts.yml"), readRules(t, "alerts_test.yml")
	untried := map[string]bool{"ArenaDiskSlow": true, "ArenaFull": true, "RequestsFail": true} // they need long series
	names := regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(alerts, -1)
	for _, name := range names {
		if strings.Contains(tests, name[1]) == untried[name[1]] {
			t.Errorf("%s: tried %v", name[1], !untried[name[1]])
		}
	}
	if advice := strings.Count(alerts, "advice: "); advice != len(names) || advice != strings.Count(alerts, "summary: ") {
		t.Errorf("%d alerts have %d pieces of advice", len(names), advice)
	}
}

func TestDashboard(t *testing.T) {
	var board struct {
		Title, UID string
		Panels     []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(readRules(t, "dashboard.json")), &board); err != nil {
		t.Fatal(err)
	}
	ids, places := map[int]bool{}, map[[2]int]bool{}
	for _, p := range board.Panels {
		place := [2]int{p.GridPos.X, p.GridPos.Y}
		if p.Title == "" || len(p.Targets) == 0 || ids[p.ID] || places[place] || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("panel %+v", p)
		}
		ids[p.ID], places[place] = true, true
	}
	if board.Title == "" || board.UID == "" || len(board.Panels) < 10 {
		t.Errorf("the dashboard is %+v", board)
	}
}
