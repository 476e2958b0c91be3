import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { ROOT } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { documents } from './markdown.js';

describe('The documentation as a site', () => {
  let place: string;
  let server: TestServer;
  let version: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-site-'));
    server = await TestServer.start();
    ({ version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));
  });
  after(async () => {
    await server.close();
    await rm(place, { recursive: true, force: true });
  });

  async function build(env: NodeJS.ProcessEnv) {
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith('LECTERN_'));
    const child = spawn(process.execPath, ['scripts/docs.mjs', join(place, 'site')], {
      cwd: ROOT,
      env: { ...Object.fromEntries(others), XDG_CONFIG_HOME: place, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code, out, errors };
  }

  it('is built, and published on the server in LECTERN_URL', async () => {
    const built = await build({});
    assert.deepEqual([built.code, built.errors], [0, '']);
    assert.equal(
      (await server.get(`/lectern-${version}/`)).status,
      404,
      'nothing is published without a server',
    );
    const pushed = await build({ LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' });
    assert.equal(pushed.code, 0, pushed.errors);
    assert.match(pushed.out, new RegExp(`${server.url}/lectern-${version}/`));
    const { projects } = await server.json('/api/projects');
    assert.deepEqual(
      projects.map(({ name }: { name: string }) => name),
      ['Lectern'],
    );
  });

  it('reports a failed publication', async () => {
    const { code, errors } = await build({ LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' });
    assert.notEqual(code, 0);
    assert.match(errors, /already exists/);
  });

  it('has a page for each document, and no dead link', async () => {
    const front = `${server.url}/lectern-${version}/`;
    const anchors = new Map<string, ReadonlySet<string>>();
    const wanted: { from: string; link: URL }[] = [];
    const queue = [front];
    const seen = new Set(queue);
    for (const address of queue) {
      const answer = await fetch(address, { redirect: 'manual' });
      assert.equal(answer.status, 200, address);
      if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
      const html = await answer.text();
      anchors.set(address, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1] ?? '')));
      for (const [, target = ''] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
        const link = new URL(target.replaceAll('&amp;', '&'), address);
        // Examples name servers of their own.
        if (!link.href.startsWith(front)) continue;
        wanted.push({ from: address, link });
        const page = link.href.replace(/#.*/, '');
        if (!seen.has(page)) {
          seen.add(page);
          queue.push(page);
        }
      }
    }
    for (const { from, link } of wanted) {
      const there = anchors.get(link.href.replace(/#.*/, ''));
      if (link.hash === '') continue;
      assert.ok(there?.has(decodeURIComponent(link.hash.slice(1))), `${from} links to ${link.hash}`);
    }
    const paths = [...anchors.keys()].map((address) => address.slice(front.length));
    for (const { path } of await documents()) {
      const page = path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html');
      assert.ok(paths.includes(page), `${page} can be reached`);
    }
    assert.deepEqual(
      wanted.filter(({ link }) => link.pathname.endsWith('.md')),
      [],
    );
  });
});
