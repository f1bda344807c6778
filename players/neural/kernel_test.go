package neural

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/players/clock"
)

// draw returns random numbers, a third of them 0.
func draw(random *rand.Rand, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		if random.IntN(3) > 0 {
			list[i] = float32(random.NormFloat64())
		}
	}
	return list
}

// product is a product to compute: rows of the input in any order, with gaps.
type product struct {
	matrix  *matrix
	weights []float32
	in, out []float32
	rows    []row
}

func newProduct(random *rand.Rand, inputs, outputs, count int) product {
	weights := draw(random, inputs*outputs)
	p := product{matrix: newMatrix(inputs, outputs, weights), weights: weights}
	stride := p.matrix.Stride() + 3
	p.in, p.out = draw(random, count*(inputs+1)), draw(random, count*stride)
	order := random.Perm(count)
	for i := range count {
		p.rows = append(p.rows, row{int32(i * (inputs + 1)), int32(order[i] * stride)})
	}
	return p
}

// exact returns the output in twice the precision.
func (p product) exact() []float64 {
	out := make([]float64, len(p.out))
	for i, v := range p.out {
		out[i] = float64(v)
	}
	for _, r := range p.rows {
		for k := range p.matrix.in {
			for column := range p.matrix.out {
				out[int(r.Out)+column] += float64(p.in[int(r.In)+k]) * float64(p.weights[k*p.matrix.out+column])
			}
		}
	}
	return out
}

// with returns the output by some instructions.
func (p product) with(s instructions) []float32 {
	out := slices.Clone(p.out)
	s.multiply(p.matrix, out, p.in, p.rows)
	return out
}

// products are numbers of inputs, outputs and rows, around the borders of all tiles.
func products() (list [][3]int) {
	for _, inputs := range []int{1, 2, 7, 64, 222} {
		for _, outputs := range []int{1, 15, 16, 17, 32, 48, 64, 65, 80, 222} {
			for _, rows := range []int{1, 3, 4, 7, 8, 9, 17} {
				list = append(list, [3]int{inputs, outputs, rows})
			}
		}
	}
	return list
}

// All instructions make the same product. Instructions that multiply and add at once make the same bits.
func TestInstructionsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, shape := range products() {
		p := newProduct(random, shape[0], shape[1], shape[2])
		exact := p.exact()
		var fused []float32
		for _, s := range supported() {
			got := p.with(s)
			for i, v := range got {
				if !(math.Abs(float64(v)-exact[i]) < 1e-5*(1+math.Sqrt(float64(shape[0])))) {
					t.Fatalf("%s, %v: number %d is %v, want %v", s.name, shape, i, v, exact[i])
				}
			}
			if s.one == nil {
				continue
			}
			if fused == nil {
				fused = got
			}
			if !slices.Equal(got, fused) {
				t.Errorf("%s, %v: other bits than with %s", s.name, shape, supported()[0].name)
			}
		}
	}
}

// The result of a row does not depend on the rows beside it.
func TestRowsAreIndependent(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, s := range supported() {
		p := newProduct(random, 37, 70, 21)
		together := p.with(s)
		alone := slices.Clone(p.out)
		for i := range p.rows {
			s.multiply(p.matrix, alone, p.in, p.rows[i:i+1])
		}
		if !slices.Equal(together, alone) {
			t.Errorf("%s: rows give other numbers alone than together", s.name)
		}
	}
}

// Picking rows gives the same bits as multiplying by 0 and 1.
func TestAddRows(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, s := range supported() {
		for _, outputs := range []int{1, 16, 33, 222} {
			p := newProduct(random, 13, outputs, 9)
			clear(p.in)
			var picks []row
			for _, r := range p.rows {
				k := random.IntN(13)
				p.in[int(r.In)+k] = 1
				picks = append(picks, row{int32(k), r.Out})
			}
			got := slices.Clone(p.out)
			s.addRows(p.matrix, got, picks)
			if want := p.with(s); !slices.Equal(got, want) {
				t.Errorf("%s, %d outputs: %v, want %v", s.name, outputs, got, want)
			}
		}
	}
}

func TestRectify(t *testing.T) {
	special := []float32{1, -1, 0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
	want := []float32{1, 0, 0, 0, 0, float32(math.Inf(1)), 0}
	for _, s := range supported() {
		for _, length := range []int{0, 1, 15, 16, 17, 48, 50} {
			x, expected := make([]float32, length), make([]float32, length)
			for i := range x {
				x[i], expected[i] = special[i%len(special)], want[i%len(want)]
			}
			s.rectifyAll(x)
			if !slices.Equal(x, expected) {
				t.Errorf("%s, %d numbers: %v, want %v", s.name, length, x, expected)
			}
		}
	}
}

// Rows beyond a slice never reach the assembly code.
func TestBounds(t *testing.T) {
	m, wide := newMatrix(3, 5, make([]float32, 15)), newMatrix(3, lanes+1, make([]float32, 3*(lanes+1)))
	for name, call := range map[string]func(out, in []float32){
		"input":          func(out, in []float32) { m.MultiplyAdd(out, in, []row{{In: 2}}) },
		"output":         func(out, in []float32) { m.MultiplyAdd(out, in, []row{{Out: 1}}) },
		"before":         func(out, in []float32) { m.MultiplyAdd(out, in, []row{{Out: -1}}) },
		"picked":         func(out, _ []float32) { m.AddRows(out, []row{{In: 3}}) },
		"picked, wide":   func(_, _ []float32) { wide.AddRows(make([]float32, 2*lanes), []row{{In: 3}}) },
		"picked, before": func(out, _ []float32) { m.AddRows(out, []row{{In: -1}}) },
		"picked, output": func(out, _ []float32) { m.AddRows(out, []row{{Out: 1}}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call(make([]float32, lanes), make([]float32, 4))
		})
	}
}

func TestAligned(t *testing.T) {
	for n := range 40 {
		if x := aligned(n); len(x) != n || cap(x) != n {
			t.Errorf("%d numbers: %d of %d", n, len(x), cap(x))
		}
	}
}

func BenchmarkMultiplyAdd(b *testing.B) {
	for _, shape := range [][3]int{{256, 256, 1}, {256, 256, 64}, {222, 222, 16}, {222, 222, 128}} {
		p := newProduct(rand.New(rand.NewPCG(1, 1)), shape[0], shape[1], shape[2])
		for _, s := range supported() {
			b.Run(fmt.Sprintf("%dx%d/rows=%d/%s", shape[0], shape[1], shape[2], s.name), func(b *testing.B) {
				before := clock.ProcessorTime()
				for b.Loop() {
					s.multiply(p.matrix, p.out, p.in, p.rows)
				}
				products := float64(shape[0]*shape[1]*shape[2]) * float64(b.N)
				b.ReportMetric(2*products/(clock.ProcessorTime()-before).Seconds()/1e9, "GFLOP/cpu-s")
			})
		}
	}
}
