#!/usr/bin/env bash
# Rebuilds reports and pictures in docs/: `bash .ci/reports.sh games` makes those of the recorded
# games, `table1`, `trees`, `regret` and `census` those that are computed or played again from their
# seeds. Afterwards `git diff docs` shows what has changed.
set -euo pipefail
cd "$(dirname "$0")/.."

main() {
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	go build -o "$work" ./cmd/arena ./cmd/lab
	"$1"
}

arena() {
	"$work/arena" "$@" >/dev/null
}

lab() {
	"$work/lab" "$@" >/dev/null
}

# games takes seconds. It needs dist/games, which `make dist` makes.
games() {
	local rules
	import
	experiment improvements canonical scaled edges leaf4 merge cutoff evaluated log rank plus --db "$work/improvements.db"
	experiment improvements plus --no-stop --matches 60 --seed 2 --db "$work/claim.db"
	for rules in gpcc2015 gpcc2016 solo; do
		lab gametree --rules "$rules" --out "docs/analysis/gametree-2x2-$rules.svg" --force
		lab gametree --rules "$rules" --out "docs/analysis/gametree-2x2-$rules.png" --force
	done
}

# table1 plays those matches of Table 1 whose games are not kept, which takes more than an hour.
table1() {
	import
	lab experiment table1 --db "$work/table1.db" --out docs/experiments --force
}

import() {
	local sum bytes games blob file name
	while read -r sum bytes games blob file name; do
		arena import "dist/games/$file.gz" --db "$work/${file%-*}.db"
	done < <(grep -v '^#' docs/experiments/MANIFEST.txt)
}

experiment() {
	lab experiment "$@" --report-only --out docs/experiments --force
}

# trees plays 16 games without clocks again, which takes minutes.
trees() {
	lab experiment tree --matches 4 --db "$work/tree.db" --out docs/experiments --force
	lab experiment tree --canonical --matches 4 --db "$work/tree.db" --out docs/experiments --force
}

# regret solves 3x3 and measures 20 bots under both rules, which takes a quarter of an hour.
regret() {
	local rules n bots=(--bot random --bot greedy --bot evminimax --bot evminimax:depth=6)
	for n in 10 30 100 300 1000 3000 10000 30000; do bots+=(--bot "mcts:playouts=$n"); done
	for n in 10 30 100 300 1000 3000 10000 30000; do bots+=(--bot "dag:playouts=$n"); done
	for rules in gpcc2015 gpcc2016; do
		lab solve --size 3x3 --rules "$rules" --table "$work/$rules.table"
		lab regret --table "$work/$rules.table" --positions 1000 "${bots[@]}" --out docs/analysis --force
	done
}

# census takes half an hour and 4.2 GiB of memory.
census() {
	lab census --plies 160 --dir "$work/census" --out docs/analysis --force
}

case ${1-} in
games | table1 | trees | regret | census) main "$1" ;;
*) echo "usage: bash .ci/reports.sh games|table1|trees|regret|census" >&2 && exit 2 ;;
esac
