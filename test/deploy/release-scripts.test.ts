import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ROOT } from '../support/root.js';
import { textOf } from './deployed.js';
import { parseDockerfile } from './dockerfile.js';

const manifest = JSON.parse(await textOf(ROOT, 'package.json')) as { description: string; license: string };

const BASE_DIGEST = `sha256:${'b'.repeat(64)}`;
const DIGEST = `sha256:${'d'.repeat(64)}`;

/** Fake docker: records how it is called, and answers as docker does. */
const DOCKER = `
case "$1 $2" in
  'buildx imagetools') echo "\\"$FOUND\\"" ;;
  'run --detach') echo the-container ;;
  'inspect --format') echo "$HEALTH" ;;
  'exec the-container') echo "lectern/$SAID linux-x64 node-v24" ;;
  'buildx build')
    while [ $# -gt 0 ]; do
      if [ "$1" = --metadata-file ]; then printf '{\\n  "containerimage.digest": "%s"\\n}\\n' "$MADE" >"$2"; fi
      shift
    done ;;
esac`;

describe('The scripts that publish a release', () => {
  let place: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-publish-'));
    await mkdir(join(place, 'bin'));
    await cp(join(ROOT, 'scripts/release'), join(place, 'scripts/release'), { recursive: true });
    for (const [name, text] of Object.entries({ docker: DOCKER, cosign: '', npm: '', sleep: '' })) {
      const path = join(place, 'bin', name);
      await writeFile(path, `#!/bin/sh\necho ${name} "$*" >>'${join(place, 'calls')}'\n${text}\n`);
      await chmod(path, 0o755);
    }
    await mkdir(join(place, 'tmp'));
  });
  afterEach(() => rm(place, { recursive: true, force: true }));

  async function run(script: string, env: Readonly<Record<string, string>>) {
    const { status, stdout, stderr } = spawnSync(join(place, 'scripts/release', script), {
      env: { PATH: `${join(place, 'bin')}:/usr/bin:/bin`, TMPDIR: join(place, 'tmp'), ...env },
      encoding: 'utf8',
    });
    const calls = await readFile(join(place, 'calls'), 'utf8').catch(() => '');
    assert.deepEqual(await readdir(join(place, 'tmp')), []);
    return { status, stdout, stderr, calls: calls.trim().split('\n') };
  }

  const image = (env: Readonly<Record<string, string>>) =>
    run('image.sh', {
      TAG: 'v1.2.3',
      IMAGE: 'registry.example.org/lectern',
      BASE: 'node:24',
      REPOSITORY: 'https://git.example.org/lectern',
      REVISION: 'abc',
      FOUND: BASE_DIGEST,
      HEALTH: 'healthy',
      SAID: '1.2.3',
      MADE: DIGEST,
      ...env,
    });

  /** The labels of an image that the Dockerfile has been given these arguments for, without `org.opencontainers.image.`. */
  async function labels(given: Readonly<Record<string, string>>) {
    const instructions =
      parseDockerfile(await textOf(ROOT, 'deploy/docker/Dockerfile')).at(-1)?.instructions ?? [];
    const written = instructions.filter(({ name }) => name === 'LABEL').map(({ text }) => text);
    const pairs = written.join(' ').matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g);
    return Object.fromEntries(
      [...pairs].map(([, label, value = '']) => [
        label,
        value.replace(/^\$(\w+)$/, (_, name) => given[name] ?? ''),
      ]),
    );
  }

  /** The container goes, and nothing reaches the registry. */
  function assertNothingPublished(calls: readonly string[]): void {
    assert.ok(!calls.some((call) => / --push | login |^cosign /.test(call)), calls.join('\n'));
    const isStarted = calls.some((call) => call.startsWith('docker run '));
    assert.equal(calls.includes('docker rm --force --volumes the-container'), isStarted);
  }

  it("build the image on the base's digest, test it, publish it for two architectures, and sign its digest", async () => {
    const { status, stdout, stderr, calls } = await image({});
    assert.equal(status, 0, stderr);
    const [tried, pushed] = calls.filter((call) => call.startsWith('docker buildx build '));
    const given = { VERSION: '1.2.3', REVISION: 'abc', SOURCE: 'https://git.example.org/lectern' };
    for (const built of [tried, pushed]) {
      assert.ok(built?.includes(` --build-arg BASE=node:24@${BASE_DIGEST} `));
      for (const [name, value] of Object.entries(given))
        assert.ok(built?.includes(` --build-arg ${name}=${value} `));
    }
    assert.deepEqual(await labels(given), {
      title: 'Lectern',
      description: manifest.description,
      licenses: manifest.license,
      version: '1.2.3',
      revision: 'abc',
      source: 'https://git.example.org/lectern',
    });
    assert.match(tried ?? '', / --load /);
    assert.match(
      pushed ?? '',
      / --push --platform linux\/amd64,linux\/arm64 --provenance=mode=max --sbom=true /,
    );
    assert.match(
      pushed ?? '',
      / --tag registry\.example\.org\/lectern:1\.2\.3 --tag registry\.example\.org\/lectern:latest \.$/,
    );
    const started = calls.find((call) => call.startsWith('docker run ')) ?? '';
    assert.match(started, / --read-only --cap-drop ALL --security-opt no-new-privileges /);
    assert.ok(calls.indexOf(started) < calls.indexOf(pushed ?? ''));
    assert.ok(
      calls.indexOf(pushed ?? '') < calls.indexOf(`cosign sign --yes registry.example.org/lectern@${DIGEST}`),
    );
    assert.equal(calls.at(-1), 'docker rm --force --volumes the-container');
    assert.ok(stdout.endsWith(`registry.example.org/lectern:1.2.3@${DIGEST}\n`));
  });

  it('tag a pre-release with its version alone', async () => {
    const { status, calls } = await image({ TAG: 'v1.2.3-rc.1', SAID: '1.2.3-rc.1' });
    assert.equal(status, 0);
    assert.match(calls.join('\n'), /--tag registry\.example\.org\/lectern:1\.2\.3-rc\.1 \.\n/);
    assert.doesNotMatch(calls.join('\n'), /latest/);
    const published = await run('npm.sh', {
      TAG: 'v1.2.3-rc.1',
      NPM_REGISTRY: 'https://registry.example.org/',
    });
    assert.match(published.calls.at(-1) ?? '', / --tag next /);
  });

  it('publish no image whose base has no digest', async () => {
    const { status, stderr, calls } = await image({ FOUND: 'null' });
    assert.deepEqual([status, stderr], [1, 'image.sh: the registry names no digest of node:24\n']);
    assertNothingPublished(calls);
  });

  it('publish no image that fails its health check', async () => {
    const { status, stderr, calls } = await image({ HEALTH: 'starting' });
    assert.equal(status, 1);
    assert.match(stderr, /the image is not healthy after a minute/);
    assertNothingPublished(calls);
  });

  it('publish no image that reports another version', async () => {
    for (const said of ['1.2.2', 'DEV', '1.2.30']) {
      const { status, stderr, calls } = await image({ SAID: said });
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`the image says lectern/${said} .*, and the tag is v1\\.2\\.3`));
      assertNothingPublished(calls);
    }
  });

  it("fail, and sign nothing, when the image's digest is unknown", async () => {
    const { status, stderr, calls } = await image({ MADE: '' });
    assert.equal(status, 1);
    assert.match(stderr, /docker named no digest/);
    assert.ok(!calls.some((call) => call.startsWith('cosign')));
  });

  it('publish the tarball on npm with a provenance, and run none of its scripts', async () => {
    await mkdir(join(place, 'release'));
    await writeFile(join(place, 'release/lectern-1.2.3.tgz'), '');
    const { status, calls } = await run('npm.sh', {
      TAG: 'v1.2.3',
      NPM_REGISTRY: 'https://registry.example.org/',
    });
    assert.equal(status, 0);
    const options = '--provenance --access public --ignore-scripts --registry https://registry.example.org/';
    assert.deepEqual(calls, [`npm publish ${options} --tag latest ./release/lectern-1.2.3.tgz`]);
  });
});
