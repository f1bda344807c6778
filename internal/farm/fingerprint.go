package farm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"versus2048/players"
	"versus2048/rules"
)

// messages is the version of the messages between an arena and its workers.
const messages = 4

// Fingerprint returns a short checksum of everything that an arena and its workers must have in common: the
// messages, the rules, and the kinds of bots with their options and defaults.
var Fingerprint = sync.OnceValue(func() string {
	sum := sha256.New()
	fmt.Fprintln(sum, messages, rules.Rulesets())
	for _, k := range players.Kinds() {
		fmt.Fprintln(sum, k.Name)
		for _, o := range k.Options {
			fmt.Fprintln(sum, o.Name, o.Default, o.Allowed())
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
})
