package metrics

import (
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// troubles reads the number of troubles at each scrape.
type troubles struct {
	counts func() map[string]int
	now    *prometheus.Desc
}

// ShowTroubles adds the number of troubles of every kind at each scrape. counts must be quick, and may be called by
// several goroutines.
func (m *Metrics) ShowTroubles(counts func() map[string]int) {
	m.registry.MustRegister(&troubles{counts, desc("troubles", "Troubles of the arena, by kind (docs/WEBHOOKS.md); /api/status has the texts.", "kind")})
}

// Describe implements prometheus.Collector.
func (t *troubles) Describe(to chan<- *prometheus.Desc) { to <- t.now }

// Collect implements prometheus.Collector.
func (t *troubles) Collect(to chan<- prometheus.Metric) {
	counts := t.counts()
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		to <- number(t.now, prometheus.GaugeValue, float64(counts[kind]), kind)
	}
}
