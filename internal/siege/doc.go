// Siege attacks a real arena with hostile bots while honest ones play a tournament on it, and reports how the
// attack affected the honest bots. Its commands:
//
//   - "load": honest bots beside silent connections, and beside every kind of attacker
//   - "visitors": honest bots alone, and beside visitors that let champion think
//   - "kept": keep-alive connections that request each route, on the honest bots' arena and on another one
//   - "network": loss, delay, a partition and half-open connections between two network namespaces
//   - "ladder": an hour of a ladder with bots that leave, fail and come back, through restarts of the arena, a
//     restored backup and an upgrade
//   - "farm-faults": a farm with processes that are killed, a network that is interrupted and a disk that is full
//   - "soak": an hour at full speed, and the arena's use of memory and descriptors meanwhile
//   - "farm-load": many workers of a farm, first idle, then playing with bots that use hardly any processor time
//   - "farm-times": how soon a new worker of a farm plays, and, if it dies, how soon another one continues
//
// The arena, the honest bots, the workers and the attackers are processes of their own. The attackers get a
// fixed share of the processor, so that the report shows the effect of the attack on the arena, not the effect
// of any busy program on a small machine.
package main
