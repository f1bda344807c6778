// Package broker runs a NATS server inside the arena's process.
package broker
