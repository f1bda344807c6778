#!/usr/bin/env bash
# Fuzzes every target of the tree and prints how many inputs each had.
#
#   fuzz.sh each FUZZTIME   every target for that time, as go test -fuzztime: 20000x inputs, or 30s
#   fuzz.sh total INPUTS    that many inputs in all; each target runs for about the same time
set -euo pipefail
cd "$(dirname "$0")/.."

main() {
	built=$(mktemp -d)
	trap 'rm -rf "$built"' EXIT
	case "${1:-}" in
	each) # only this project's code leads the few inputs, and libraries are those that tests have compiled
		instrument='-gcflags=versus2048/...=-d=libfuzzer'
		targets | while read -r package target; do
			fuzz "$package" "$target" "$2"
		done
		;;
	total)
		instrument=-fuzz=.
		share "$2"
		;;
	*)
		printf 'usage: %s each FUZZTIME | total INPUTS\n' "$0" >&2
		exit 2
		;;
	esac
}

# targets lists every target after the folder of its package.
targets() {
	grep -roE '^func Fuzz\w+' --include='*_test.go' . | sed -E 's|^\./(.*)/[^/]*:func |\1 |' | sort
}

# fuzz runs one target and prints its package, its name, its inputs and its seconds. It prints everything
# that a failing target has to say. The targets of a package are built once. Inputs that reach new code are
# made smaller by 100 attempts only: by default each may take a minute. Go 1.26 fails at random when a
# duration is up (https://go.dev/issue/75804), which is no failure of the target.
fuzz() {
	local output begin=$SECONDS program=$built/${1//\//-}
	[[ -e $program ]] || go test -c -vet=off -ldflags="-s -w" "$instrument" -o "$program" "./$1"
	if ! output=$(cd "$1" && "$program" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$3" -test.fuzzminimizetime 100x \
		-test.fuzzcachedir "$(go env GOCACHE)/fuzz/$(go list)" -test.timeout 0 2>&1) &&
		{ [[ $output == *'Failing input'* ]] || [[ $output != *'context deadline exceeded'* ]]; }; then
		printf '%s\n' "$output" >&2
		return 1
	fi
	printf '%-40s %-18s %12d inputs %6d s\n' "$1" "$2" "$(inputs "$output")" "$((SECONDS - begin))"
}

# inputs finds the number of inputs in the output of a target.
inputs() {
	grep -o 'execs: [0-9]*' <<<"$1" | tail -1 | tr -dc 0-9
}

# share runs every target for 3000 inputs to learn its speed, then all targets for as long as it takes
# to reach the total.
share() {
	local list speeds=() package target line seconds sum=0 all=0 number
	list=$(targets) # whose failure ends the script, as it would not from <(targets)
	while read -r package target; do
		local begin end
		fuzz "$package" "$target" 1x >/dev/null # builds it
		begin=$(date +%s%N)
		line=$(fuzz "$package" "$target" 3000x)
		end=$(date +%s%N)
		speeds+=("$package $target $((3000 * 1000000000 / (end - begin) + 1))")
		sum=$((sum + 3000 * 1000000000 / (end - begin) + 1))
	done <<<"$list"
	for line in "${speeds[@]}"; do
		read -r package target seconds <<<"$line"
		line=$(fuzz "$package" "$target" "$(($1 * seconds / sum + 1))x")
		printf '%s\n' "$line"
		number=$(grep -o '[0-9]* inputs' <<<"$line" | tr -dc 0-9)
		all=$((all + number))
	done
	printf '%d inputs in %d targets\n' "$all" "${#speeds[@]}"
}

main "$@"
