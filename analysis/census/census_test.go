package census

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"versus2048/rules"
)

func TestQuick(t *testing.T) {
	plies := 60
	mem := int64(2 << 30)
	fmt.Sscan(os.Getenv("P"), &plies)
	var mm int64
	if n, _ := fmt.Sscan(os.Getenv("M"), &mm); n == 1 {
		mem = mm << 20
	}
	t0 := time.Now()
	ls, err := Run(context.Background(), Settings{Folder: os.Getenv("F"), Start: rules.NewPosition(rules.GPCC2015, rules.Full), Plies: plies, Memory: mem, Defenders: os.Getenv("D") != ""})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range ls {
		fmt.Printf("%d %d %d %d mated %d def %d bytes %d %.3f\n", l.Plies, l.Positions, l.MinScore, l.MaxScore, l.Mated, l.Defenders, l.Bytes, float64(l.Bytes)/float64(l.Positions))
	}
	fmt.Println(time.Since(t0))
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Println(ms.Sys>>20, "MiB")
}
