package census

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"versus2048/rules"
)

// unsealed stands for the checksum while it is computed.
var unsealed = strings.Repeat("0", 2*sha256.Size)

// seal returns the content of census.json. Its SHA-256 is computed from the whole file, with zeros in place of
// the SHA-256.
func (s state) seal() ([]byte, error) {
	s.SHA256 = unsealed
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	return bytes.Replace(text, sealText(unsealed), sealText(checksumOf(text)), 1), nil
}

// parseState undoes seal. It returns an error for content that has changed in any byte. Content without a
// checksum comes from an earlier version and is taken as it is.
func parseState(text []byte) (s state, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields() // for example a checksum with a changed name
	if err := d.Decode(&s); err != nil {
		return s, err
	}
	if s.SHA256 == "" {
		return s, nil
	}
	if checksumOf(bytes.Replace(text, sealText(s.SHA256), sealText(unsealed), 1)) != s.SHA256 {
		return s, errors.New("its checksum is wrong")
	}
	return s, nil
}

// check returns the position that the census began with. It returns an error for a state that no census can
// have recorded, and for layers that would need larger tables than a census has.
func (s state) check() (start rules.Position, err error) {
	if s.Rules != rules.GPCC2015 {
		return start, fmt.Errorf("it is about %v, want gpcc2015", s.Rules)
	}
	if start, err = rules.ParsePosition(s.Rules, s.Start); err != nil {
		return start, err
	}
	if start.Sum()+2*len(s.Layers) > maxSum {
		return start, fmt.Errorf("it lists %d layers from %v: want tiles of sum %d at most", len(s.Layers), start, maxSum)
	}
	plies := start.Ply()
	if start.SideToMove() == rules.Defender {
		plies++
	}
	for _, l := range s.Layers {
		if l.Plies != plies {
			return start, fmt.Errorf("it lists a layer of ply %d, want ply %d in this place", l.Plies, plies)
		}
		plies += 2
	}
	return start, nil
}

// sealText returns the line of the file that has the checksum, without its indentation.
func sealText(checksum string) []byte { return []byte(`"sha256": "` + checksum + `"`) }

func checksumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
