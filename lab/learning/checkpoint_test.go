package learning_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/disk"
	"versus2048/internal/testkit"
	"versus2048/lab/learning"
	"versus2048/rules"
)

// format is the format of a checkpoint's file.
var format = disk.Sealed{Magic: "versus 2048 n-tuple checkpoint\n", Version: 1}

// written writes a checkpoint with an earlier self and returns its path and content.
func written(t testing.TB) (path string, content []byte) {
	t.Helper()
	settings := learning.Defaults(rules.GPCC2015, twoByTwo)
	settings.Restart, settings.Average = 0.5, 0.5
	trainer, err := learning.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	trainer.Play(t.Context(), 1000)
	path = filepath.Join(t.TempDir(), "checkpoint")
	if err := trainer.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return path, content
}

func TestCheckpointDamage(t *testing.T) {
	path, content := written(t)
	refused := func(what string, damaged []byte) {
		t.Helper()
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := learning.Open(path); err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for i := 0; i < len(content); i += 1 + i/50 {
		damaged := bytes.Clone(content)
		damaged[i] ^= 1 << (i % 8)
		refused("a bit changed", damaged)
		refused("cut", content[:i])
	}
	if _, err := learning.Open(path + "none"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("no file: %v", err)
	}
}

// The stride between points of the curve is a power of two, and not so large that the next point never comes.
func TestCheckpointWithAWrongStride(t *testing.T) {
	path, content := written(t)
	var header json.RawMessage
	body, err := format.Read(content, &header)
	if err != nil {
		t.Fatal(err)
	}
	for _, stride := range []string{"0", "3", "2305843009213693952"} {
		var wrong bytes.Buffer
		changed := strings.Replace(string(header), `"stride":1`, `"stride":`+stride, 1)
		if err := format.Write(&wrong, json.RawMessage(changed), body); err != nil || changed == string(header) {
			t.Fatalf("%v: %s", err, header)
		}
		if err := os.WriteFile(path, wrong.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := learning.Open(path); err == nil || !strings.Contains(err.Error(), "it is damaged") {
			t.Errorf("stride %s: %v", stride, err)
		}
	}
}

// A checkpoint that cannot be written leaves the one before.
func TestCheckpointStays(t *testing.T) {
	path, content := written(t)
	trainer, err := learning.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := trainer.WriteFile(filepath.Join(path, "below a file")); err == nil {
		t.Error("a checkpoint was written below a file")
	}
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, content) {
		t.Errorf("the checkpoint has changed: %v", err)
	}
}

// FuzzOpen reads checkpoints with any header and body, and the right checksum. A checkpoint that can be read
// can be continued.
func FuzzOpen(f *testing.F) {
	_, content := written(f)
	var header json.RawMessage
	body, err := format.Read(content, &header)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(header), body)
	f.Add(strings.ReplaceAll(string(header), `"2x2"`, `"4x4"`), body)
	for _, without := range []string{`"restart":0.5`, `"average":0.5`} {
		if !strings.Contains(string(header), without) {
			f.Fatalf("no %s in %s", without, header)
		}
		f.Add(strings.ReplaceAll(string(header), without, without[:len(without)-3]+"0"), body)
	}
	f.Add(strings.ReplaceAll(string(header), `"averaged":1000`, `"averaged":1001`), body)
	f.Add(strings.ReplaceAll(string(header), `"earlier":[`, `"earlier":[-1,`), body)
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		path := filepath.Join(t.TempDir(), "checkpoint")
		var content bytes.Buffer
		if format.Write(&content, json.RawMessage(header), body) != nil {
			return // the header is no JSON
		}
		if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		var trainer *learning.Trainer
		var err error
		testkit.CheckAllocation(t, content.Len(), 20_000, func() { trainer, err = learning.Open(path) })
		if err == nil && trainer.Settings().Size == twoByTwo {
			trainer.Play(t.Context(), trainer.Games()+1)
		}
	})
}
