// Package farm spreads an arena's games over workers by NATS JetStream.
package farm
