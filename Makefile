.PHONY: help claims schemas dataset test test-all bench lint fuzz fuzz-long vulnerabilities outdated same-code security stall kills siege network evening farm-faults soak champion champion-profile page-figures page-pictures ladder-hour flaky farm-load dist release release-check site reports tree-reports regret-reports census-report module

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' Makefile

test: ## run the tests without the long ones (two minutes)
	go test -short ./...

test-all: ## run all tests (ten minutes)
	go test ./...

bench: ## run every benchmark of every package
	go test -run '^$$' -bench . -benchmem ./...

lint: ## check format, vet, staticcheck and the modules
	bash .ci/run format vet staticcheck modules

fuzz: ## run every fuzz target for FUZZTIME=20000x inputs, or FUZZTIME=30s
	bash .ci/fuzz.sh each $(or $(FUZZTIME),20000x)

fuzz-long: ## run the fuzz targets for INPUTS=100000000 inputs in all (hours)
	bash .ci/fuzz.sh total $(or $(INPUTS),100000000)

vulnerabilities: ## look up known vulnerabilities of what the code calls, in https://vuln.go.dev
	go tool -modfile=.ci/tools/go.mod govulncheck ./... || { status=$$?; \
		curl -sfo /dev/null https://vuln.go.dev/index/modules.json.gz || echo 'https://vuln.go.dev cannot be reached from here: run this elsewhere'; exit $$status; }

outdated: ## list the modules and tools of which there are newer versions
	@go list -m -u -f '{{if and .Update (not .Indirect)}}{{.Path}} {{.Version}}: {{.Update.Version}}{{end}}' all
	@cd deploy/release/packages && go list -m -u -f '{{if and .Update (not .Indirect)}}{{.Path}} {{.Version}}: {{.Update.Version}}{{end}}' all
	@cd .ci/tools && go list -f '{{.Module.Path}}' tool | sort -u | xargs go list -m -u -f '{{if .Update}}{{.Path}} {{.Version}}: {{.Update.Version}}{{end}}'

claims: ## verify the claims of the ledger that fit into BUDGET=3m, and write their figures into the documents
	go run ./cmd/lab claims verify --budget $(or $(BUDGET),3m)
	go run ./cmd/lab claims write

schemas: ## write docs/schemas from the types
	VERSUS2048_SCHEMAS=write go test -count=1 -run '^TestSchema$$' ./rules/record
	VERSUS2048_SCHEMAS=write go test -count=1 -run '^Test(Schema|OpenAPI|MetricsSchema)$$' ./protocol/... ./internal/server/... ./internal/web ./cmd/arena ./cmd/internal/...

champion: ## compile the champion for browsers, internal/web/static/champion.wasm.br
	go run .ci/champion.go

champion-profile: ## measure again which of its functions are worth the compiler's effort (a minute), then make champion
	folder=$$(mktemp -d) && GODEBUG=cpu.avx2=off go test ./internal/web/inbrowser -run '^$$' -bench Champion -o $$folder/test \
		-cpuprofile internal/web/inbrowser/wasm/default.pgo && rm -r $$folder

page-figures: ## measure the pages in Chromium: first visits, a game of 50,000 plies, watchers, the champion (minutes, on an idle machine)
	go test ./internal/web -run ChampionFiles -bench 'Pages|LongGames|Watchers|ChampionSpeed' -benchtime 1x -count=1 -v -timeout 30m

page-pictures: ## write pictures of the pages into FOLDER=pictures, for documents (a minute)
	mkdir -p $(or $(FOLDER),pictures) && VERSUS2048_PICTURES=$(abspath $(or $(FOLDER),pictures)) go test ./internal/web -run '^$$' -bench Pictures -benchtime 1x

same-code: ## check that the working tree has the code of REV=main without its comments
	go run .ci/samecode.go $(or $(REV),main)

security: ## read the code as gosec does
	bash .ci/run security

stall: ## stop a real arena for 20 s while games are played, and crowd another one: no bot may be charged (a minute, on an idle machine)
	VERSUS2048_STALL=20s go test ./cmd/arena -run TestStoppedArenaBlamesNobody -count=1
	VERSUS2048_CROWD=200 go test ./internal/server -run TestCrowdedArena -count=1

evening: ## host a club evening from the archive of a release, with six bots in six languages, on BOARD=2x2 or 3x3 (minutes; Linux, as root)
	VERSUS2048_EVENING=$(or $(BOARD),3x3) go test -tags hosting ./deploy -run 'TestRelease/^evening$$' -count=1 -v

kills: ## kill -9 an arena 400 times and bots 200 times while they play: no game is lost (half an hour)
	VERSUS2048_KILLS=200 go test ./cmd/arena -run 'TestKilled(ArenaResumes|DuringQuickGames|BotsComeBack)' -count=1 -timeout 0 -v

siege: ## attack an arena of honest bots with hostile ones, with visitors, and on every route (ten minutes)
	folder=$$(mktemp -d) && go build -o $$folder ./cmd/arena ./internal/siege && { status=0; \
		for attack in load visitors kept; do $$folder/siege $$attack --arena $$folder/arena || status=1; done; rm -r $$folder; exit $$status; }

network: ## play across a link that loses packets, delays them and is interrupted (minutes; Linux, as root)
	go run ./internal/siege network

farm-faults: ## kill a farm's processes 100 times, interrupt its network and fill its disk (minutes; Linux, as root)
	go run ./internal/siege farm-faults

soak: ## play for an hour at full speed and watch what the arena uses
	go run ./internal/siege soak

ladder-hour: ## a ladder through bots that fail, restarts, a restored backup and an upgrade, for TIME=1h (from 2m on)
	go run ./internal/siege ladder --time $(or $(TIME),1h)

flaky: ## run the tests that once failed by chance, TIMES=5 each, beside LOOPS=8 busy loops (an hour or more)
	bash .ci/flaky.sh $(or $(TIMES),5) $(or $(LOOPS),8)

farm-load: ## what many workers cost an arena with a farm, and how soon dead ones are replaced (minutes; Linux)
	go run ./internal/siege farm-load --workers 200
	go run ./internal/siege farm-load --workers 200 --pause 20ms
	go run ./internal/siege farm-load --workers 1000
	go run ./internal/siege farm-times

module: ## give the module its public import path, MODULE=example.org/you/versus2048
	@go run ./deploy/release module '$(MODULE)'

dist: ## make dist/, the files of a release: the games behind the reports, with checksums
	bash .ci/dist.sh

dataset: ## make dist/dataset: the games of the reference bots as tables, with a card; OPENINGS=10 SEED=1 (five minutes of the processor)
	go run ./deploy/release dataset --openings $(or $(OPENINGS),10) --seed $(or $(SEED),1) --out dist/dataset

release: ## make release/ from the last commit: archives, packages, images, checksums; signed by KEY=minisign.key
	rm -rf release
	go run ./deploy/release --out release $(if $(KEY),--key $(KEY))

site: ## write site/, the pages without an arena for any server of files (docs/HOSTING.md)
	rm -rf site
	go run ./deploy/release site --out site

release-check: release ## make the release again without what Go has built before: it must be the same bytes (half an hour)
	folder=$$(mktemp -d) && GOCACHE=$$folder/cache go run ./deploy/release --out $$folder/again && \
		cd $$folder/again && sha256sum -c "$(CURDIR)/release/SHA256SUMS" && cmp SHA256SUMS "$(CURDIR)/release/SHA256SUMS" && rm -rf $$folder

reports: dist ## rebuild the reports of these games and the drawn 2x2 games (seconds)
	bash .ci/reports.sh games

tree-reports: ## play the games of Figures 6 to 9 again and rebuild their reports (minutes)
	bash .ci/reports.sh trees

regret-reports: ## measure bots against perfect play on 3x3 again (a quarter of an hour)
	bash .ci/reports.sh regret

census-report: ## count all positions to ply 160 again (half an hour, 4.2 GiB of memory)
	bash .ci/reports.sh census
