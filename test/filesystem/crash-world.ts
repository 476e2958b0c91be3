import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import {
  lutimes,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FilesystemDocStore, type Report } from '../../src/adapters/filesystem/index.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import { type Archives, Changes, type RemovedVersion, UploadVersion } from '../../src/application/index.js';
import { archiveNameOf, SitePath, tokenActor, type Version } from '../../src/domain/index.js';
import { textOf } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { zipOf } from '../support/zip-writer.js';
import type { FaultyDisk } from './faulty-disk.js';

export type Files = Readonly<Record<string, string>>;
/** Whole state of a version; undefined when it is not there. */
export type State = Files | undefined;

/** A directory in memory, where there is one: thousands of fsyncs would wear out a disk for nothing. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Threads of all tests of a process; idle ones don't keep it alive. */
export const archives = new ZipArchives(firstLineDocinfo);

export const makeDirectory = () => mkdtemp(join(BASE, 'lectern-test-'));

export const site = (text: string): Files => ({
  'index.html': `${text} index`.repeat(50),
  'a/b.html': `${text} b`,
  'a/c/d.txt': `${text} d`.repeat(20),
  'docinfo.yaml': `Name ${text}`,
});

export async function openStore(
  docs: string,
  faulty?: FaultyDisk,
  report: Report = () => {},
  keepRemovedMs = 0,
) {
  return FilesystemDocStore.open(docs, {
    keepRemovedMs,
    archives: faulty?.archives(archives) ?? archives,
    readDocinfo: firstLineDocinfo,
    // Nothing is removed in the background during a count: closing removes leftovers.
    graceMs: 3_600_000,
    pollMs: faulty === undefined ? 20 : 3_600_000,
    report,
    ...(faulty === undefined ? {} : { disk: faulty.disk }),
  });
}

const actor = tokenActor('ci', { allowOverwrite: true });

/** Uploads as the application does, so that the tests include how it discards failed uploads. */
export async function upload(
  store: FilesystemDocStore,
  name: string,
  files: Readonly<Record<string, string | Buffer>>,
  faulty?: FaultyDisk,
) {
  const using: Archives = faulty?.archives(archives) ?? archives;
  const content = zipOf(files);
  return new UploadVersion(store, new Changes(store), using).execute({
    actor,
    fileName: archiveNameOf(name),
    content: (async function* () {
      yield content.subarray(0, 100);
      yield content.subarray(100);
    })(),
  });
}

/** Asserts that a published version is still published, or can be restored, whole. Restores it. */
export async function assertRestorable(store: FilesystemDocStore, name: string, files: Files): Promise<void> {
  const version = store.catalogue().version(name);
  if (version !== undefined && (await isWhole(store, version, files))) return;
  const isWanted = ({ version: { directoryName, origin, record } }: RemovedVersion) =>
    directoryName === name && (origin === 'copied' || record.docinfo?.name === files['docinfo.yaml']);
  const found = (await store.removed()).find(isWanted) ?? assert.fail(`${name} cannot be restored`);
  if (found.version.origin === 'copied' && version !== undefined) await store.remove(version);
  await store.restore(found, { replace: true });
  assert.ok(await isWhole(store, store.catalogue().version(name) ?? assert.fail(name), files));
}

export async function writeSite(directory: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

/** A copy of a docs directory. */
export async function copy(from: string): Promise<string> {
  const to = await makeDirectory();
  copyInto(to, from);
  return to;
}

/** Sync, and not by `cpSync`, which looks at each file's parents up to the root: there are hundreds of copies to make. */
function copyInto(to: string, from: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isDirectory()) {
      mkdirSync(target);
      copyInto(target, source);
    } else {
      copyFileSync(source, target);
      const { atime, mtime } = statSync(source);
      utimesSync(target, atime, mtime);
    }
  }
}

/** Makes every lease on a directory look like one of a process that is gone. */
export async function buryLeases(docs: string): Promise<void> {
  const running = join(docs, '.lectern/running');
  for (const name of await readdir(running).catch(() => [])) {
    if (!name.endsWith('.ended')) await writeLease(docs, name, { pid: 2 ** 30 });
  }
}

/** Writes a lease with other facts than those of this process; its time stays as it was. */
export async function writeLease(docs: string, id: string, facts: object, modifiedAt?: Date): Promise<void> {
  const file = join(docs, '.lectern/running', id);
  const before = JSON.parse(await readlink(file).catch(() => '{}'));
  const time = modifiedAt ?? (await stat(dirname(file))).mtime;
  await unlink(file).catch(() => {});
  await symlink(JSON.stringify({ ...before, ...facts }), file);
  await lutimes(file, time, time);
}

