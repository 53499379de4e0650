#!/bin/sh
# What the browser tests need of the system: Chromium and a Chinese font. Installs Debian's packages where it may.
set -eu
missing=""
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || missing="$missing chromium"
command -v fc-list >/dev/null 2>&1 || missing="$missing fontconfig"
[ -n "$(fc-list :lang=zh 2>/dev/null || true)" ] || missing="$missing fonts-noto-cjk"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
else
    echo "The browser tests need these packages:$missing" >&2
    echo "On Debian or Ubuntu: sudo apt-get install$missing" >&2
    exit 1
fi
