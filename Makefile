# Every target works in a fresh clone: what it needs is built from pinned modules into .bin/.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

# Two test packages at a time: each may run an API server and etcd of its own.
GO_TEST := go test -race -p 2 -timeout 20m

# Whole audits one after another, and thousands of requests that an API server and the library answer: the race detector makes them several times slower. It looks
# at the same code in the other packages, and in these tests of what runs at the same time.
UNRACED := /(test/(cases|differential|e2e|findings|guard)|pkg/(audit|chart)|internal/cli)$$
RACED := TestSameReportEachTime|TestScripts/(audit|compare|live|progress|verify|who_can)$$

# Modules of their own, so that their dependencies stay out of the plugin's.
MODULES := . test/controlplane test/formats tools

GOLANGCI_LINT := .bin/golangci-lint
CONTROLPLANE := $(addprefix .bin/controlplane/,etcd kube-apiserver kubectl)

# Whoever has envtest's binaries already may point KUBEBUILDER_ASSETS at them; nothing is built then.
ifdef KUBEBUILDER_ASSETS
ASSETS :=
else
ASSETS := $(CONTROLPLANE)
KUBEBUILDER_ASSETS := $(CURDIR)/.bin/controlplane
endif
export KUBEBUILDER_ASSETS

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' Makefile

.PHONY: build
build: ## Build the plugin to bin/kubectl-downscaler_compliance
	go build -o bin/ ./cmd/kubectl-downscaler_compliance

.PHONY: test
test: $(ASSETS) lint vet fmt-check tidy-check ## Check and test everything, against a real API server too
	go list ./... | grep -vE '$(UNRACED)' | xargs $(GO_TEST)
	$(GO_TEST) -run '$(RACED)' ./pkg/audit ./internal/cli
	go list ./... | grep -E '$(UNRACED)' | xargs go test -p 2 -timeout 20m
	cd test/controlplane && go vet ./... && go test -count=1 -timeout 10m ./...
	cd test/formats && go vet ./... && go test -count=1 -timeout 10m ./...

.PHONY: test-unit
test-unit: ## Test everything that needs no API server
	go list ./... | grep -v '/test/' | xargs $(GO_TEST)

.PHONY: e2e
e2e: $(ASSETS) ## Test only what needs an API server
	go test -p 2 -timeout 20m ./test/...
	cd test/formats && go test -count=1 -timeout 10m ./...

.PHONY: bench
bench: ## Run the benchmarks
	go list ./... | grep -v '/test/' | xargs go test -run '^$$' -bench . -benchmem

N ?= 2000

.PHONY: differential
differential: $(ASSETS) ## Compare N random cases with the API server (make differential N=2000)
	go test ./test/differential -run TestDifferential -count 1 -v -timeout 60m -cases $(N)

.PHONY: lint
lint: $(GOLANGCI_LINT) ## Run golangci-lint
	$(GOLANGCI_LINT) run

.PHONY: vet
vet:
	go vet ./...

.PHONY: fmt
fmt: $(GOLANGCI_LINT) ## Format the code
	$(GOLANGCI_LINT) fmt

.PHONY: fmt-check
fmt-check: $(GOLANGCI_LINT)
	$(GOLANGCI_LINT) fmt --diff

.PHONY: tidy
tidy: ## Tidy go.mod and go.sum of every module
	@for module in $(MODULES); do (set -x; cd $$module && go mod tidy) || exit; done

.PHONY: tidy-check
tidy-check:
	@for module in $(MODULES); do (set -x; cd $$module && go mod tidy -diff) || exit; done

.PHONY: controlplane
controlplane: $(CONTROLPLANE) ## Build the etcd, kube-apiserver and kubectl that the tests use

.PHONY: clean
clean: ## Remove everything built
	rm -rf bin .bin

.bin/controlplane/etcd: PACKAGE := go.etcd.io/etcd/server/v3
.bin/controlplane/kube-apiserver: PACKAGE := k8s.io/kubernetes/cmd/kube-apiserver
.bin/controlplane/kubectl: PACKAGE := k8s.io/kubernetes/cmd/kubectl

# Kubernetes learns its version from its own build scripts; clients can't parse the one it has without them.
$(CONTROLPLANE): test/controlplane/go.mod test/controlplane/go.sum
	@echo "building $(notdir $@), which takes a few minutes the first time"
	@cd test/controlplane && \
	version=$$(go list -m -f '{{.Version}}' k8s.io/kubernetes) && \
	IFS=. read -r major minor _ <<< "$${version#v}" && \
	go build -o $(CURDIR)/$@ -ldflags "-s -w \
		-X k8s.io/component-base/version.gitVersion=$$version \
		-X k8s.io/component-base/version.gitMajor=$$major \
		-X k8s.io/component-base/version.gitMinor=$$minor" $(PACKAGE)

$(GOLANGCI_LINT): tools/go.mod tools/go.sum
	cd tools && go build -o $(CURDIR)/$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
