// Package webhook tells addresses of the arena's host what happens, by HTTP requests with JSON bodies.
//
//	target, err := webhook.ParseTarget("https://alerts.example.org/arena")
//	if err != nil {
//		return err
//	}
//	hooks := webhook.New(webhook.Config{Targets: []webhook.Target{target}, Secret: secret, Log: log})
//	go hooks.Run(ctx)
//	hooks.Send(webhook.Notice{Type: "event_started", Time: now, Text: "event 3 has begun"})
//
// Send never waits: each address has a queue and a goroutine of its own, which tries again with growing
// pauses while the address does not answer. Requests are signed as the Standard Webhooks say
// (https://www.standardwebhooks.com), for which there are libraries in many languages. Only the
// arena's host names addresses. See docs/WEBHOOKS.md.
//
// A Teller puts what happens on an arena into words and sends it. Troubles are logged, too.
package webhook
