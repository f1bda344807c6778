package drawing

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// QRCode is a text as a square of black and white modules.
type QRCode struct{ code *qr.Code }

// QR returns the code of a text, such as an address. It returns an error for a text of more than about 2300 bytes.
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

// Side is the number of modules of a side with the margin.
func (q QRCode) Side() int { return q.Size() + 2*margin }

// Path returns the black modules as the path of an SVG picture of Side by Side units.
func (q QRCode) Path() string {
	var b strings.Builder
	for y := range q.Size() {
		for x := range q.Size() {
			if q.Black(x, y) {
				fmt.Fprintf(&b, "M%d %dh1v1h-1z", x+margin, y+margin)
			}
		}
	}
	return b.String()
}
