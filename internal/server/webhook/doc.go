// Package webhook sends notices about an arena by HTTP requests with JSON bodies, to addresses that the arena's host
// has named.
//
//	target, err := webhook.ParseTarget("https://alerts.example.org/arena")
//	if err != nil {
//		return err
//	}
//	hooks := webhook.New(webhook.Config{Targets: []webhook.Target{target}, Secret: secret, Log: log})
//	go hooks.Run(ctx)
//	hooks.Send(webhook.Notice{Type: "event_started", Time: now, Text: "event 3 has begun"})
//
// Send never waits: each address has a queue and a goroutine of its own. If the address does not answer, or answers
// with an error that may pass, the goroutine sends the notice again with growing pauses. After half an hour the
// notice is lost. Requests are signed by the rules of the Standard Webhooks (https://www.standardwebhooks.com), which
// libraries in many languages can check. See docs/WEBHOOKS.md.
//
// A Teller describes events and troubles of an arena in words and sends them. It also logs troubles.
package webhook
