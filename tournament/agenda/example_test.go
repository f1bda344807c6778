package agenda_test

import (
	"fmt"
	"time"

	"versus2048/tournament/agenda"
)

func Example() {
	noon := time.Date(2026, time.December, 1, 12, 0, 0, 0, time.UTC)

	every, err := agenda.ParseEvery("day@20:00")
	if err != nil {
		panic(err)
	}
	item := agenda.Item{Event: 7, Wanted: agenda.Running, Begin: noon, Every: every, Nth: 1}
	late, missed := item.Roll(noon.Add(60 * time.Hour)) // the arena was down for two days and a half
	fmt.Println(missed, late.Begin.Format(time.DateTime))
	next, _ := late.Next()
	fmt.Println(next.Nth, next.Begin.Format(time.DateTime))
	// Output:
	// true 2026-12-03 20:00:00
	// 2 2026-12-04 20:00:00
}
