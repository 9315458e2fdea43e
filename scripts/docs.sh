#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# scripts/docs.sh [--check]: builds the pages as a site with search, build/site/index.html, with mkdocs (Debian's
# package mkdocs); where Doxygen is installed, also the reference of the C++ classes. --check: in a scratch directory
# and without Doxygen, to see that every link and every page of mkdocs.yml exists; without mkdocs the status is 77.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
  '' | --check) ;;
  -h | --help)
    sed -n '3,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0 ;;
  *)
    echo "docs.sh: unknown argument '$1'; the only one is --check" >&2
    exit 2 ;;
esac
if ! command -v mkdocs >/dev/null; then
  echo "no mkdocs: the pages are not built as a site (Debian: apt-get install mkdocs)" >&2
  if [[ ${1:-} ]]; then exit 77; fi
  exit 2
fi

build=build
if [[ ${1:-} ]]; then
  build=$(mktemp -d)
  trap 'rm -rf "$build"' EXIT
fi
rm -rf "$build/pages"
mkdir -p "$build/pages"
# The pages, and the files that they link to, at their places in the tree.
mapfile -t pages < <(find . \( -name build -o -name '.*' -not -name . \) -prune -o -name '*.md' -type f -print)
links() {
  sed '/^ *```/,/^ *```$/d; s/`[^`]*`//g' "$1" | tr '\n' ' ' | grep -oE '\]\([^) #]+' | sed 's/^](//' |
    grep -vE '^(https?|mailto):' || true
}
for page in "${pages[@]}"; do
  echo "${page#./}"
  while IFS= read -r target; do
    file=$(dirname "$page")/$target
    if [[ -f $file ]]; then realpath --relative-to=. "$file"; fi
  done < <(links "$page")
done | sort -u | xargs cp --parents -t "$build/pages"

if [[ ! ${1:-} ]]; then
  if command -v doxygen >/dev/null; then
    mkdir -p "$build/pages/api"
    printf '%s\n' 'PROJECT_NAME = toriscope' \
      'INPUT = base links router network topologies traces rtl_models testbenches/simulation' \
      'FILE_PATTERNS = *.h' 'RECURSIVE = YES' 'EXCLUDE_PATTERNS = *_bench.h *_oracle.h */sv/*' \
      "OUTPUT_DIRECTORY = $build/pages" 'HTML_OUTPUT = api' 'GENERATE_LATEX = NO' 'EXTRACT_ALL = YES' 'QUIET = YES' \
      "WARN_LOGFILE = $build/doxygen.log" 'HAVE_DOT = NO' 'JAVADOC_AUTOBRIEF = YES' | doxygen - >/dev/null
    printf '\n[All classes and files](../api/index.html)\n' >>"$build/pages/docs/cpp_api.md"
  else
    echo "no doxygen: the site has no reference of the C++ classes (Debian: apt-get install doxygen)"
  fi
fi

sed "s|^docs_dir:.*|docs_dir: $(realpath "$build/pages")|; s|^site_dir:.*|site_dir: $(realpath "$build")/site|" \
    mkdocs.yml >"$build/mkdocs.yml"
mkdocs --quiet build --strict --config-file "$build/mkdocs.yml"
if [[ ! ${1:-} ]]; then echo "$build/site/index.html"; else echo "docs.sh: ${#pages[@]} pages, no violation"; fi
