#!/bin/sh
# Builds libgamma and installs it under a folder (/usr/local unless told otherwise):
#
#     crates/capi/install.sh [PREFIX]
#
#     PREFIX/include/gamma.h
#     PREFIX/lib/libgamma.a
#     PREFIX/lib/libgamma.so -> libgamma.so.0 -> libgamma.so.0.1.0
#     PREFIX/lib/pkgconfig/gamma.pc
#     PREFIX/lib/cmake/gamma/gammaConfig.cmake, gammaConfigVersion.cmake
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
private="-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"

(cd "$here" && env -u CARGO_BUILD_TARGET -u RUSTC_BOOTSTRAP "$cargo" build --profile dist --package floe-capi \
    --target-dir "$target" ${CARGO_FLAGS-})
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml")
major=${version%%.*}

mkdir -p "$root/include" "$root/lib/pkgconfig" "$root/lib/cmake/gamma"
install -m 644 "$here/include/gamma.h" "$root/include/gamma.h"
install -m 644 "$target/dist/libgamma.a" "$root/lib/libgamma.a"
install -m 755 "$target/dist/libgamma.so" "$root/lib/libgamma.so.$version"
ln -sf "libgamma.so.$version" "$root/lib/libgamma.so.$major"
ln -sf "libgamma.so.$major" "$root/lib/libgamma.so"
fill() {
    sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@MAJOR@|$major|" \
        -e "s|@PRIVATE@|$private|" "$here/$1.in"
}
fill gamma.pc >"$root/lib/pkgconfig/gamma.pc"
for file in gammaConfig.cmake gammaConfigVersion.cmake; do
    fill "$file" >"$root/lib/cmake/gamma/$file"
done
