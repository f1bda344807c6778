// Package service makes the arena a well-behaved service of its machine: it tells systemd when bots can
// connect, and others can ask from outside whether it is well, without a shell and without a browser.
package service
