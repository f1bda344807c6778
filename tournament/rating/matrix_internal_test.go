package rating

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// drawResults returns results of n bots against some of the others, from lopsided to even.
func drawResults(random *rand.Rand, n int) (results []Result) {
	for a := range n {
		for range 1 + random.IntN(4) {
			b, most := random.IntN(n), 1+random.Int64N(1<<random.IntN(14))
			if b != a {
				results = append(results, Result{A: a, B: b, Matches: Trinomial{random.Int64N(most), random.Int64N(most), random.Int64N(most)}})
			}
		}
	}
	return results
}

// The parameters and their covariance are those of gonum.
func TestFitAgreesWithGonum(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		n := 2 + random.IntN(25)
		results := drawResults(random, n)
		d := newDavidson(n, results).withImaginaryBot(n, results)
		x, covariance := d.fit()

		symmetric := func(hessian *mat.SymDense, x []float64) {
			m := newMatrix(len(x))
			d.hessian(m, x)
			for i, row := range m {
				for j := i; j < len(row); j++ {
					hessian.SetSym(i, j, row[j])
				}
			}
		}
		problem := optimize.Problem{Func: d.cost, Grad: d.gradient, Hess: symmetric}
		want, _ := optimize.Minimize(problem, make([]float64, len(x)), nil, &optimize.Newton{GradStopThreshold: precision * d.matches()})
		for i := range x {
			if math.Abs(x[i]-want.X[i]) > 1e-6 {
				t.Fatalf("%d bots: parameter %d is %v, want %v", n, i, x[i], want.X[i])
			}
		}
		information, inverse := mat.NewSymDense(len(x), nil), mat.NewSymDense(len(x), nil)
		symmetric(information, x)
		var factors mat.Cholesky
		if !factors.Factorize(information) {
			t.Fatal("gonum found no factors")
		}
		_ = factors.InverseTo(inverse)
		for i, row := range covariance {
			for j, got := range row {
				scale := math.Sqrt(inverse.At(i, i) * inverse.At(j, j))
				if math.Abs(got-inverse.At(i, j)) > 1e-9*scale {
					t.Fatalf("%d bots: covariance %d, %d is %v, want %v", n, i, j, got, inverse.At(i, j))
				}
			}
		}
	}
}
