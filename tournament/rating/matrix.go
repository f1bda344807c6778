package rating

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// matrix is a matrix, row by row. Package mat of gonum would add all of LAPACK to the programs, 2 MB.
type matrix [][]float64

func newMatrix(rows, columns int) matrix {
	m, all := make(matrix, rows), make([]float64, rows*columns)
	for i := range m {
		m[i] = all[i*columns : (i+1)*columns]
	}
	return m
}

// transformed returns the covariance of j x if v is the covariance of x.
func transformed(j, v matrix) matrix {
	covariance, half := newMatrix(len(j), len(j)), make([]float64, len(v))
	for i := range j {
		for k := range v {
			half[k] = floats.Dot(j[i], v[k])
		}
		for k := range i + 1 {
			covariance[i][k] = floats.Dot(half, j[k])
			covariance[k][i] = covariance[i][k]
		}
	}
	return covariance
}

// factor is the lower triangle L of the Cholesky factorization of a symmetric positive definite matrix: the matrix is L
// times the transpose of L.
type factor matrix

// factorize returns the factor of m. It reads only the lower triangle of m. A pivot that is
// smaller than the rounding errors becomes as large as they are.
func factorize(m matrix) factor {
	l := factor(newMatrix(len(m), len(m)))
	for i, row := range l {
		for j := range i {
			row[j] = (m[i][j] - floats.Dot(row[:j], l[j][:j])) / l[j][j]
		}
		pivot := m[i][i] - floats.Dot(row[:i], row[:i])
		row[i] = math.Sqrt(max(pivot, rounding*m[i][i]))
	}
	return l
}

// rounding is the relative precision of a number.
const rounding = 0x1p-52

// solve returns x for which the matrix times x is b.
func (l factor) solve(b []float64) []float64 {
	x := make([]float64, len(l))
	for i, row := range l {
		x[i] = (b[i] - floats.Dot(row[:i], x[:i])) / row[i]
	}
	for i := len(l) - 1; i >= 0; i-- {
		x[i] /= l[i][i]
		floats.AddScaled(x[:i], -x[i], l[i][:i])
	}
	return x
}

// inverse returns the inverse of the matrix.
func (l factor) inverse() matrix {
	m, unit := make(matrix, len(l)), make([]float64, len(l))
	for i := range l {
		unit[i] = 1
		m[i] = l.solve(unit)
		unit[i] = 0
	}
	return m
}
