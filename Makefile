.PHONY: test bench lint fuzz

test:
	go test ./...

bench:
	go test -run '^$$' -bench . -benchmem ./...

lint:
	bash .ci/run format vet staticcheck modules

fuzz:
	bash .ci/run fuzz
