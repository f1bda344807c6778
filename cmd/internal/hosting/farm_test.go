package hosting

import "testing"

func TestShownNATS(t *testing.T) {
	for addresses, want := range map[string]string{
		"nats://127.0.0.1:4222":                     "nats://127.0.0.1:4222",
		"localhost":                                 "nats://localhost",
		"tls://user:secret@a:1":                     "tls://a:1",
		"nats://secret@a":                           "nats://a",
		"nats://u:secret@a:1, nats://u:secret@b:2/": "nats://a:1, nats://b:2",
		"u:secret@a:1,secret@b":                     "nats://a:1, nats://b",
		"nats://u:%zzsecret@a":                      "an address",
		"nats://u:sec/ret@a":                        "an address",
		"nats://u:123/secret@a":                     "an address",
		"nats://u:123#secret@a":                     "an address",
		"u:123://secret@a":                          "an address",
	} {
		if got := shownNATS(addresses); got != want {
			t.Errorf("%s is shown as %s, want %s", addresses, got, want)
		}
	}
}
