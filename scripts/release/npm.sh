#!/bin/sh
# Publishes the tarball in release/ on npm, with a provenance and without a token: npm asks the CI who it is (OIDC).
# Variables: TAG (v1.2.3), NPM_REGISTRY (its address).
set -eu
cd "$(dirname "$0")/../.."

# What `npm install` takes without a version is the newest release, never a pre-release.
case $TAG in
  *-*) label=next ;;
  *) label=latest ;;
esac
npm publish --provenance --access public --ignore-scripts --registry "$NPM_REGISTRY" --tag "$label" ./release/*.tgz
