package neural

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"versus2048/rules"
)

// tiny returns a network of two functions.
func tiny() (Header, []Tensor) {
	h := Header{
		Method: "td", Rules: rules.Solo, Size: rules.Size{Width: 2, Height: 3},
		Description: Description{
			Planes: 4,
			Functions: map[string]Function{
				"trunk": {Source{Function: board}, []Layer{{Kind: Conv, Kernel: []int{2, 2}, In: 4, Out: 2, Padding: After}, {Kind: ReLU}}},
				"value": {Source{Function: "trunk"}, []Layer{{Kind: Dense, In: 12, Out: 1}}},
			},
			Value: Value{Transform: Log, Scale: 2},
		},
	}
	fill := func(n int) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = float32(i%5) - 2
		}
		return list
	}
	return h, []Tensor{
		{Name: "trunk.0.weight", Shape: []int{2, 2, 4, 2}, Values: fill(32), Half: true},
		{Name: "trunk.0.bias", Shape: []int{2}, Values: fill(2)},
		{Name: "value.0.weight", Shape: []int{12, 1}, Values: fill(12)},
		{Name: "value.0.bias", Shape: []int{1}, Values: fill(1)},
	}
}

// tinyContent returns the content of the tiny network's file.
func tinyContent(t testing.TB) []byte {
	t.Helper()
	h, weights := tiny()
	n, err := New(h, weights)
	if err != nil {
		t.Fatal(err)
	}
	content, err := n.content()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// parts takes a file apart: the header as JSON, and the data.
func parts(t testing.TB, content []byte) (map[string]any, []byte) {
	t.Helper()
	length := binary.LittleEndian.Uint64(content)
	var header map[string]any
	if err := json.Unmarshal(content[8:8+length], &header); err != nil {
		t.Fatal(err)
	}
	return header, content[8+length:]
}

// sign gives a file the checksum of its content.
func sign(header map[string]any, data []byte) {
	metadata := map[string]string{}
	for key, value := range header[metadataKey].(map[string]any) {
		metadata[key] = value.(string)
	}
	header[metadataKey].(map[string]any)[checksumKey] = checksum(metadata, data)
}

// For every fault of a file, the error is one line that describes the fault.
func TestReadRefuses(t *testing.T) {
	meta := func(key, value string) func(map[string]any, []byte) []byte {
		return func(h map[string]any, data []byte) []byte {
			h[metadataKey].(map[string]any)[key] = value
			return data
		}
	}
	tensor := func(name, key string, value any) func(map[string]any, []byte) []byte {
		return func(h map[string]any, data []byte) []byte {
			h[name].(map[string]any)[key] = value
			return data
		}
	}
	network := func(old, text string) func(map[string]any, []byte) []byte {
		return func(h map[string]any, data []byte) []byte {
			m := h[metadataKey].(map[string]any)
			before := m[networkKey].(string)
			if m[networkKey] = strings.Replace(before, old, text, 1); m[networkKey] == before {
				panic("nothing to replace: " + old + " in " + before)
			}
			return data
		}
	}
	for name, test := range map[string]struct {
		change func(h map[string]any, data []byte) []byte
		want   string
	}{
		"another version":     {meta(formatKey, "versus2048 network 3"), `its format is "versus2048 network 3"`},
		"more data":           {func(_ map[string]any, data []byte) []byte { return append(data, 0) }, "1 follow"},
		"less data":           {func(_ map[string]any, data []byte) []byte { return data[:len(data)-4] }, "to end by"},
		"unknown method":      {meta(methodKey, "sarsa"), `method "sarsa"`},
		"another method":      {meta(methodKey, "cnn"), "there is no function policy"},
		"unknown rules":       {meta(rulesKey, "chess"), `rules "chess"`},
		"unknown size":        {meta(sizeKey, "9x9"), `board size "9x9"`},
		"another size":        {meta(sizeKey, "3x3"), "layer value.0"},
		"no recipe":           {meta(recipeKey, ""), "its recipe"},
		"no network":          {meta(networkKey, "{"), "its network"},
		"unknown key":         {network(`"planes"`, `"colours":3,"planes"`), "colours"},
		"unknown layer":       {network(`"relu"`, `"gelu"`), `layer trunk.1 ("gelu")`},
		"no layers":           {network(`[{"kind":"dense","in":12,"out":1}]`, `[]`), "value: 0 layers"},
		"unknown source":      {network(`"from":"trunk"`, `"from":"tail"`), `there is no function "tail"`},
		"source of itself":    {network(`"from":"trunk"`, `"from":"value"`), "comes from itself"},
		"too many numbers":    {network(`"from":"trunk"`, `"from":1000000000`), "1000000000 numbers"},
		"source of no kind":   {network(`"from":"trunk"`, `"from":[1]`), "want a function's name"},
		"too many planes":     {network(`"planes":4`, `"planes":99`), "99 planes"},
		"large kernel":        {network(`"kernel":[2,2]`, `"kernel":[2,2000000000]`), "kernel [2 2000000000]"},
		"negative channels":   {network(`"out":2`, `"out":-2`), "out -2"},
		"huge channels":       {network(`"out":2`, `"out":2000000000`), "at most"},
		"wrong padding":       {network(`"after"`, `"around"`), `padding "around"`},
		"wrong inputs":        {network(`"in":12`, `"in":13`), "in 13"},
		"symmetries inside":   {network(`{"kind":"relu"}`, `{"kind":"symmetries","layers":[{"kind":"relu"}]}`), "only as the first layer"},
		"canonical inside":    {network(`{"kind":"relu"}`, `{"kind":"canonical","layers":[{"kind":"relu"}]}`), "only as the first layer"},
		"residual that grows": {network(`{"kind":"relu"}`, `{"kind":"residual","layers":[{"kind":"dense","in":12,"out":12}]}`), "want the same"},
		"norm of others":      {network(`{"kind":"relu"}`, `{"kind":"norm","channels":3}`), "channels 3"},
		"deep nesting":        {network(`{"kind":"relu"}`, strings.Repeat(`{"kind":"residual","layers":[`, 9)+`{"kind":"relu"}`+strings.Repeat(`]}`, 9)), "nested"},
		"wrong scale":         {network(`"scale":2`, `"scale":0`), "scale 0"},
		"wrong transform":     {network(`"log"`, `"cube"`), `transform "cube"`},
		"wrong bins":          {network(`"bins":0`, `"bins":-1`), "-1 bins"},
		"bins without range":  {network(`"bins":0`, `"bins":3`), "the lower number first"},
		"odd name":            {network(`"trunk":{`, `"../x":{"from":"board","layers":[{"kind":"relu"}]},"trunk":{`), `the name "../x"`},
		"unknown type":        {tensor("value.0.bias", "dtype", "I32"), `its type is "I32"`},
		"another shape":       {tensor("value.0.weight", "shape", []int{6, 2}), "has the shape [6 2]: want [12 1]"},
		"wrong shape":         {tensor("value.0.weight", "shape", []int{13}), "for the shape [13]"},
		"huge shape":          {tensor("value.0.weight", "shape", []int{1 << 40, 1 << 40}), "for the shape"},
		"negative shape":      {tensor("value.0.weight", "shape", []int{-12, -1}), "for the shape"},
		"one offset":          {tensor("value.0.bias", "data_offsets", []int{4}), "two data_offsets"},
		"overlapping":         {tensor("value.0.bias", "data_offsets", []int{0, 4}), "want them to begin at"},
		"beyond the end":      {tensor("value.0.bias", "data_offsets", []int{120, 1 << 40}), "want them to begin at"},
		"unknown tensor": {func(h map[string]any, data []byte) []byte {
			h["other.0.bias"] = map[string]any{"dtype": "F32", "shape": []int{1}, "data_offsets": []int{len(data), len(data) + 4}}
			return append(data, 0, 0, 0, 0)
		}, `tensor "other.0.bias" belongs to no layer`},
		"missing tensor": {func(h map[string]any, data []byte) []byte {
			delete(h, "value.0.bias")
			return data[:len(data)-4]
		}, "tensor value.0.bias is missing"},
		"no number": {func(h map[string]any, data []byte) []byte {
			binary.LittleEndian.PutUint32(data[len(data)-4:], math.Float32bits(float32(math.NaN())))
			return data
		}, "weight 0 is NaN"},
		"infinite": {func(h map[string]any, data []byte) []byte {
			binary.LittleEndian.PutUint16(data, 31<<10)
			return data
		}, "weight 0 is +Inf"},
	} {
		t.Run(name, func(t *testing.T) {
			header, data := parts(t, tinyContent(t))
			data = test.change(header, data)
			sign(header, data)
			content, err := assemble(header, data)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Read(content)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want one line with %s", err, test.want)
			}
		})
	}
}

