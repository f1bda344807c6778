package neural

import "unsafe"

// lanes is the number of columns in a panel of a matrix: the numbers in a vector of AVX-512.
const lanes = 16

// row pairs an input with a row of the output. Out is the index of the row's first number. In is the index of the
// input's first number for MultiplyAdd, and the number of a row of the matrix for AddRows.
type row struct{ In, Out int32 }

// matrix holds the weights of a tap. It does not change and is safe for concurrent use.
type matrix struct {
	in, out int
	panels  []float32 // all rows of the first lanes columns, then all rows of the next ones, and so on
}

// newMatrix returns a matrix with in rows and out columns, both at least 1. The weights are row by row.
func newMatrix(in, out int, weights []float32) *matrix {
	m := &matrix{in: in, out: out}
	m.panels = aligned(in * m.Stride())
	for row := range in {
		for column := range out {
			m.panels[(column/lanes*in+row)*lanes+column%lanes] = weights[row*out+column]
		}
	}
	return m
}

// padded returns n rounded up to a multiple of lanes: the size in memory of a row of n channels.
func padded(n int) int { return (n + lanes - 1) / lanes * lanes }

// Stride returns the size of an output row: the columns, and zeros up to a multiple of lanes.
func (m *matrix) Stride() int { return padded(m.out) }

// Bytes returns the memory of the matrix in bytes.
func (m *matrix) Bytes() int { return 4 * len(m.panels) }

// aligned returns n zeros at an address that is fastest for vectors.
func aligned(n int) []float32 {
	all := make([]float32, n+lanes)
	past := int(uintptr(unsafe.Pointer(unsafe.SliceData(all)))/4) % lanes // #nosec G103 -- only its remainder is used
	from := (lanes - past) % lanes
	return all[from : from+n : from+n]
}

// MultiplyAdd adds to each row of out the product of its row of in with the matrix: for row r, in[r.In:] times
// the matrix is added to out[r.Out:]. A row of out has Stride numbers. MultiplyAdd panics if a row does not fit
// into its slice.
func (m *matrix) MultiplyAdd(out, in []float32, rows []row) {
	for _, r := range rows { // the assembly code does not check
		_, _ = out[r.Out:][:m.Stride()], in[r.In:][:m.in]
	}
	chosen.multiply(m, out, in, rows)
}

// AddRows adds to each row of out a row of the matrix: for pick r, row r.In is added to out[r.Out:]. This is
// MultiplyAdd for an input that is 1 once and otherwise 0, with the same bits. It panics if a row does not fit
// into its slice or is not in the matrix.
func (m *matrix) AddRows(out []float32, picks []row) {
	for _, r := range picks {
		_, _ = out[r.Out:][:m.Stride()], m.panels[:m.in*lanes][int(r.In)*lanes]
	}
	chosen.addRows(m, out, picks)
}

// rectify replaces all numbers that are not above 0 by 0.
func rectify(x []float32) { chosen.rectifyAll(x) }

// multiplyPortable is MultiplyAdd in Go.
func (m *matrix) multiplyPortable(out, in []float32, rows []row) {
	for panel := 0; panel < m.Stride(); panel += lanes {
		weights := m.panels[panel*m.in:][:m.in*lanes]
		for _, r := range rows {
			sum := (*[lanes]float32)(out[int(r.Out)+panel:])
			for k, x := range in[r.In:][:m.in] {
				if x == 0 { // half of a rectifier's outputs are 0
					continue
				}
				for i, w := range (*[lanes]float32)(weights[k*lanes:]) {
					sum[i] += x * w
				}
			}
		}
	}
}

// addRowsPortable is AddRows in Go.
func (m *matrix) addRowsPortable(out []float32, picks []row) {
	stride := m.Stride()
	for _, r := range picks {
		to := out[r.Out:][:stride]
		for panel := 0; panel < stride; panel += lanes {
			sum := (*[lanes]float32)(to[panel:])
			for i, w := range (*[lanes]float32)(m.panels[panel*m.in+int(r.In)*lanes:]) {
				sum[i] += w
			}
		}
	}
}
