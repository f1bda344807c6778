package census

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
)

// unsealed stands for the checksum while it is computed.
var unsealed = strings.Repeat("0", 2*sha256.Size)

// seal returns the content of census.json. Its SHA-256 is that of the whole file with zeros in its place.
func (s state) seal() ([]byte, error) {
	s.SHA256 = unsealed
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	return bytes.Replace(text, sealText(unsealed), sealText(sumOf(text)), 1), nil
}

// parseState undoes seal. It returns an error for content that has changed in any byte. Content without a
// checksum comes from an earlier version and is taken as it is.
func parseState(text []byte) (s state, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields() // such as a checksum whose name has changed
	if err := d.Decode(&s); err != nil {
		return s, err
	}
	if s.SHA256 == "" {
		return s, nil
	}
	if sumOf(bytes.Replace(text, sealText(s.SHA256), sealText(unsealed), 1)) != s.SHA256 {
		return s, errors.New("its checksum is wrong")
	}
	return s, nil
}

// sealText returns the checksum's line of the file, without its indentation.
func sealText(sum string) []byte { return []byte(`"sha256": "` + sum + `"`) }

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