// Layers without weights take no room in a file, but they need memory for each board.
func TestNewBoundsMemory(t *testing.T) {
	const channels = 4096
	h := func(residuals int) Header {
		h, _ := tiny()
		layers := []Layer{{Kind: Conv, Kernel: []int{1, 1}, In: 4, Out: channels, Padding: After}}
		for range residuals {
			layers = append(layers, Layer{Kind: Residual, Layers: []Layer{{Kind: ReLU}}})
		}
		h.Description.Functions["trunk"] = Function{Source{Function: board}, layers}
		h.Description.Functions["value"] = Function{Source{Function: "trunk"}, []Layer{{Kind: Dense, In: 6 * channels, Out: 1}}}
		return h
	}
	weights := []Tensor{
		{Name: "trunk.0.weight", Shape: []int{1, 1, 4, channels}, Values: make([]float32, 4*channels)},
		{Name: "trunk.0.bias", Shape: []int{channels}, Values: make([]float32, channels)},
		{Name: "value.0.weight", Shape: []int{6 * channels, 1}, Values: make([]float32, 6*channels)},
		{Name: "value.0.bias", Shape: []int{1}, Values: make([]float32, 1)},
	}
	if _, err := New(h(10), weights); err != nil {
		t.Error(err)
	}
	if _, err := New(h(mostLayers-1), weights); err == nil || !strings.Contains(err.Error(), "bytes for a board") {
		t.Errorf("%v, want that it takes too much memory", err)
	}
}

