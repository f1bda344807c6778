package metrics

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	victoria "github.com/VictoriaMetrics/metrics"
)

// prefix begins the names of all metrics of the arena itself.
const prefix = "versus2048_"

// family is a metric. It has a series for each combination of values of its labels.
type family struct {
	set    *victoria.Set
	name   string
	labels []string
}

// family adds a metric. about is its help text.
func (m *Metrics) family(name, about string, labels ...string) family {
	m.about[prefix+name] = about
	return family{m.set, prefix + name, labels}
}

// series returns the name of the series with these values of the labels.
func (f family) series(values ...string) string {
	if len(f.labels) == 0 {
		return f.name
	}
	pairs := make([]string, len(f.labels))
	for i, label := range f.labels {
		pairs[i] = label + "=" + strconv.Quote(values[i])
	}
	return f.name + "{" + strings.Join(pairs, ",") + "}"
}

func (f family) counter(values ...string) *victoria.Counter {
	return f.set.GetOrCreateCounter(f.series(values...))
}

func (f family) seconds() *victoria.FloatCounter { return f.set.GetOrCreateFloatCounter(f.name) }

func (f family) gauge(values ...string) *victoria.Gauge {
	return f.set.GetOrCreateGauge(f.series(values...), nil)
}

func (f family) histogram(bounds []float64, values ...string) *victoria.PrometheusHistogram {
	return f.set.GetOrCreatePrometheusHistogramExt(f.series(values...), bounds)
}

// write writes the numbers of this moment, by the value of the only label; without labels the value is "".
func write[N int | int64 | float64](w io.Writer, f family, now map[string]N) {
	if len(now) == 0 {
		return
	}
	kind := "gauge"
	if strings.HasSuffix(f.name, "_total") {
		kind = "counter"
	}
	victoria.WriteMetadataIfNeeded(w, f.name, kind)
	for _, value := range slices.Sorted(maps.Keys(now)) {
		fmt.Fprintln(w, f.series(value), float64(now[value]))
	}
}

// alone returns the number of a metric without labels, for write.
func alone[N int | int64 | float64](n N) map[string]N { return map[string]N{"": n} }
