package exact

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// FuzzTable reads tables with a right header and checksum and any other content: somebody may have made them on
// purpose. Questions about positions are answered, or refused.
func FuzzTable(f *testing.F) {
	small := rules.Size{Width: 2, Height: 2}
	for i, r := range rules.Rulesets() {
		content, err := os.ReadFile(filepath.Join("testdata", r.String()+"-2x2.table"))
		if err != nil {
			f.Fatal(err)
		}
		header, _, err := readHeader(content)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), uint16(header.Layers), content[headerBytes:len(content)-checksumBytes], []byte{0, 1, 2, 3, 4, 5})
	}
	f.Fuzz(func(t *testing.T, ruleset uint8, layers uint16, body, choices []byte) {
		table := newTable(Game{rules.Rulesets()[int(ruleset)%len(rules.Rulesets())], small}, int(layers))
		for i := range min(len(table.layers), len(body)/directoryEntry) { // so that the header counts the states
			table.layers[i].states = int(binary.LittleEndian.Uint32(body[i*directoryEntry:]))
		}
		content := sealed(append(table.header(), body...))
		testkit.CheckAllocation(t, len(content), 32, func() {
			if table, err := Read(content); err == nil {
				ask(t, table, choices[:min(len(choices), 100)])
			}
		})
	})
}

// sealed returns the content of a file with its size and its checksum. content ends before the checksum.
func sealed(content []byte) []byte {
	binary.LittleEndian.PutUint64(content[headerBytes-8:], uint64(len(content)+checksumBytes))
	return binary.LittleEndian.AppendUint32(content, crc32.Checksum(content, castagnoli))
}

// A table of games from another board or with another number of states, and bytes after the last layer, are refused
// although the checksum is right.
func TestForgedTable(t *testing.T) {
	content, err := os.ReadFile("testdata/solo-2x2.table")
	if err != nil {
		t.Fatal(err)
	}
	whole := content[:len(content)-checksumBytes]
	started := bytes.Clone(whole)
	started[headerBytes-24] = 1 // the first byte of Start
	counted := bytes.Clone(whole)
	counted[headerBytes-16]++ // the first byte of States
	for _, c := range []struct {
		content []byte
		want    string
	}{
		{whole, "<nil>"},
		{counted, "its header counts"},
		{started, "its header is invalid"},
		{append(bytes.Clone(whole), 7), "bytes follow its last layer"},
	} {
		if _, err := Read(sealed(bytes.Clone(c.content))); !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// ask asks a table about the positions of a game. choices select the moves of the game.
func ask(t *testing.T, table *Table, choices []byte) {
	p := rules.NewPosition(table.Rules(), table.Size())
	for _, choice := range choices {
		values, err := table.Moves(p)
		if err == nil && len(values) != len(p.AppendMoves(nil)) {
			t.Errorf("%v has the values %v", p, values)
		}
		if _, err := table.PrincipalVariation(p); err != nil && p.Over() {
			return
		}
		legal := p.AppendMoves(nil)
		if len(legal) == 0 {
			return
		}
		p = p.Next(legal[int(choice)%len(legal)])
	}
}
