// Package notice puts what happens on an arena into words and sends it to its host's webhooks.
//
//	teller := &notice.Teller{Hooks: hooks, Address: "https://arena.example.org", Log: log}
//	watch := trouble.New(trouble.Config{
//		Bounds: trouble.DefaultBounds(), Changed: teller.Changed, Lost: teller.Lost, Also: teller.Symptoms,
//	})
//	config.Watch, config.Told = watch, teller.News
//
// docs/WEBHOOKS.md describes what is sent. Troubles are logged, too.
package notice
