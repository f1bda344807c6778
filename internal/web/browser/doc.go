// Package browser is the champion as visitors' browsers run it: a search that is asked about positions in JSON. The
// program in the folder wasm joins it to JavaScript.
package browser
