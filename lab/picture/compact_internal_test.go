package picture

import "testing"

// A drawing keeps its styles, each once for elements in a row.
func TestShort(t *testing.T) {
	const drawing = "<svg viewBox=\"0 0 9 9\">\n<g transform=\"scale(1, -1)\">\n" +
		"<path d=\"M0,0\" style=\"fill:none;stroke:#0072B2\" />\n<path d=\"M1,0\" style=\"fill:none;stroke:#0072B2\" />\n" +
		"<text x=\"8\" y=\"-9\" transform=\"scale(1, -1)\"\n\tstyle=\"font-family:Liberation Sans,sans-serif;font-weight:normal;fill:#1E1E1E\">a</text>\n</g>\n</svg>\n"
	const want = "<svg viewBox=\"0 0 9 9\">\n<g transform=\"scale(1, -1)\">\n" +
		"<g fill=\"none\" stroke=\"#0072B2\">\n<path d=\"M0,0\"/>\n<path d=\"M1,0\"/>\n</g>\n\n" +
		"<g transform=\"scale(1, -1)\" font-family=\"Liberation Sans,sans-serif\" fill=\"#1E1E1E\">\n<text x=\"8\" y=\"-9\">a</text>\n</g>\n</g>\n</svg>\n"
	if got := string(compact([]byte(drawing))); got != want {
		t.Errorf("%s", got)
	}
	if got := string(compact([]byte("<svg>\n</svg>\n"))); got != "<svg>\n</svg>\n" {
		t.Errorf("%q", got)
	}
}
