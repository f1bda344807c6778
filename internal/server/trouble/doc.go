// Package trouble finds troubles of an arena, and reports each one when it begins and when it is over.
//
//	watch := trouble.New(trouble.Config{
//		Bounds: trouble.DefaultBounds(),
//		Changed: func(t trouble.Trouble, over bool) {
//			fmt.Println(t.Kind, t.Subject, over)
//		},
//	})
//	watch.Check(trouble.Snapshot{Wall: now, Free: 100 << 20, Disk: "/var/lib/arena"})
//
// A [Snapshot] is the state of an arena at one moment. Each kind of trouble has a check, which compares the snapshot
// with earlier ones and finds [Symptom]s. A bad symptom raises a trouble, any symptom keeps it up, and after some
// snapshots without a symptom it is over: so a trouble that comes and goes is reported once. The package knows nothing
// of the arena.
package trouble
