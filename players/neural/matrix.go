package kernel

import "unsafe"

// Lanes is the number of columns in a panel of a matrix: the numbers in a vector of AVX-512.
const Lanes = 16

// Row is a part of the input and the part of the output that belongs to it: both are indexes of the first
// number.
type Row struct{ In, Out int32 }

// Matrix is the weights of a layer. It does not change and is safe for concurrent use.
type Matrix struct {
	in, out int
	panels  []float32 // for each Lanes columns, all their rows
}

// NewMatrix returns a matrix with in rows and out columns, both at least 1. The weights are row by row.
func NewMatrix(in, out int, weights []float32) *Matrix {
	m := &Matrix{in: in, out: out}
	m.panels = Aligned(in * m.Stride())
	for row := range in {
		for column := range out {
			m.panels[(column/Lanes*in+row)*Lanes+column%Lanes] = weights[row*out+column]
		}
	}
	return m
}

// Padded returns the next multiple of Lanes: the size in memory of a row of n channels.
func Padded(n int) int { return (n + Lanes - 1) / Lanes * Lanes }

// Stride returns the size of an output row: the columns, and zeros up to a multiple of Lanes.
func (m *Matrix) Stride() int { return Padded(m.out) }

// Bytes returns the memory of the matrix in bytes.
func (m *Matrix) Bytes() int { return 4 * len(m.panels) }

// Aligned returns n zeros at an address that is fastest for vectors.
func Aligned(n int) []float32 {
	all := make([]float32, n+Lanes)
	past := int(uintptr(unsafe.Pointer(unsafe.SliceData(all)))/4) % Lanes // #nosec G103 -- only its remainder is used
	from := (Lanes - past) % Lanes
	return all[from : from+n : from+n]
}

// MultiplyAdd adds to each row of out the product of its row of in with the matrix: for row r, in[r.In:] times
// the matrix is added to out[r.Out:]. A row of out has Stride numbers. MultiplyAdd panics if a row does not fit
// into its slice.
func (m *Matrix) MultiplyAdd(out, in []float32, rows []Row) {
	for _, r := range rows { // the assembly code does not check
		_, _ = out[r.Out:][:m.Stride()], in[r.In:][:m.in]
	}
	chosen.multiply(m, out, in, rows)
}

// AddRows adds to each row of out a row of the matrix: for pick r, row r.In is added to out[r.Out:]. This is
// MultiplyAdd for an input that is 1 once and otherwise 0, with the same bits. It panics if a row does not fit
// into its slice or is not in the matrix.
func (m *Matrix) AddRows(out []float32, picks []Row) {
	for _, r := range picks {
		_, _ = out[r.Out:][:m.Stride()], m.panels[int(r.In)*Lanes:m.in*Lanes]
	}
	chosen.addRows(m, out, picks)
}

// Rectify replaces all numbers that are not above 0 by 0.
func Rectify(x []float32) { chosen.rectifyAll(x) }

// multiplyPortable is MultiplyAdd in Go.
func (m *Matrix) multiplyPortable(out, in []float32, rows []Row) {
	for panel := 0; panel < m.Stride(); panel += Lanes {
		weights := m.panels[panel*m.in:][:m.in*Lanes]
		for _, r := range rows {
			sum := (*[Lanes]float32)(out[int(r.Out)+panel:])
			for k, x := range in[r.In:][:m.in] {
				if x == 0 { // half of a rectifier's outputs are 0
					continue
				}
				for i, w := range (*[Lanes]float32)(weights[k*Lanes:]) {
					sum[i] += x * w
				}
			}
		}
	}
}

// addRowsPortable is AddRows in Go.
func (m *Matrix) addRowsPortable(out []float32, picks []Row) {
	stride := m.Stride()
	for _, r := range picks {
		to := out[r.Out:][:stride]
		for panel := 0; panel < stride; panel += Lanes {
			sum := (*[Lanes]float32)(to[panel:])
			for i, w := range (*[Lanes]float32)(m.panels[panel*m.in+int(r.In)*Lanes:]) {
				sum[i] += w
			}
		}
	}
}
