//go:build !race

package backup_test

// damages is how many bytes of a backup TestDamage changes, one at a time.
const damages = 20
