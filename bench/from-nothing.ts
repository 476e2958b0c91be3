/** The README's ways from nothing to a published site: each step as it is typed, with npm's downloads in its cache or on this machine. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../test/support/free-port.js';
import { byNpx, fromClone, type Step } from '../test/support/from-nothing.js';
import { BuiltImage, makeBase } from '../test/support/image/built-image.js';
import { byImage } from '../test/support/image/first-site.js';
import { NpmRegistry } from '../test/support/npm-registry.js';
import { ROOT } from '../test/support/root.js';
import { packLectern } from '../test/support/tarball.js';
import { corpus } from './corpus.js';
import { isInstalled, requirePrograms } from './support/machine.js';
import { progress, whenRunAlone } from './support/script.js';
import type { Row, Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';

const MAX_MS = 60_000;
/** As somebody has it who has used npm, and installed nothing of this before. */
const CACHED = { npm_config_prefer_offline: 'true', npm_config_audit: 'false' };

export async function fromNothing(): Promise<Section> {
  requirePrograms('git', 'curl', 'bash');
  const place = temporaryDirectory('from-nothing');
  progress('from nothing: the package, and a registry that has it');
  const registry = await NpmRegistry.start((await packLectern(place)).path, join(place, 'tarballs'));
  const ways: [name: string, way: (step: Step) => Promise<void>][] = [
    [
      'a clone',
      async (step) => {
        const cwd = join(place, 'clone');
        await step('git clone', () => promisify(execFile)('git', ['clone', '--quiet', ROOT, cwd]));
        await fromClone({ cwd, env: { ...process.env, ...CACHED } }, step);
      },
    ],
    [
      'npx',
      async (step) => {
        const home = join(place, 'home');
        await mkdir(home);
        await byNpx({ cwd: home, env: registry.environment(home) }, step);
      },
    ],
  ];
  if (isInstalled('buildah') && isInstalled('debootstrap') && process.getuid?.() === 0) {
    progress('from nothing: the image and its base, some minutes');
    const image = BuiltImage.build(join(place, 'buildah'), makeBase(join(place, 'base')));
    ways.push(['the image', (step) => runImage(image, place, step)]);
  } else
    console.error('bench: the image is not tried: it needs root, and apt-get install -y buildah debootstrap');
  const rows: Row[] = [];
  for (const [name, way] of ways) {
    progress(`from nothing: ${name}`);
    rows.push(...(await timed(name, way)));
  }
  await registry.close();
  return {
    title: 'From nothing to a published site',
    note: 'Each way once, in an empty directory. `npx` has an empty home, and downloads from a registry on this machine. The image is built before.',
    rows,
  };
}

/** Runs the built image on an empty volume until a real site is published. */
async function runImage(image: BuiltImage, place: string, step: Step): Promise<void> {
  const volume = image.makeVolume(join(place, 'volume'));
  const server = image.serve(volume, await freePort());
  try {
    await byImage({ image, server, volume, cwd: place, site: await corpus('small') }, step);
  } finally {
    await server.stop();
  }
}

/** Takes a way, and returns a row for each of its steps, and one for all. */
async function timed(name: string, way: (step: Step) => Promise<void>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const began = performance.now();
  await way(async (what, work) => {
    const start = performance.now();
    const result = await work();
    rows.push({ what: `${name}: ${what}`, against: '', unit: 'ms', values: [performance.now() - start] });
    return result;
  });
  const all = performance.now() - began;
  return [
    ...rows,
    { what: `${name}: all`, against: '', unit: 'ms', values: [all], target: { atMost: MAX_MS } },
  ];
}

await whenRunAlone(import.meta.url, fromNothing);
