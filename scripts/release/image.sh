#!/bin/sh
# Builds the container image of a release, tries it, publishes it for both architectures, and signs it by its digest.
# Needs docker, logged in to the registry, with a builder of `docker buildx create` (docker's own makes no attestations),
# and cosign. Variables: TAG (v1.2.3), IMAGE (its name in the registry), BASE (the image that it is built on), REPOSITORY
# (its address), REVISION (the commit).
set -eu
cd "$(dirname "$0")/../.."

version=${TAG#v}
fail() { echo "image.sh: $*" >&2; exit 1; }

# As JSON: the plain form of this template is ignored for an index with attestations.
base_digest=$(docker buildx imagetools inspect --format '{{json .Manifest.Digest}}' "$BASE" | tr -d '"')
case $base_digest in
  sha256:*) ;;
  *) fail "the registry names no digest of $BASE" ;;
esac

build() {
  docker buildx build --file deploy/docker/Dockerfile --build-arg "BASE=$BASE@$base_digest" \
    --build-arg "VERSION=$version" --build-arg "REVISION=$REVISION" --build-arg "SOURCE=$REPOSITORY" "$@" .
}

# This machine's architecture first: the image has to start without a writable root and without capabilities.
build --provenance=false --load --tag lectern:trial
container=$(docker run --detach --read-only --cap-drop ALL --security-opt no-new-privileges lectern:trial)
trap 'docker rm --force --volumes "$container" >/dev/null' EXIT
seconds=0
until [ "$(docker inspect --format '{{.State.Health.Status}}' "$container")" = healthy ]; do
  seconds=$((seconds + 1))
  [ "$seconds" -le 60 ] || fail "the image is not healthy after a minute: $(docker logs "$container" 2>&1)"
  sleep 1
done
said=$(docker exec "$container" node dist/main.js --version)
case $said in
  "lectern/$version "*) ;;
  *) fail "the image says $said, and the tag is $TAG" ;;
esac

set -- --tag "$IMAGE:$version"
case $version in
  *-*) ;;
  *) set -- "$@" --tag "$IMAGE:latest" ;;
esac
metadata=$(mktemp)
trap 'rm -f "$metadata"; docker rm --force --volumes "$container" >/dev/null' EXIT
build --push --platform linux/amd64,linux/arm64 --provenance=mode=max --sbom=true --metadata-file "$metadata" "$@"
digest=$(sed -n 's/.*"containerimage.digest": *"\(sha256:[0-9a-f]*\)".*/\1/p' "$metadata")
[ -n "$digest" ] || fail "docker named no digest of $IMAGE:$version, so it is not signed"
cosign sign --yes "$IMAGE@$digest"
echo "$IMAGE:$version@$digest"
