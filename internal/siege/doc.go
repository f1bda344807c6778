// Siege attacks a real arena with hostile bots while honest ones play a tournament on it,
// and reports what the attack cost them. Its commands:
//
//   - "load": honest bots beside silent connections, and beside every kind of attacker
//   - "visitors": honest bots beside nobody, and beside visitors who let champion think
//   - "kept": kept connections that ask for each route, of the honest bots' arena and of another one
//   - "network": loss, delay, a partition and half-open connections between namespaces
//   - "ladder": an hour of a ladder whose bots leave, fail and come back, through restarts of the arena, a restored
//     backup and an upgrade
//   - "farm-load" and "farm-times": what many workers cost an arena with a farm, and how soon they play
//   - "farm-faults": a farm whose processes are killed, whose network parts and whose disk is full
//   - "soak": an hour at full speed, and what the arena uses meanwhile
//   - "farm-load": many workers of a farm that wait, and then play with bots that cost nothing
//   - "farm-times": how soon a new worker of a farm plays, and how soon others play on after one was killed
//
// The arena, the honest bots, the workers and the attackers are processes of their own. The attackers
// get a fixed share of the processor, so that the report says what they do to the arena,
// not what any busy program does to a small machine.
package main