/** Asserts the invariants that hold after any crash, once a store has been opened again. */
export async function assertInOrder(
  docs: string,
  store: FilesystemDocStore,
  expected: ReadonlyMap<string, readonly State[]>,
): Promise<void> {
  const catalogue = store.catalogue();
  for (const [name, states] of expected) {
    const version = catalogue.version(name);
    if (version === undefined) assert.ok(states.includes(undefined), `${name} is lost`);
    else await assertWhole(store, version, states);
  }
  const own = join(docs, '.lectern');
  for (const name of ['incoming', 'trash', 'displaced', 'locks', 'derived'])
    assert.deepEqual(readdirSync(join(own, name)), [], name);
  for (const lease of readdirSync(join(own, 'running')))
    assert.equal(JSON.parse(readlinkSync(join(own, 'running', lease))).pid, process.pid, 'a dead lease');

  const entries = readdirSync(docs).filter((name) => name !== '.lectern');
  for (const name of entries) statSync(join(docs, name));
  const versions = [...catalogue.all()];
  const uploaded = versions
    .filter(({ origin }) => origin === 'upload')
    .map(({ directoryName }) => directoryName);
  const names = [...versions.map(({ directoryName }) => directoryName), ...uploaded.map(archiveNameOf)];
  assert.deepEqual(entries.sort(), names.sort());

  assert.deepEqual(readdirSync(join(own, 'sites')).sort(), uploaded.sort());
  for (const name of uploaded) {
    const [, , , current] = readlinkSync(join(docs, name)).split('/');
    assert.deepEqual(readdirSync(join(own, 'sites', name)), [current]);
    assert.deepEqual(readdirSync(join(own, 'sites', name, current ?? '')).sort(), [
      'archive-index',
      'archive.zip',
      'site',
      'version.json',
    ]);
  }
  await assertPublic(docs, store);
  assert.equal(readFileSync(join(own, 'format'), 'utf8'), '2\n');
  for (const name of readdirSync(join(own, 'built'))) {
    assert.equal(catalogue.version(name)?.origin, 'copied');
    assert.equal(readdirSync(join(own, 'built', name)).length, 1);
  }
}

/** Asserts that web servers may send all that is uploaded, in UTF-8 and not hidden, under its own name and its aliases; no preview. */
export async function assertPublic(docs: string, store: FilesystemDocStore): Promise<void> {
  const expected: Record<string, string> = {};
  for (const project of store.catalogue().projects) {
    const { directoryName, versions, latest } = project;
    const isSent = ({ origin, label, record }: Version) =>
      origin === 'upload' && record.charsets === undefined && !project.isHidden(label);
    for (const version of versions) {
      if (isSent(version)) expected[version.directoryName] = version.directoryName;
    }
    if (isSent(latest)) expected[`${directoryName}-latest`] = latest.directoryName;
    for (const { alias, version } of project.aliases) {
      const isShadowed = alias !== 'latest' && store.catalogue().project(`${directoryName}-${alias}`);
      if (version !== undefined && isSent(version) && !isShadowed)
        expected[`${directoryName}-${alias}`] ??= version.directoryName;
    }
  }
  const links = readdirSync(join(docs, '.lectern/public'));
  assert.deepEqual(links.sort(), Object.keys(expected).sort());
  for (const [name, version] of Object.entries(expected)) {
    const target = readlinkSync(join(docs, version));
    assert.equal(readlinkSync(join(docs, '.lectern/public', name)), target.replace('.lectern', '..'));
  }
}

async function isWhole(store: FilesystemDocStore, version: Version, files: Files): Promise<boolean> {
  return sameFiles(files, await filesOf(store, version));
}

async function filesOf(store: FilesystemDocStore, version: Version): Promise<Files> {
  const { paths } = await store.listFiles(version, 1_000);
  const found: Record<string, string> = {};
  for (const path of paths) {
    const entry = await store.open(version, SitePath.of(path) ?? assert.fail(path));
    found[path] = entry?.kind === 'file' ? await textOf(entry.file) : assert.fail(path);
  }
  return found;
}

async function assertWhole(
  store: FilesystemDocStore,
  version: Version,
  states: readonly State[],
): Promise<void> {
  const found = await filesOf(store, version);
  const paths = Object.keys(found);
  const state = states.find((files) => files !== undefined && sameFiles(files, found));
  assert.ok(state !== undefined, `${version.directoryName} is neither wholly old nor wholly new: ${paths}`);
  if (version.origin !== 'upload') return;
  const file = await store.openArchive(version);
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.stream()) chunks.push(chunk);
  const archive = zipOf(state);
  assert.deepEqual(Buffer.concat(chunks), archive, 'the archive is another one');
  assert.equal(version.record.archive?.sha256, createHash('sha256').update(archive).digest('hex'));
}

function sameFiles(a: Files, b: Files): boolean {
  const names = Object.keys(a).sort();
  return names.join() === Object.keys(b).sort().join() && names.every((name) => a[name] === b[name]);
}

export async function removeAll(directories: readonly string[]): Promise<void> {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
}
