package learning_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"versus2048/lab/learning"
	"versus2048/lab/picture"
)

func TestCurve(t *testing.T) {
	curve := learning.Curve{
		{Games: 1000, Plies: 20_000, Time: 1500 * time.Millisecond, Score: 40.25, Won: 0, Error: 3},
		{Games: 2000, Plies: 50_000, Time: 3 * time.Second, Score: 60, Won: 0.125, Error: 1.25},
	}
	var text strings.Builder
	if err := curve.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	const want = "games,plies,seconds,score,won,error\n1000,20000,1.5,40.2,0.0000,3.00\n2000,50000,3.0,60.0,0.1250,1.25\n"
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
	for _, c := range []learning.Curve{nil, curve[:1], curve} {
		var plot bytes.Buffer
		if err := c.WritePlot(&plot, picture.SVG); err != nil || !strings.Contains(plot.String(), "mean score") {
			t.Errorf("%d points: %v, %.80s", len(c), err, plot.String())
		}
	}
}
