// Package webhook sends notices about an arena to addresses that its host has named, by HTTP requests with JSON bodies.
//
//	target, err := webhook.ParseTarget("https://alerts.example.org/arena")
//	if err != nil {
//		return err
//	}
//	hooks := webhook.New(webhook.Config{Targets: []webhook.Target{target}, Secret: secret, Log: log})
//	go hooks.Run(ctx)
//	hooks.Send(webhook.Notice{Type: "event_started", Time: now, Text: "event 3 has begun"})
//
// Send never waits: each address has a queue and a goroutine of its own, which tries again with growing pauses while
// the address does not answer. Requests are signed by the rules of the Standard Webhooks
// (https://www.standardwebhooks.com), which libraries in many languages can check. Only the arena's host names
// addresses. See docs/WEBHOOKS.md.
//
// A Teller describes events and troubles of an arena in words and sends them. It also logs troubles.
package webhook
