# Thin lines over cargo and npm. `make run` starts the program with demo content; `make test` runs everything.
export CARGO_TARGET_DIR ?= $(CURDIR)/target
export BINDERY_DATA ?= $(CURDIR)/data
# programs that releases are made with
TOOLS ?= $(CARGO_TARGET_DIR)/tools
export PATH := $(TOOLS)/bin:$(PATH)
# what the rules answer, for the dialog in the browser to answer the same
VECTORS = $(CARGO_TARGET_DIR)/print-options-vectors.json
# what operations of the editor come to, likewise
EDIT_VECTORS = $(CARGO_TARGET_DIR)/edit-vectors.json

.PHONY: run test soak check check-rust check-islands check-journeys faults dictionaries profile bench everything assets crates fonts release program tools dist package package-test image

run: everything
	cargo run -p bindery -- serve --demo

# What builds need from registries, all at once.
everything:
	$(MAKE) -j3 assets crates

crates:
	cargo fetch --quiet --locked --target $$(rustc -vV | sed -n 's/^host: //p')

# Formatting, lints, types and every test: the rules, the pages on SQLite and PostgreSQL, the journeys in a
# browser with and without JavaScript. Clippy is the compiler that builds what is tested: looking at all of it first and building
# it then would take half as long again.
test: export TMPDIR := $(shell .ci/quick-folder)
# tests of the program wait for processes half of their time
test: export RUST_TEST_THREADS ?= $(shell expr 5 \* $$(nproc) / 2)
test: export RUSTC_WORKSPACE_WRAPPER = $(shell rustc --print sysroot)/bin/clippy-driver
test: export CLIPPY_ARGS = -D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
test: tools assets
	cargo fmt --check
	$(MAKE) -j2 --output-sync check-islands check-journeys
	cargo build --workspace --all-targets
	.ci/with-postgres cargo test --workspace --tests
	$(CARGO_TARGET_DIR)/debug/examples/print_options_vectors $(VECTORS)
	$(CARGO_TARGET_DIR)/debug/examples/edit_vectors $(EDIT_VECTORS)
	VECTORS=$(VECTORS) EDIT_VECTORS=$(EDIT_VECTORS) npm --prefix islands test
	npm --prefix end2end test

# What chance decides, many times: requests broken off, kills, operations on orders beside their model, photos over lines
# that break; on PostgreSQL what else runs on SQLite alone; and everything that needs no program of its own behind PgBouncer, and
# of three instances behind HAProxy, on a bucket of Garage's.
soak: export TMPDIR := $(shell .ci/quick-folder)
soak: tools program package-test $(TOOLS)/bin/garage
	BINDERY_SOAK=1 BINDERY_STORM=200 .ci/with-postgres cargo test --workspace --test alone --test shared
	BINDERY_THROUGH_POOLER=1 .ci/with-postgres cargo test --workspace --test shared
	BINDERY_SOAK=1 BINDERY_THROUGH_BALANCER=1 BINDERY_THROUGH_POOLER=1 .ci/with-garage .ci/with-postgres \
		cargo test --workspace --test shared -- postgres::
	BINDERY_SOAK=1 .ci/with-garage .ci/with-postgres cargo test --workspace --test alone -- instances::
	BINDERY_SOAK=1 BINDERY_MODEL_OPERATIONS=100000 .ci/with-postgres cargo test -p bindery --lib -- \
		models::orders:: models::selling models::membership models::giving

# ESLint and the compiler of TypeScript use one core each
check: assets
	$(MAKE) -j2 --output-sync check-rust check-islands check-journeys

check-rust:
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings

check-islands:
	npm --prefix islands run check
	npm --prefix islands run lint

check-journeys:
	npm --prefix end2end ci --no-audit --no-fund
	npm --prefix end2end run check
	node end2end/faults/run.mjs --check
	node .ci/dependencies.mjs
	node .ci/house.mjs > /dev/null

# Puts each deliberate fault of end2end/faults/faults.mjs into the program and sees its test catch it;
# `make faults ONLY=hour` tries those whose names hold the word.
faults: assets
	.ci/tools postgresql
	node end2end/faults/run.mjs $(ONLY)

# Where the time of a page goes, as a flame graph in docs/profiles: `make profile PAGE=/manager/shopping/cart`.
profile: assets
	.ci/tools linux-perf wrk
	.ci/profile $(PAGE)

# Reads anew off the demo's pages what pages have in common.
dictionaries: assets program
	node islands/dictionaries.mjs $(CARGO_TARGET_DIR)/debug/bindery

