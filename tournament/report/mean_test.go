package report

import "testing"

func TestMean(t *testing.T) {
	var m Mean
	if i := m.Interval(); !i.Value.Absent() || !i.Low.Absent() {
		t.Errorf("nothing has the mean %+v", i)
	}
	m.Add(10)
	if i := m.Interval(); i.Value.Value != 10 || !i.Low.Absent() || i.Low.Needs != "needs 2 games" {
		t.Errorf("one number has the mean %+v", i)
	}
	var other Mean
	for n := range 400 {
		m.Add(float64(n % 20))
		other.Add(float64((399 - n) % 20))
		if n == 0 || n == 100 {
			continue
		}
		if i := m.Interval(); n%50 == 0 && !(i.Low.Value <= i.Value.Value && i.Value.Value <= i.High.Value) {
			t.Errorf("after %d numbers the interval is %+v", n, i)
		}
	}
	other.Add(10)
	if a, b := m.Interval(), other.Interval(); a != b || m.Games() != 401 {
		t.Errorf("in another order the interval is %+v instead of %+v", b, a)
	}
	if i := m.Interval(); i.High.Value-i.Low.Value > 1.5 || i.High.Value-i.Low.Value < 0.5 {
		t.Errorf("the interval of 401 numbers with a deviation of 5.8 is %+v, want a width of about 1.1", i)
	}
}
