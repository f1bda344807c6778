package neural

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// The limits of a file.
const (
	mostBytes   = 64 << 20
	mostHeader  = 1 << 20
	mostTensors = 4096
)

// metadataKey is the only key in the header of a safetensors file that is not the name of a tensor.
const metadataKey = "__metadata__"

// entry is a tensor in the header of a safetensors file.
type entry struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets []int  `json:"data_offsets"` // of the tensor's first byte, and after its last byte
}

// decode returns the parts of a safetensors file: the metadata, the tensors, and the bytes of their data. It
// returns an error for any other content, and for tensors that overlap or leave gaps.
func decode(content []byte) (metadata map[string]string, list []Tensor, data []byte, err error) {
	errFormat := errors.New("it is not a safetensors file")
	if len(content) < 8 || len(content) > mostBytes {
		return nil, nil, nil, errFormat
	}
	length := binary.LittleEndian.Uint64(content)
	if length > mostHeader || length > uint64(len(content)-8) {
		return nil, nil, nil, errFormat
	}
	text, data := content[8:8+length], content[8+length:]
	var header map[string]json.RawMessage
	if json.Unmarshal(text, &header) != nil {
		return nil, nil, nil, errFormat
	}
	if raw, ok := header[metadataKey]; ok {
		if err := json.Unmarshal(raw, &metadata); err != nil {
			return nil, nil, nil, fmt.Errorf("its metadata: %w", err)
		}
		delete(header, metadataKey)
	}
	list, err = decodeTensors(header, data)
	return metadata, list, data, err
}

// decodeTensors returns the tensors in the order of their data.
func decodeTensors(header map[string]json.RawMessage, data []byte) (list []Tensor, err error) {
	if len(header) > mostTensors {
		return nil, fmt.Errorf("it has %d tensors: want at most %d", len(header), mostTensors)
	}
	entries := map[string]entry{}
	for name, raw := range header {
		var e entry
		if err := json.Unmarshal(raw, &e); err != nil || len(e.Offsets) != 2 {
			return nil, fmt.Errorf("tensor %.80q: want dtype, shape and two data_offsets", name)
		}
		entries[name] = e
	}
	names := slices.SortedFunc(maps.Keys(entries), func(a, b string) int {
		return cmp.Or(cmp.Compare(entries[a].Offsets[0], entries[b].Offsets[0]), cmp.Compare(a, b))
	})
	end := 0 // of the tensors so far
	for _, name := range names {
		e := entries[name]
		if e.Offsets[0] != end || e.Offsets[1] < end || e.Offsets[1] > len(data) {
			return nil, fmt.Errorf("tensor %.80q has the bytes %d to %d: want them to begin at %d and to end by %d", name, e.Offsets[0], e.Offsets[1], end, len(data))
		}
		end = e.Offsets[1]
		values, err := e.values(data[e.Offsets[0]:end])
		if err != nil {
			return nil, fmt.Errorf("tensor %.80q: %w", name, err)
		}
		list = append(list, Tensor{name, e.Shape, values, e.Type == "F16"})
	}
	if end != len(data) {
		return nil, fmt.Errorf("its tensors end after %d bytes, but %d follow", end, len(data)-end)
	}
	return list, nil
}

// values decodes the values of a tensor.
func (e entry) values(data []byte) ([]float32, error) {
	width := map[string]int{"F32": 4, "F16": 2}[e.Type]
	if width == 0 {
		return nil, fmt.Errorf("its type is %.20q: want F32 or F16", e.Type)
	}
	n := numbers(e.Shape)
	if n < 0 || n*width != len(data) {
		return nil, fmt.Errorf("it has %d bytes of type %s, too few or too many for the shape %v", len(data), e.Type, e.Shape[:min(8, len(e.Shape))])
	}
	values := make([]float32, n)
	for i := range values {
		if e.Type == "F32" {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		} else {
			values[i] = fromHalf(binary.LittleEndian.Uint16(data[2*i:]))
		}
	}
	return values, nil
}

// encode returns the data of tensors, and the header of a safetensors file without its metadata.
func encode(list []Tensor) (header map[string]any, data []byte) {
	header = map[string]any{}
	for _, t := range list {
		from := len(data)
		e := entry{Type: "F32", Shape: t.Shape}
		if t.Half {
			e.Type = "F16"
		}
		for _, v := range t.Values {
			if t.Half {
				data = binary.LittleEndian.AppendUint16(data, toHalf(v))
			} else {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
			}
		}
		e.Offsets = []int{from, len(data)}
		header[t.Name] = e
	}
	return header, data
}

// assemble returns the content of a safetensors file.
func assemble(header map[string]any, data []byte) ([]byte, error) {
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	text = append(text, bytes.Repeat([]byte{' '}, (8-len(text)%8)%8)...) // so that the data are aligned
	content := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(content, text...), data...), nil
}

// fromHalf returns the number that 16 bits stand for (IEEE 754, binary16).
func fromHalf(half uint16) float32 {
	sign, exponent, fraction := uint32(half>>15), int(half>>10&31), uint32(half&1023)
	var size float64
	switch exponent {
	case 31:
		return math.Float32frombits(sign<<31 | 255<<23 | fraction<<13) // infinite, or not a number
	case 0:
		size = math.Ldexp(float64(fraction), -24)
	default:
		size = math.Ldexp(float64(fraction|1024), exponent-25)
	}
	if sign == 1 {
		size = -size
	}
	return float32(size)
}

// halfOverflow is the least number that becomes infinite in 16 bits: it is half way from the largest one to the next
// power of two.
const halfOverflow = 65520

// toHalf returns the nearest number of 16 bits, the even one of two equally near, or infinity.
func toHalf(v float32) uint16 {
	sign := uint16(math.Float32bits(v) >> 31 << 15)
	size := math.Abs(float64(v))
	switch {
	case math.IsNaN(size):
		return sign | 31<<10 | 1
	case size == 0:
		return sign
	case size >= halfOverflow:
		return sign | 31<<10
	}
	_, exponent := math.Frexp(size)
	exponent = max(exponent, -13) // below that the numbers are evenly spaced
	steps := uint16(math.RoundToEven(math.Ldexp(size, 11-exponent)))
	return sign | uint16(exponent+13)<<10 + steps
}
