#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/checks/pages.sh [ROOT]: the pages agree with the tree. Code blocks that follow a line
#   <!-- the code of FILE -->
# are FILE (its body: what stands between the namespace braces), and relative links lead somewhere.
# `pages.sh --write` brings the blocks up to date instead of complaining.
set -euo pipefail
write=
if [[ ${1:-} == --write ]]; then
  write=yes
  shift
fi
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
offences=0
offence() { echo "$1"; offences=$((offences + 1)); }

# The part of a header that a reader wants to see.
body() {
  sed -n '/^namespace toriscope {$/,/^}  \/\/ namespace toriscope$/p' "$1" | sed '1d;$d' |
    sed '1{/^$/d}' | sed '${/^$/d}'
}

# The page with every such block replaced by the file's body.
renewed() {
  local line file
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line =~ ^'<!-- the code of '(.*)' -->'$ ]]; then
      file=${BASH_REMATCH[1]}
      if [[ ! -f $file ]]; then echo "(no such file: $file)"; continue; fi
      IFS= read -r line # the opening fence
      printf '%s\n' "$line"
      body "$file"
      while IFS= read -r line && [[ $line != '```' ]]; do :; done
      printf '```\n'
    fi
  done <"$1"
}

mapfile -t pages < <(find . -path ./build -prune -o -name '*.md' -type f -print | sed 's|^\./||' | sort)
for page in "${pages[@]}"; do
  if ! difference=$(diff "$page" <(renewed "$page")); then
    if [[ $write ]]; then
      new=$(renewed "$page"; echo .)
      printf '%s' "${new%.}" >"$page"
    else
      offence "$page: a code block differs from its file; scripts/checks/pages.sh --write renews it:"
      echo "$difference"
    fi
  fi
  while IFS= read -r target; do
    target=${target%%#*}
    if [[ -n $target && ! -e $(dirname "$page")/$target ]]; then offence "$page: a link leads nowhere: $target"; fi
  done < <(sed '/^ *```/,/^ *```$/d; s/`[^`]*`//g' "$page" | grep -oE '\]\([^) ]+\)' |
           sed -E 's/^\]\(//; s/\)$//' | grep -vE '^(https?|mailto):' || true)
done

if ((offences > 0)); then exit 1; fi
echo "pages.sh: ${#pages[@]} pages, no offence"
