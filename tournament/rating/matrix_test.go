package rating

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// somePositive returns a symmetric positive definite matrix with eigenvalues of at least 0.1.
func somePositive(random *rand.Rand, n int) matrix {
	root, scaled := newMatrix(n, n), newMatrix(n, n)
	for i := range n {
		scaled[i][i] = 1
		for j := range n {
			root[i][j] = random.NormFloat64()
		}
	}
	m := transformed(root, scaled)
	for i := range n {
		m[i][i] += 0.1
	}
	return m
}

func TestFactorsInvertAndSolve(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	for _, n := range []int{1, 2, 3, 10, 40} {
		m := somePositive(random, n)
		factors := factorize(m)
		inverse := factors.inverse()
		for i := range n {
			for j := range n {
				want := 0.0
				if i == j {
					want = 1
				}
				if got := floats.Dot(m[i], inverse[j]); math.Abs(got-want) > 1e-9 {
					t.Errorf("%d rows: entry %d, %d of a matrix times its inverse is %v", n, i, j, got)
				}
				if got := floats.Dot(factors[i], factors[j]); math.Abs(got-m[i][j]) > 1e-9 {
					t.Errorf("%d rows: entry %d, %d of the product of the factors is %v, want %v", n, i, j, got, m[i][j])
				}
			}
			if x := factors.solve(m[i]); math.Abs(x[i]-1) > 1e-9 || math.Abs(floats.Norm(x, 1)-1) > 1e-8 {
				t.Errorf("the solution for column %d is %v, want a unit vector", i, x)
			}
		}
	}
}

// A matrix that rounding has made singular still gives finite numbers.
func TestFactorsOfASingularMatrix(t *testing.T) {
	for _, row := range factorize(matrix{{1e12, 1e12}, {1e12, 1e12}}).inverse() {
		for _, x := range row {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("the inverse has %v", x)
			}
		}
	}
}

// slope returns the largest slope of the cost at its minimum, as a fraction of all matches.
func slope(n int, results []Result) float64 {
	d := newDavidson(n, results).withImaginaryBot(n, results)
	gradient := make([]float64, d.bots+1)
	d.gradient(gradient, d.cheapest())
	return floats.Norm(gradient, math.Inf(1)) / d.matches()
}

// Newton's method ends where no step lowers the cost.
func TestCheapestIsAMinimum(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 0))
	for range 100 {
		n := 2 + random.IntN(8)
		var results []Result
		for a := range n {
			for b := range a {
				most := int64(1) << random.IntN(20)
				results = append(results, Result{A: a, B: b, Matches: Trinomial{random.Int64N(most), random.Int64N(most) / 1000, random.Int64N(most)}})
			}
		}
		if slope := slope(n, results); !(slope < 1e-12) {
			t.Errorf("the slope at the minimum of %v is %v", results, slope)
		}
	}
}

// Full steps never end for these results: the expected points jump past the minimum and back.
func TestCheapestShortensSteps(t *testing.T) {
	results := []Result{{A: 0, B: 1, Matches: Trinomial{Win: 100_000}}, {A: 1, B: 2, Matches: Trinomial{Win: 1, Draw: 4}}}
	if slope := slope(3, results); !(slope < 1e-12) {
		t.Errorf("the slope at the minimum is %v", slope)
	}
}
