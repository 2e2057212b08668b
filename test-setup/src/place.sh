#!/bin/sh
# Runs a command on this tree in a place that is unlike a developer's machine in all that has made tests fail:
#
#   place.sh root FOLDER DATE COMMAND...   an unpacked archive in a folder that only root may enter, on a minimal system
#   place.sh user FOLDER DATE COMMAND...   a clone of another owner, with little room for temporary files and in memory
#   place.sh here FOLDER DATE COMMAND...   the tree itself, for who may not make one of the others
#
# FOLDER is where all of it is mounted, DATE when it begins, such as "2028-02-29 12:00:00". Only root on Linux can make the first
# two; nothing of them is left when the command has ended.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
place=$1 folder=$2 date=$3
if [ "$place" != here ] && [ "${CALL_MEDIA_PLACE:-}" != "$folder" ]; then
  exec env CALL_MEDIA_PLACE="$folder" unshare --mount "$0" "$@"
fi
shift 3

# Mounts a copy of the tree in a path with a blank and a letter beyond ASCII; what is changed in it goes to memory.
make_tree() {
  mount -t tmpfs -o mode=755 tmpfs "$folder"
  tree="$folder/a folder für Tests/tree"
  mkdir -p "$folder/upper" "$folder/work" "$folder/home" "$tree"
  mount -t overlay -o "lowerdir=$here,upperdir=$folder/upper,workdir=$folder/work" overlay "$tree"
  cd "$tree"
  export HOME="$folder/home"
}

# All programs but those that a package manager may have brought.
make_bare() {
  mkdir "$folder/programs"
  echo "$PATH" | tr ':' '\n' | while read -r path; do
    for program in "$path"/*; do
      case ${program##*/} in
        git | git-* | python* | pip* | psql | pg_* | pgrep | pkill | ps) ;;
        curl | openssl | jq | perl | ffmpeg | unzip | zip | zsh | fish | nginx) ;;
        *) ln -s "$program" "$folder/programs/" 2>/dev/null || true ;; # the first of a name is found
      esac
    done
  done
  PATH=$folder/programs
}

if command -v faketime >/dev/null; then
  set -- faketime -f "@$date" "$@"
  export FAKETIME_DONT_FAKE_MONOTONIC=1
else
  echo "SKIPPED: another date; faketime is not installed"
fi
set -- setsid --wait "$@" # no terminal

case $place in
  root)
    make_tree
    chmod 700 "$folder/a folder für Tests"
    rm -rf .git
    make_bare
    umask 077
    ulimit -n 256
    export LC_ALL=tr_TR.UTF-8 TZ=Pacific/Chatham
    ;;
  user)
    make_tree
    mkdir "$folder/temporary"
    mount -t tmpfs -o size=300m,noexec,mode=1777 tmpfs "$folder/temporary"
    for small in /dev/shm /var/tmp; do mount -t tmpfs -o size=64m,mode=1777 tmpfs $small; done
    find . -path ./.git -prune -o -path ./node_modules/.pnpm -prune -o -exec chown -h nobody {} +
    chown nobody "$HOME"
    export TMPDIR="$folder/temporary" LC_ALL=C TZ=America/St_Johns
    set -- setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
    ;;
  here)
    cd "$here"
    umask 077
    ulimit -n 256
    export LC_ALL=tr_TR.UTF-8 TZ=Pacific/Chatham
    ;;
esac
exec "$@" </dev/null
