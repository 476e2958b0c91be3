import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { init } from '../../src/adapters/cli/commands/local/init.js';
import { ROOT } from '../support/root.js';
import { run, SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

const VERSIONS = 12;
/** The first few are replaced again and again while the copies are made. */
const RESTLESS = 4;

describe('A docs directory that is copied during uploads', () => {
  let place: string;
  /** The archives that were sent for each version, as SHA-256. */
  const sent = new Map<string, Set<string>>();
  let uploads = 0;
  let finished = 0;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-backup-'));
    await init(join(place, 'data'));
    const tokens = join(place, 'data/tokens.json');
    const secret = JSON.parse(await readFile(tokens, 'utf8')).tokens.admin.token;
    const server = await SpawnedServer.start(['-d', join(place, 'data/docs'), '--tokens', tokens]);
    const upload = async (version: string) => {
      uploads += 1;
      const page = `${version}, upload ${uploads}`;
      const pages = Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [`part/${n}.html`, page.repeat(200)]),
      );
      const archive = zipOf({ 'index.html': page, 'guide/a.html': page, ...pages });
      sent.set(version, (sent.get(version) ?? new Set()).add(sha256(archive)));
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(archive)]), `${version}-docs.zip`);
      const answer = await fetch(`${server.url}/api/upload`, {
        method: 'POST',
        body: form,
        headers: { 'X-Token': secret },
      });
      assert.ok([200, 201].includes(answer.status), await answer.text());
      finished += 1;
    };
    for (let n = 0; n < VERSIONS; n += 1) await upload(`a-1.${n}`);

    let isCopying = true;
    const load = async (lane: number) => {
      for (let n = 0; isCopying; n += 1)
        await upload(n % 3 === 2 ? `new-${lane}.${n}` : `a-1.${(n + lane) % RESTLESS}`);
    };
    const loads = [load(0), load(1)];
    try {
      await copyDuring(3, `rm -rf linked snapshot; ${await linking()}; cp -a snapshot linked`);
      // 1: a file was changed or removed while it was read, which is what this is about.
      await copyDuring(2, 'tar -cf docs.tar -C data docs || [ $? -eq 1 ]');
    } finally {
      isCopying = false;
      await Promise.allSettled(loads);
      await server.stop();
    }
    await Promise.all(loads);
    await mkdir(join(place, 'tarred'));
    await copy('tar -xf docs.tar -C tarred --strip-components 1');
    await rm(join(place, 'data/docs'), { recursive: true });
  });
  after(() => rm(place, { recursive: true, force: true }));

  /**
   * Copies while uploads finish: the copy is held up until so many have, one after the other, since nothing else says
   * which of the two is quicker on this disk.
   */
  async function copyDuring(least: number, script: string): Promise<void> {
    for (let round = 0; round < 50; round += 1) {
      const before = finished;
      const child = spawn('sh', ['-ec', script], { cwd: place, detached: true, stdio: 'inherit' });
      const end = once(child, 'close');
      const isRunning = () => child.exitCode === null && child.signalCode === null;
      const signal = (name: NodeJS.Signals) => isRunning() && process.kill(-(child.pid ?? 0), name);
      for (let held = 0; held < least && isRunning(); held += 1) {
        await setTimeout(5);
        signal('SIGSTOP');
        const seen = finished;
        await until(() => finished > seen || !isRunning()).finally(() => signal('SIGCONT'));
      }
      const isMidst = isRunning() && finished >= before + least;
      assert.deepEqual(await end, [0, null]);
      if (isMidst) return;
    }
    assert.fail('no uploads came while copies were made');
  }

  /** The line of the guide; it fails when `cp` says anything but that uploads under way have come and gone. */
  async function linking(): Promise<string> {
    const guide = await readFile(join(ROOT, 'docs/operating.md'), 'utf8');
    const line =
      /^LC_ALL=C cp -al [\s\S]*?; \}$/m.exec(guide)?.[0] ?? assert.fail('the guide has no such line');
    return line
      .replace('/var/lib/lectern/docs', 'data/docs')
      .replace('/var/lib/lectern/snapshot', 'snapshot');
  }

  const copy = (script: string) => promisify(execFile)('sh', ['-ec', script], { cwd: place });
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  for (const [name, how] of [
    ['linked', 'by hard links first, as docs/operating.md says'],
    ['tarred', 'straight into a tar file'],
  ] as const) {
    it(`is complete when restored elsewhere: ${how}`, async () => {
      const docs = join(place, name);
      const server = await SpawnedServer.start(['-d', docs]);
      const { projects } = await (await fetch(`${server.url}/api/projects`)).json();
      const there: string[] = projects.flatMap((project: { versions: { directory_name: string }[] }) =>
        project.versions.map((version) => version.directory_name),
      );
      for (let n = 0; n < VERSIONS; n += 1) assert.ok(there.includes(`a-1.${n}`), `a-1.${n} is there`);
      for (const version of there) {
        const archive = await (await fetch(`${server.url}/${version}-docs.zip`)).arrayBuffer();
        assert.ok(sent.get(version)?.has(sha256(new Uint8Array(archive))), `${version} is as it was sent`);
        assert.match(
          await (await fetch(`${server.url}/${version}/guide/a`)).text(),
          new RegExp(`^${version}, `),
        );
      }
      await server.stop();
      const { code, stdout } = await run(['verify', '-d', docs]);
      assert.equal(code, 0, stdout);
    });
  }
});
