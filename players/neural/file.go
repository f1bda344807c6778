package neural

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"versus2048/internal/disk"
	"versus2048/rules"
)

// The formats of files, as their metadata name them. WriteFile writes format; Read reads both.
const (
	format      = "versus2048 network 2"
	firstFormat = "versus2048 network 1" // its checksum covers only the tensors' data
)

// The keys of a file's metadata. The values are texts.
const (
	formatKey   = "format"
	methodKey   = "method"
	rulesKey    = "rules"
	sizeKey     = "size"
	networkKey  = "network" // the Description as JSON
	recipeKey   = "recipe"  // the Recipe as JSON
	checksumKey = "checksum"
)

// UnusableError is the error for a file that has no usable network.
type UnusableError struct{ Path, Reason string }

func (e *UnusableError) Error() string { return fmt.Sprintf("network %s: %s", e.Path, e.Reason) }

// Open reads the network in a file. It returns an *UnusableError for a file that has no usable network.
func Open(path string) (*Network, error) {
	f, size, err := disk.Open(path)
	if errors.Is(err, disk.ErrNotRegular) {
		return nil, &UnusableError{path, disk.ErrNotRegular.Error()}
	}
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	defer f.Close() // it was only read
	if size > mostBytes {
		return nil, &UnusableError{path, fmt.Sprintf("it has %d bytes: want at most %d", size, mostBytes)}
	}
	content, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("network %s: %w", path, err)
	}
	n, err := Read(content)
	if err != nil {
		return nil, &UnusableError{path, err.Error()}
	}
	return n, nil
}

// Read returns the network in the content of a file. It returns an error for any other content.
func Read(content []byte) (*Network, error) {
	metadata, weights, data, err := decode(content)
	if err != nil {
		return nil, err
	}
	if f := metadata[formatKey]; f != format && f != firstFormat {
		return nil, fmt.Errorf("its format is %.40q: want %q, as training writes it", f, format)
	}
	if checksum(metadata, data) != metadata[checksumKey] {
		return nil, errors.New("it is damaged: its checksum is wrong")
	}
	h, err := readHeader(metadata)
	if err != nil {
		return nil, err
	}
	return New(h, weights)
}

// checksum returns the checksum of a file, in hexadecimal. It is the SHA-256 of the metadata without the
// checksum, and of the tensors' data. The metadata are sorted by key, and each key and each value is followed
// by a zero byte. In files of the first format the checksum leaves out the metadata.
func checksum(metadata map[string]string, data []byte) string {
	sum := sha256.New()
	if metadata[formatKey] != firstFormat {
		for _, key := range slices.Sorted(maps.Keys(metadata)) {
			if key != checksumKey {
				fmt.Fprintf(sum, "%s\x00%s\x00", key, metadata[key])
			}
		}
	}
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}

func readHeader(metadata map[string]string) (h Header, err error) {
	h.Method = metadata[methodKey]
	if h.Rules, err = rules.ParseRuleset(metadata[rulesKey]); err != nil {
		return h, err
	}
	if h.Size, err = rules.ParseSize(metadata[sizeKey]); err != nil {
		return h, err
	}
	strict := json.NewDecoder(strings.NewReader(metadata[networkKey]))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&h.Description); err != nil {
		return h, fmt.Errorf("its network: %w", err)
	}
	if err := json.Unmarshal([]byte(metadata[recipeKey]), &h.Recipe); err != nil {
		return h, fmt.Errorf("its recipe: %w", err)
	}
	return h, nil
}

// WriteFile writes the network to a file, which appears only when it is complete. If replace is false and the
// file exists, it returns an error that wraps fs.ErrExist.
func (n *Network) WriteFile(path string, replace bool) error {
	content, err := n.content()
	if err == nil {
		err = disk.Write(path, replace, func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("network %s: %w", path, err)
	}
	return nil
}

// content returns the content of the network's file.
func (n *Network) content() ([]byte, error) {
	network, err := json.Marshal(n.description)
	if err != nil {
		return nil, err
	}
	recipe, err := json.Marshal(n.recipe)
	if err != nil {
		return nil, err
	}
	header, data := encode(n.weights)
	metadata := map[string]string{
		formatKey: format, methodKey: n.method, rulesKey: n.rules.String(), sizeKey: n.size.String(),
		networkKey: string(network), recipeKey: string(recipe),
	}
	metadata[checksumKey] = checksum(metadata, data)
	header[metadataKey] = metadata
	return assemble(header, data)
}
