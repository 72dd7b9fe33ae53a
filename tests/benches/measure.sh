#!/usr/bin/env bash
# Measures whole programs; docs/performance.md has the figures of one machine. Needs GNU time.
#   measure.sh generate [DOCUMENT]   generates with a release build: all files, then without a change; best of RUNS (10)
#   measure.sh diff OLD NEW          compares the CPU time of `diff` with that of generating both; best of RUNS (10)
#   measure.sh compile [DOCUMENT]    compiles the emitted crate with all features, without its dependencies
#   measure.sh features DOCUMENT [FEATURE,… …]
#                                    checks the emitted crate with these sets of features, or with some of all resources
#   measure.sh size                  links programs with reqwest alone and with the emitted crate
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
what=${1:?generate, diff, compile, features or size}
document=$(realpath "${2:-spec/openapi.yaml}")
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
program=${CARGO_TARGET_DIR:-target}/release/openapi-bindings
export CARGO_BUILD_JOBS=2 CARGO_INCREMENTAL=0 CARGO_TERM_QUIET=true

timed() { /usr/bin/time -a -o "$scratch/$1" -f '%e s, %U s user, %S s system, %M KiB' "${@:2}" >/dev/null; }
best() { printf '%-22s %s\n' "$1" "$(sort -n "$scratch/$1" | head -1)"; }

echo "$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2), $(nproc) cores; $(rustc --version); $(date +%F)"
case $what in
  generate)
    cargo build --release --package openapi-bindings
    # Each run has a folder of its own: ext4 takes long to create files where others have just been deleted.
    for run in $(seq "${RUNS:-10}"); do
      for how in written unchanged; do
        CARGO_MANIFEST_DIR=$PWD/xtask CARGO_PKG_NAME=xtask timed $how \
          "$program" codegen --package measured --spec "$document" --out "$scratch/crate-$run"
      done
    done
    best written; best unchanged ;;
  diff)
    new=$(realpath "${3:?the new document}")
    cargo build --release --package openapi-bindings
    export CARGO_MANIFEST_DIR=$PWD/xtask CARGO_PKG_NAME=xtask
    "$program" diff "$document" "$new" >/dev/null # shows what is invalid
    for run in $(seq "${RUNS:-10}"); do
      timed old "$program" codegen --package measured --spec "$document" --out "$scratch/old-$run"
      timed new "$program" codegen --package measured --spec "$new" --out "$scratch/new-$run"
      timed diff "$program" diff "$document" "$new"
    done 2>/dev/null
    cpu=()
    for how in old new diff; do
      best $how
      cpu+=("$(awk '{ print $3 + $6 }' "$scratch/$how" | sort -n | head -1)")
    done
    awk "BEGIN { printf \"diff: %.2f times the CPU time of generating both\\n\", ${cpu[2]} / (${cpu[0]} + ${cpu[1]}) }" ;;
  compile)
    cargo build --release --package openapi-bindings
    CARGO_MANIFEST_DIR=$PWD/xtask CARGO_PKG_NAME=xtask \
      "$program" codegen --package measured --spec "$document" --out "$scratch/crate" >/dev/null
    cp Cargo.lock "$scratch/crate"; cd "$scratch/crate"; unset CARGO_TARGET_DIR
    echo "$(find src -name '*.rs' -exec cat {} + | wc -l) lines"
    for how in check build; do
      cargo $how --all-features
      find src -exec touch {} +
      timed $how cargo $how --all-features; best $how
    done ;;
  features)
    cargo build --release --package openapi-bindings
    CARGO_MANIFEST_DIR=$PWD/xtask CARGO_PKG_NAME=xtask \
      "$program" codegen --package measured --spec "$document" --out "$scratch/crate" >/dev/null
    cp Cargo.lock "$scratch/crate"; cd "$scratch/crate"; unset CARGO_TARGET_DIR
    mapfile -t all < <(sed -n '/^operations = \[/,/^\]/s/^ *"\(.*\)",/\1/p' Cargo.toml)
    sets=("${@:3}")
    if [ ${#sets[@]} = 0 ]; then
      for count in 0 1 2 5 10 20 50 ${#all[@]}; do
        [ "$count" -le ${#all[@]} ] || continue
        set=(); for ((index = 0; index < count; index++)); do set+=("${all[index * ${#all[@]} / count]}"); done
        sets+=("$(IFS=,; echo "${set[*]}")")
      done
    fi
    cargo check --no-default-features --features reqwest,tls-ring
    for set in "${sets[@]}"; do
      find src -exec touch {} +
      rm -f "$scratch/check"
      timed check cargo check --no-default-features --features "reqwest,tls-ring,$set"
      best check
      operations=$(awk -F'|' -v set=",$set," '{ gsub(/[ `]/, "", $5); if ($5 != "" && index(set, "," $5 ",")) count++ } END { print count + 0 }' README.md)
      echo "  $(tr ',' '\n' <<<"$set" | grep -c .) resources, $operations operations: ${set:0:100}"
    done ;;
  size)
    # As in Cargo's own profile, not as in `profile.release` here.
    CARGO_PROFILE_BENCH_PANIC=unwind cargo build --profile bench --package benches --bins
    for name in by_hand three_calls one_call; do
      binary=${CARGO_TARGET_DIR:-target}/release/size_$name
      strip -o "$scratch/$name" "$binary"
      found=$(grep -oP '^  /\S+(?=:)' spec/openapi.yaml | while read -r path; do grep -cqF "$path" "$scratch/$name" && echo; done | wc -l)
      echo "$name: $(stat -c %s "$binary") bytes, $(stat -c %s "$scratch/$name") stripped, $found paths"
    done ;;
esac
