// Package agenda decides which events an arena begins by itself: which of the waiting events may
// begin, when an event is repeated, and how a missed time is treated.
//
//	every, err := agenda.ParseEvery("day@20:00")
//	if err != nil {
//		panic(err)
//	}
//	item := agenda.Item{Event: 7, Wanted: agenda.Running, Begin: noon, Every: every, Nth: 1}
//	late, missed := item.Roll(noon.Add(60 * time.Hour)) // the arena was down for two days and a half
//	fmt.Println(missed, late.Begin.Format(time.DateTime))
//	next, _ := late.Next()
//	fmt.Println(next.Nth, next.Begin.Format(time.DateTime))
//
// An [Item] is one event on the agenda, as in the database. [Admit] begins the due items of a queue. The package uses
// neither bots nor databases, and reads no clock: the caller passes the time. docs/adr/0023-agenda.md gives the
// reasons.
package agenda
