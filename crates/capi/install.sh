#!/bin/sh
# Builds libgamma and installs it under a folder (/usr/local unless told otherwise):
#
#     crates/capi/install.sh [PREFIX]
#
#     PREFIX/include/gamma.h
#     PREFIX/lib/libgamma.a
#     PREFIX/lib/libgamma.so -> libgamma.so.0 -> libgamma.so.0.2.0
#     PREFIX/lib/pkgconfig/gamma.pc
#     PREFIX/lib/cmake/gamma/gammaConfig.cmake, gammaConfigVersion.cmake
#     PREFIX/share/man/man3/libgamma.3
#
# DESTDIR is put before PREFIX if set, for those who make packages. docs/c-library.md tells how
# programs are built with it then.
set -eu

case ${1-} in
    -h | --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    /* | "") ;;
    *) set -- "$PWD/$1" ;;
esac
prefix=${1:-/usr/local}
root=${DESTDIR-}$prefix
here=$(cd "$(dirname "$0")" && pwd)
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-$here/../../target}
case $target in /*) ;; *) target=$PWD/$target ;; esac

# What a program must link with beside the static library, as the compiler gives it for Linux;
# pkg-config hands it out with --static.
# `-lgcc_eh` is the static half of `-lgcc_s`, which `-static` cannot take.
private="-lgcc_eh -lgcc -lutil -lrt -lpthread -lm -ldl -lc"

if ! command -v "$cargo" >/dev/null 2>&1; then
    echo "install.sh: cannot run '$cargo', which builds the library: install Rust (https://rustup.rs," >&2
    echo "or your system's package 'cargo'), or set CARGO to the path of cargo" >&2
    exit 1
fi
(cd "$here" && env -u CARGO_BUILD_TARGET -u RUSTC_BOOTSTRAP "$cargo" build --profile dist --package floe-capi \
    --target-dir "$target" ${CARGO_FLAGS-})
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml")
major=${version%%.*}

mkdir -p "$root/include" "$root/lib/pkgconfig" "$root/lib/cmake/gamma" "$root/share/man/man3"
install -m 644 "$here/include/gamma.h" "$root/include/gamma.h"
# The archive as built has Rust's library whole and all its names. Of it go what the eight functions
# need, and no other name than theirs.
names="new delete move golden_move busy_fields free_fields golden_possible board"
roots=$(for name in $names; do echo "-u gamma_$name"; done)
shown=$(for name in $names; do echo "--keep-global-symbol=gamma_$name"; done)
object=$root/lib/libgamma.$$.o
trap 'rm -f "$object"' EXIT
# shellcheck disable=SC2086 # lists of words
ld -r --gc-sections $roots "$target/dist/libgamma.a" -o "$object"
# shellcheck disable=SC2086
objcopy $shown --strip-unneeded "$object"
rm -f "$root/lib/libgamma.a"
(cd "$root/lib" && mv "libgamma.$$.o" gamma.o && ar rcsD libgamma.a gamma.o && rm gamma.o)
chmod 644 "$root/lib/libgamma.a"
install -m 755 "$target/dist/libgamma.so" "$root/lib/libgamma.so.$version"
ln -sf "libgamma.so.$version" "$root/lib/libgamma.so.$major"
ln -sf "libgamma.so.$major" "$root/lib/libgamma.so"
install -m 644 "$here/man/libgamma.3" "$root/share/man/man3/libgamma.3"
fill() {
    sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@MAJOR@|$major|" \
        -e "s|@PRIVATE@|$private|" "$here/$1.in"
}
fill gamma.pc >"$root/lib/pkgconfig/gamma.pc"
for file in gammaConfig.cmake gammaConfigVersion.cmake; do
    fill "$file" >"$root/lib/cmake/gamma/$file"
done
