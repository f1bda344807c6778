// Package trouble finds out what is wrong with an arena, and says so when it begins and when it is over.
//
//	watch := trouble.New(trouble.Config{
//		Bounds: trouble.DefaultBounds(),
//		Changed: func(t trouble.Trouble, over bool) {
//			fmt.Println(t.Kind, t.Subject, over)
//		},
//	})
//	watch.Look(trouble.Look{Wall: now, Free: 100 << 20, Disk: "/var/lib/arena"})
//
// A [Look] is what an arena looks like at one moment. Each kind of trouble has a check, which remembers
// what it needs of earlier looks and finds [Symptom]s in the next one. A trouble is raised by a symptom
// that is bad, kept up by any, and over after some looks without one: so it is told once, though what
// is wrong comes and goes. The package knows nothing of the arena.
package trouble