# Measures the program beside others and writes docs/benchmarks.md; `make bench ONLY=print` takes one measurement again and
# puts it in its place.
IMG2PDF = $(CARGO_TARGET_DIR)/img2pdf-0.6.3

bench: assets $(IMG2PDF)/bin/img2pdf
	.ci/tools chromium chromium-headless-shell poppler-utils postgresql time
	npm --prefix end2end ci --no-audit --no-fund
	npm --prefix end2end/lighthouse ci --no-audit --no-fund
	npm --prefix app/server/benches/sharp ci --no-audit --no-fund
	PATH="$(IMG2PDF)/bin:$$PATH" POSTGRES_FSYNC=on .ci/with-postgres cargo bench --workspace --bench figures -- $(ONLY)

$(IMG2PDF)/bin/img2pdf:
	.ci/tools python3-venv
	python3 -m venv $(IMG2PDF)
	$(IMG2PDF)/bin/pip install --quiet img2pdf==0.6.3 pikepdf==10.17.0 pillow==13.0.0

# One binary with everything in it: target/release/bindery. `cargo audit bin` reads out of it which crates it is made of.
release: everything $(TOOLS)/bin/cargo-auditable
	cargo auditable build --release -p bindery

# What a release hands out, in target/dist; MINISIGN_KEY names the secret key that signs it.
dist: release $(TOOLS)/bin/cargo-deb $(TOOLS)/bin/cargo-cyclonedx
	.ci/dist $(CARGO_TARGET_DIR)/release/bindery $(CARGO_TARGET_DIR)/dist

# A Debian package of that binary, in target/package.
package: release $(TOOLS)/bin/cargo-deb
	.ci/package $(CARGO_TARGET_DIR)/release/bindery

# An OCI image of that package, in target/image, without a hub.
image: package
	.ci/image $(CARGO_TARGET_DIR)/package/*.deb $(CARGO_TARGET_DIR)/image

# Makes of the program that the tests run on what a release hands out, looks through it, installs the package into a Debian of its
# own, where systemd runs, and uses it as a host does. It takes minutes and root, so it is not part of `make test`.
package-test: program $(TOOLS)/bin/cargo-deb $(TOOLS)/bin/cargo-cyclonedx $(CARGO_TARGET_DIR)/package-root.tar
	.ci/tools lintian minisign
	.ci/dist-test $(CARGO_TARGET_DIR)/debug/bindery $(CARGO_TARGET_DIR)/dist-test
	lintian --fail-on error $(CARGO_TARGET_DIR)/dist-test/*.deb
	.ci/package-test $(CARGO_TARGET_DIR)/dist-test/*.deb $(CARGO_TARGET_DIR)/package-root.tar
	.ci/image-test $(CARGO_TARGET_DIR)/dist-test/*.deb $(CARGO_TARGET_DIR)/image-test

$(CARGO_TARGET_DIR)/package-root.tar: FORCE
	.ci/package-root $@

$(TOOLS)/bin/cargo-deb: VERSION = 3.8.0
$(TOOLS)/bin/cargo-auditable: VERSION = 0.7.7
$(TOOLS)/bin/cargo-cyclonedx: VERSION = 0.5.9
# a service that speaks S3 and is none of ours; it takes a quarter of an hour to build
$(TOOLS)/bin/garage:
	cargo install --quiet --locked --version 2.5.0 garage --no-default-features --features bundled-libs,sqlite --root $(TOOLS)

$(TOOLS)/bin/cargo-%:
	cargo install --quiet --locked --version $(VERSION) cargo-$* --root $(TOOLS)

# The HTTP tests and the journeys know the program only as a process, so nothing makes cargo build it for them. It is built of the
# same parts as the tests: alone it would be of fewer features, and everything would be built twice.
program: assets
	cargo build --workspace --bin bindery

tools:
	.ci/tools chromium
	.ci/tools chromium-headless-shell || true
	.ci/tools caddy faketime ghostscript haproxy libavif-bin libheif-examples libimage-exiftool-perl pgbouncer postgresql poppler-utils python3-pil qpdf

assets: islands/dist/manifest.json fonts

islands/dist/manifest.json: islands/node_modules $(shell find islands/src islands/static islands/build.mjs style -type f 2>/dev/null)
	npm --prefix islands run build

islands/node_modules: islands/package-lock.json
	npm --prefix islands ci --no-audit --no-fund
	@touch $@

fonts: app/press/node_modules

app/press/node_modules: app/press/package-lock.json app/press/package.json app/press/pack.mjs
	npm --prefix app/press ci --no-audit --no-fund
	@touch $@

FORCE:
