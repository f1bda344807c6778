package neural

// instructions are the multiplication functions for a processor. They are assembly code, or nil if there is
// none; then Go code does the same.
type instructions struct {
	name    string
	rows    int  // the number of rows in pair and in block
	pair    tile // these rows of two panels; nil if there are too few registers
	block   tile // these rows of one panel
	wide    tile // one row of four panels
	one     tile // one row of one panel
	add     func(out, weights *float32, panels, apart int)
	rectify func(x *float32, panels int)
}

// tile adds the products of some rows with some panels to the output.
type tile func(out, in, weights *float32, rows *int32, inputs, apart int)

// portable has no assembly code.
var portable = instructions{name: "Go"}

// chosen are the fastest instructions of this machine. They never change.
var chosen = supported()[0]

// multiply is MultiplyAdd with these instructions.
func (s *instructions) multiply(m *matrix, out, in []float32, rows []row) {
	if s.one == nil {
		m.multiplyPortable(out, in, rows)
		return
	}
	full := len(rows) / s.rows * s.rows // the rows in full blocks
	panels := m.Stride() / lanes
	if full > 0 {
		for panel := 0; panel < panels; {
			run, width := s.block, 1
			if s.pair != nil && panel+1 < panels {
				run, width = s.pair, 2
			}
			for r := 0; r < full; r += s.rows {
				m.tile(run, panel, out, in, rows[r:])
			}
			panel += width
		}
	}
	for r := full; r < len(rows); r++ {
		for panel := 0; panel < panels; {
			run, width := s.one, 1
			if panel+4 <= panels {
				run, width = s.wide, 4
			}
			m.tile(run, panel, out, in, rows[r:])
			panel += width
		}
	}
}

// tile runs a tile that begins with the given panel, on the first rows.
func (m *matrix) tile(run tile, panel int, out, in []float32, rows []row) {
	apart := m.in * lanes
	run(&out[panel*lanes], &in[0], &m.panels[panel*apart], &rows[0].In, m.in, 4*apart)
}

// addRows is AddRows with these instructions.
func (s *instructions) addRows(m *matrix, out []float32, picks []row) {
	if s.add == nil {
		m.addRowsPortable(out, picks)
		return
	}
	for _, r := range picks {
		s.add(&out[r.Out], &m.panels[int(r.In)*lanes], m.Stride()/lanes, 4*m.in*lanes)
	}
}

// rectifyAll is rectify with these instructions.
func (s *instructions) rectifyAll(x []float32) {
	panels := 0
	if s.rectify != nil && len(x) >= lanes {
		panels = len(x) / lanes
		s.rectify(&x[0], panels)
	}
	for i, v := range x[panels*lanes:] {
		if !(v > 0) {
			x[panels*lanes+i] = 0
		}
	}
}
