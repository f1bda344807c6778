package reading

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestScratch(t *testing.T) {
	env := func(n string) int { v, _ := strconv.Atoi(os.Getenv(n)); return v }
	if env("MATCHES") == 0 {
		t.Skip()
	}
	rs, err := Named(strings.Fields(os.Getenv("READINGS")))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rs {
		res, err := Play(context.Background(), r, Config{env("MATCHES"), env("PLAYOUTS"), 1, 16})
		if err != nil {
			t.Fatal(err)
		}
		res.writeRow(os.Stdout)
	}
}
