#!/usr/bin/env bash
# Makes dist/games, the games behind the reports of docs/experiments: one export per event, as
# docs/experiments/MANIFEST.txt lists them, and dist/SHA256SUMS. Files that are already there are
# checked, the others are made from the databases in git's history.
set -euo pipefail
cd "$(dirname "$0")/.."

main() {
	local sum bytes games blob file name
	mkdir -p dist/games
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	while read -r sum bytes games blob file name; do
		[[ -f dist/games/$file.gz ]] || export_event "$blob" "$file"
		check "$sum" "$file"
		printf '%s.gz: %s, %d games\n' "$file" "$name" "$games"
	done < <(grep -v '^#' docs/experiments/MANIFEST.txt)
	(cd dist && sha256sum games/*.jsonl.gz >SHA256SUMS)
}

# export_event exports an event of a database in git's history. The event's number is the last part
# of the file's name: claim-1.jsonl is event 1.
export_event() {
	local blob=$1 file=$2 event=${2##*-}
	[[ -x $work/arena ]] || go build -o "$work/arena" ./cmd/arena
	[[ -f $work/$blob.db ]] || database "$blob"
	"$work/arena" export "${event%.jsonl}" "$work/$file" --db "$work/$blob.db" >/dev/null
	gzip -9n "$work/$file"
	mv "$work/$file.gz" dist/games/
}

database() {
	if ! git cat-file -e "$1" 2>/dev/null; then
		cat >&2 <<-END
			dist: the database $1 is not in this clone's history.
			Either fetch the whole history:  git fetch --unshallow
			or download the *.jsonl.gz files of a release and put them into dist/games.
		END
		exit 1
	fi
	git cat-file blob "$1" | gunzip >"$work/$1.db"
}

# check compares the checksum of an uncompressed export with the manifest.
check() {
	local sum
	sum=$(gunzip -c "dist/games/$2.gz" | sha256sum)
	[[ ${sum%% *} == "$1" ]] && return
	printf 'dist: dist/games/%s.gz differs from docs/experiments/MANIFEST.txt: remove it and try again\n' "$2" >&2
	exit 1
}

main