// If any bit of a file is flipped, the file is refused or its network is the same. With a flipped bit in the weights
// the file is refused as damaged.
func TestReadNoticesEveryBit(t *testing.T) {
	content := tinyContent(t)
	_, data := parts(t, content)
	weights := len(content) - len(data)
	for bit := range 8 * len(content) {
		damaged := bytes.Clone(content)
		damaged[bit/8] ^= 1 << (bit % 8)
		n, err := Read(damaged)
		if bit/8 >= weights && (err == nil || !strings.Contains(err.Error(), "damaged")) {
			t.Errorf("bit %d of byte %d, in the weights: %v, want damaged", bit%8, bit/8, err)
		}
		if err != nil {
			continue
		}
		if same, err := n.content(); err != nil || !bytes.Equal(same, content) {
			t.Errorf("bit %d of byte %d, %q: another network, %v", bit%8, bit/8, damaged[max(0, bit/8-20):bit/8+1], err)
		}
	}
}

// Files of the first version, with a checksum that leaves out the metadata, are read, too.
func TestReadFirstFormat(t *testing.T) {
	header, data := parts(t, tinyContent(t))
	metadata, sum := header[metadataKey].(map[string]any), sha256.Sum256(data)
	metadata[formatKey], metadata[checksumKey] = "versus2048 network 1", hex.EncodeToString(sum[:])
	content, err := assemble(header, data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(content); err != nil {
		t.Error(err)
	}
	metadata[checksumKey] = checksum(map[string]string{formatKey: format}, data)
	if content, err = assemble(header, data); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(content); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a file with the checksum of another version: %v", err)
	}
}

// A file that is taken apart and put together again is sound.
func TestReadTakesWhatAssembleMakes(t *testing.T) {
	header, data := parts(t, tinyContent(t))
	content, err := assemble(header, data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(content); err != nil {
		t.Error(err)
	}
}

// Files of other kinds than safetensors, large files and paths without a file are refused.
func TestOpenRefuses(t *testing.T) {
	whole := tinyContent(t)
	long := append([]byte{255, 255, 255, 255, 255, 255, 255, 127}, whole[8:]...)
	for name, content := range map[string][]byte{
		"empty": nil, "short": whole[:7], "cut": whole[:100], "a text": []byte("notes of mine, and more of them"), "a long header": long,
	} {
		path := filepath.Join(t.TempDir(), "a.safetensors")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		var unusable *UnusableError
		if !errors.As(err, &unusable) || unusable.Reason != "it is not a safetensors file" {
			t.Errorf("%s: %v", name, err)
		}
	}
	large := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, mostBytes+1); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{large: "want at most 67108864", "/dev/null": "it is no file", t.TempDir(): "it is no file"} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if _, err := Open("no/such/file"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzRead reads any content. A network that was read can be computed.
func FuzzRead(f *testing.F) {
	content := tinyContent(f)
	f.Add(content)
	f.Add(content[:len(content)/2])
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, content []byte) {
		n, err := Read(content)
		if err != nil {
			return
		}
		if n.method != "td" || len(content) > 1<<16 {
			return // a model has no boards
		}
		e := n.Evaluator(2)
		e.Boards([]rules.Board{0, 0x21}, []bool{true, false})
		out, err := e.Run("value")
		if err != nil || len(out) != 2*n.Outputs("value") {
			t.Errorf("%v, %v", out, err)
		}
	})
}

// All numbers of 16 bits are read exactly, and written without a change. Other numbers become the nearest one.
func TestHalf(t *testing.T) {
	for i := range 1 << 16 {
		half := uint16(i)
		v := fromHalf(half)
		if v != v {
			continue
		}
		if back := toHalf(v); back != half {
			t.Fatalf("%#x is %v, which is written as %#x", half, v, back)
		}
	}
	for v, want := range map[float32]float32{
		1: 1, 1.0001: 1, 65519: 65504, -65520: float32(math.Inf(-1)), 1e9: float32(math.Inf(1)), 3e-8: float32(math.Ldexp(1, -24)), 2e-8: 0,
		2049: 2048, 2051: 2052, 0.1: 0.0999755859375,
	} {
		if got := fromHalf(toHalf(v)); got != want {
			t.Errorf("%v becomes %v, want %v", v, got, want)
		}
	}
}

// A network that its file would round to infinity is refused before it is written.
func TestNewRefusesWhatHalfDoesNotHold(t *testing.T) {
	for v, held := range map[float32]bool{65519: true, -65519: true, 65520: false, -1e9: false} {
		h, weights := tiny()
		weights[0].Values[3] = v
		n, err := New(h, weights)
		if !held {
			if err == nil || !strings.Contains(err.Error(), "tensor trunk.0.weight: weight 3 is") || !strings.Contains(err.Error(), "16 bits") {
				t.Errorf("%v: %v, want that 16 bits do not hold it", v, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := n.content()
		if err == nil {
			_, err = Read(content)
		}
		if err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// The networks of the program are found by their names, and match their names.
func TestShelf(t *testing.T) {
	content := tinyContent(t)
	size := rules.Size{Width: 2, Height: 3}
	s := shelf{files: fstest.MapFS{
		"weights/td-solo-2x3.safetensors":     {Data: content},
		"weights/td-gpcc2015-2x3.safetensors": {Data: content},
		"weights/az-solo-2x2.safetensors":     {Data: []byte("nothing")},
		"weights/README.md":                   {Data: []byte("# Networks")},
	}}
	n, err := s.network("td", rules.Solo, size)
	if err != nil || n.Method() != "td" {
		t.Fatal(err)
	}
	if again, err := s.network("td", rules.Solo, size); again != n {
		t.Errorf("it was read twice: %v", err)
	}
	for name, want := range map[string]string{
		"cnn solo 2x3":    "the program has no network of cnn for solo on 2x3",
		"td solo 3x3":     "the program has no network of td for solo on 3x3",
		"td gpcc2015 2x3": "it is of td for solo on 2x3",
		"az solo 2x2":     "it is not a safetensors file",
	} {
		part := strings.Fields(name)
		r, err := rules.ParseRuleset(part[1])
		if err != nil {
			t.Fatal(err)
		}
		size, err := rules.ParseSize(part[2])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.network(part[0], r, size); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if !s.has("td") || s.has("ppo") || s.has("t") {
		t.Error("what the shelf has is not what its names say")
	}
}

// Each file in weights has a network that matches the file's name, and all of them fit into the program.
func TestOwnNetworks(t *testing.T) {
	entries, err := weights.ReadDir("weights")
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		name, isNetwork := strings.CutSuffix(e.Name(), ".safetensors")
		if total += info.Size(); !isNetwork {
			continue
		}
		content, err := weights.ReadFile("weights/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		n, err := Read(content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := fileName(n.Method(), n.Rules(), n.Size()); want != "weights/"+e.Name() || !HasOwnFor(n.Method(), n.Rules(), n.Size()) || !HasOwn(n.Method()) {
			t.Errorf("%s is the network of %s", name, want)
		}
		if _, err := Own(n.Method(), n.Rules(), n.Size()); err != nil {
			t.Error(err)
		}
		if need := n.Bytes() + n.EvaluatorBytes(64); need > OwnBytes {
			t.Errorf("%s takes %d bytes in memory: want at most %d", name, need, OwnBytes)
		}
		if n.Recipe().Command == "" {
			t.Errorf("%s does not say how it was trained", name)
		}
	}
	if total > 8<<20 {
		t.Errorf("all files together have %d bytes: want at most 8 MiB", total)
	}
}
