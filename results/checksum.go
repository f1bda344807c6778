package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"

	"versus2048/rules"
)

// A game's checksum is the version of the way in which it is computed, one byte, followed by the
// beginning of a hash.
const (
	checksumVersion = 1
	checksumBytes   = 16 // of the hash
)

// sum returns the checksum of everything that is on record of a finished game. A field that is
// empty or zero does not count, so a column that is added later leaves older checksums valid.
func (row *gameRow) sum() []byte {
	h := fieldHash{sha256.New()}
	h.number("id", row.id)
	h.number("event", row.event)
	h.number("match", int64(row.pairing.Match))
	h.number("round", int64(row.pairing.Round))
	h.number("nth", int64(row.pairing.Nth))
	h.text("first", row.pairing.First)
	h.text("second", row.pairing.Second)
	h.number("leg", int64(row.leg))
	h.text("attacker", row.attacker)
	h.text("defender", row.defender)
	h.number("attacker_seed", int64(row.attackerSeed))
	h.number("defender_seed", int64(row.defenderSeed))
	h.text("start", row.start)
	h.text("started", row.started)
	h.text("finished", row.finished)
	h.text("ending", row.ending)
	h.text("detail", row.detail)
	h.bytes("turns", row.turns)
	h.bytes("times", row.times)
	h.bytes("searches", row.searches)
	h.bytes("pauses", row.pauses)
	h.number("plies", int64(row.announced.Plies))
	h.number("score", int64(row.announced.Score))
	h.number("largest_tile", int64(row.announced.LargestTile))
	h.number("attacker_bot", row.bots[rules.Attacker])
	h.number("defender_bot", row.bots[rules.Defender])
	return append([]byte{checksumVersion}, h.Sum(nil)[:checksumBytes]...)
}

// verifySum compares a row, read with its search reports, with its checksum. Without one it returns
// nil.
func (row *gameRow) verifySum() error {
	switch {
	case row.checksum == nil:
		return nil
	case len(row.checksum) == 0 || row.checksum[0] != checksumVersion:
		return fmt.Errorf("its checksum %x is damaged, or a newer version of the arena made it", row.checksum)
	case !bytes.Equal(row.checksum, row.sum()):
		return errors.New("its checksum is wrong: a time, a date, a search report or another part of its record has changed")
	}
	return nil
}

// fieldHash hashes the fields of a row, each with its name and length.
type fieldHash struct{ hash.Hash }

func (h fieldHash) bytes(name string, value []byte) {
	if len(value) == 0 {
		return
	}
	for _, part := range [][]byte{[]byte(name), value} {
		h.Write(binary.AppendUvarint(nil, uint64(len(part)))) // a hash returns no errors
		h.Write(part)
	}
}

func (h fieldHash) text(name, value string) { h.bytes(name, []byte(value)) }

func (h fieldHash) number(name string, value int64) {
	if value != 0 {
		h.bytes(name, binary.AppendVarint(nil, value))
	}
}
