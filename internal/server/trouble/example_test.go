package trouble_test

import (
	"fmt"
	"time"

	"versus2048/internal/server/trouble"
)

func Example() {
	now := time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC)

	watch := trouble.New(trouble.Config{
		Bounds: trouble.DefaultBounds(),
		Changed: func(t trouble.Trouble, over bool) {
			fmt.Println(t.Kind, t.Subject, over)
		},
	})
	watch.Check(trouble.Snapshot{Wall: now, Free: 100 << 20, Disk: "/var/lib/arena"})
	// Output: disk_space the disk of /var/lib/arena false
}
