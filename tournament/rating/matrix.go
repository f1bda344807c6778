package rating

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// matrix is a square matrix, row by row. The matrices of gonum would add 2.6 MB to a program: their interfaces keep all
// of LAPACK in it.
type matrix [][]float64

func newMatrix(n int) matrix {
	m := make(matrix, n)
	all := make([]float64, n*n)
	for i := range m {
		m[i] = all[i*n : (i+1)*n : (i+1)*n]
	}
	return m
}

// factorize returns the lower triangle L with L times its transpose equal to m (Cholesky), which must be symmetric and
// positive definite. A pivot that rounding has lost becomes a small one.
func factorize(m matrix) matrix {
	l := newMatrix(len(m))
	for i := range m {
		for j := range i {
			l[i][j] = (m[i][j] - floats.Dot(l[i][:j], l[j][:j])) / l[j][j]
		}
		pivot := m[i][i] - floats.Dot(l[i][:i], l[i][:i])
		l[i][i] = math.Sqrt(max(pivot, m[i][i]*rounding, math.SmallestNonzeroFloat32))
	}
	return l
}

// rounding is the precision of a number, as a part of it.
const rounding = 0x1p-52

// solve returns x with L times its transpose times x equal to b.
func (l matrix) solve(b []float64) []float64 {
	x := make([]float64, len(l))
	for i := range l {
		x[i] = (b[i] - floats.Dot(l[i][:i], x[:i])) / l[i][i]
	}
	for i := len(l) - 1; i >= 0; i-- {
		x[i] /= l[i][i]
		floats.AddScaled(x[:i], -x[i], l[i][:i])
	}
	return x
}

// inverse returns the inverse of L times its transpose.
func (l matrix) inverse() matrix {
	m := newMatrix(len(l))
	for i := range l {
		unit := make([]float64, len(l))
		unit[i] = 1
		copy(m[i], l.solve(unit))
	}
	return m
}
