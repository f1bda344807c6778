package drawing

import (
	"bytes"
	"fmt"

	"rsc.io/qr"
)

// QRCode is a text as a square of black and white modules.
type QRCode struct{ code *qr.Code }

// QR returns the code of a text, such as an address. It returns an error for a text of more than about 2000 bytes.
func QR(text string) (QRCode, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return QRCode{}, fmt.Errorf("the QR code of %.60q: %w", text, err)
	}
	return QRCode{code}, nil
}

// Size is the number of modules of a side, without the white margin of 4 modules that readers need.
func (q QRCode) Size() int { return q.code.Size }

// Black reports whether the module in that column and row, from 0, is black. Modules outside are white.
func (q QRCode) Black(x, y int) bool { return q.code.Black(x, y) }

// margin is the width of the white margin, in modules.
const margin = 4

// SVG returns the code with its margin as a picture that scales.
func (q QRCode) SVG() []byte {
	var b bytes.Buffer
	side := q.Size() + 2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, side, side, side, side)
	for y := range q.Size() {
		for x := range q.Size() {
			if q.Black(x, y) {
				fmt.Fprintf(&b, "M%d %dh1v1h-1z", x+margin, y+margin)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.Bytes()
}
