import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { skipUnless, succeeds } from '../support/needs.js';
import { withPrivate } from '../support/private-projects.js';
import { ROOT } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { adapted } from '../support/web-server.js';
import { lectern, workplace, writeTree } from './lectern.js';

const NEEDS = skipUnless(await succeeds('sphinx-build', '--version'), 'there is no Sphinx here');
const DOMAIN = 'docs.test';
const SECRET = 'secret-reader';

type Context = Parameters<typeof workplace>[0];

/** `conf.py` and the options of Sphinx as docs/builders.md has them. */
const recipe = await readFile(join(ROOT, 'docs/builders.md'), 'utf8');
const [, section = ''] = recipe.split('#### Links to private projects');
const [, conf = ''] = /```python\n(.*?)```/s.exec(section) ?? [];
const [, options = ''] = /^sphinx-build (.*) docs build\/html$/m.exec(section) ?? [];

/** Runs Sphinx on the directory `docs`; a link that leads nowhere is an error. */
function sphinx(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const clean = { PATH: process.env.PATH, HOME: cwd, LC_ALL: 'C.UTF-8', no_proxy: '127.0.0.1', ...env };
  return new Promise<{ readonly isBuilt: boolean; readonly said: string }>((resolve) => {
    const all = [...args, '-n', '-W', '--keep-going', 'docs', 'build/html'];
    execFile('sphinx-build', all, { cwd, env: clean }, (error, stdout, stderr) => {
      resolve({ isBuilt: error === null, said: stdout + stderr });
    });
  });
}

/** A project that links to a function of the private one. @param address of that one, without the scheme */
async function project(context: Context, address: string): Promise<string> {
  return writeTree(await workplace(context), {
    'docs/conf.py': adapted(conf, {
      'https://': 'http://',
      'docs.example.org/handbook-latest/': address,
      '"handbook"': '"vault"',
    }),
    'docs/index.rst': 'Tea\n===\n\n:py:func:`kettle.boil` comes first.\n',
  });
}

/** Paths of the files below a directory that have the secret. */
async function leaking(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const found = await Promise.all(
    paths.map(async (path) =>
      (await readFile(path)).includes(SECRET) ? [path.slice(directory.length + 1)] : [],
    ),
  );
  return found.flat();
}

describe('Sphinx with an inventory of a private project', NEEDS, () => {
  let plain: TestServer;
  let onHosts: TestServer;
  /** Knows where all hosts are, as DNS does elsewhere. */
  let resolver: Server;
  const env = { LECTERN_READ_TOKEN: SECRET };

  before(async () => {
    plain = await TestServer.start(withPrivate());
    const hosts = { origin: `http://${DOMAIN}`, hosts: { domain: DOMAIN, isRedirecting: true } };
    onHosts = await TestServer.start({ ...withPrivate(), ...hosts });
    resolver = createServer((asked, answer) => {
      const { pathname, search, host } = new URL(asked.url ?? '');
      const to = {
        port: new URL(onHosts.url).port,
        path: pathname + search,
        headers: { ...asked.headers, host },
      };
      request(to, (found) => {
        answer.writeHead(found.statusCode ?? 0, found.headers);
        found.pipe(answer);
      }).end();
    }).listen(0, '127.0.0.1');
    await once(resolver, 'listening');
    const places: (() => Promise<void>)[] = [];
    const place = await writeTree(await workplace({ after: (clean) => places.push(clean) }), {
      'docs/conf.py': '',
      'docs/index.rst': 'Kettle\n======\n\n.. py:module:: kettle\n\n.. py:function:: boil(litres)\n',
    });
    const { isBuilt, said } = await sphinx(place, ['-d', 'build/doctrees']);
    assert.ok(isBuilt, said);
    for (const { url } of [plain, onHosts]) {
      const target = ['--url', url, '--project', 'vault', '--version', '1.0'];
      const pushed = await lectern(['push', join(place, 'build/html'), ...target], {
        env: { LECTERN_TOKEN: 'secret-admin' },
      });
      assert.equal(pushed.code, 0, pushed.notes);
    }
    for (const clean of places) await clean();
  });
  after(async () => {
    resolver?.close();
    await plain?.close();
    await onHosts?.close();
  });

  const push = (directory: string) =>
    lectern(['push', directory, '--url', plain.url, '--project', 'shown', '--version', '1.0', '--replace'], {
      env: { LECTERN_TOKEN: 'secret-admin' },
    });
  const archive = async () => Buffer.from(await (await plain.get('/api/download/shown/1.0')).arrayBuffer());

  it('resolves links by the recipe, and publishes nothing of the token', async (context) => {
    const { host } = new URL(plain.url);
    const place = await project(context, `${host}/vault-latest/`);
    const { isBuilt, said } = await sphinx(place, options.split(' '), env);
    assert.ok(isBuilt, said);
    assert.ok(!said.includes(SECRET), said);
    const page = await readFile(join(place, 'build/html/index.html'), 'utf8');
    const [, href = assert.fail(page)] = /href="([^"]*#kettle\.boil)"/.exec(page) ?? [];
    assert.equal(href, `${plain.url}/vault-latest/index.html#kettle.boil`);
    assert.deepEqual(await leaking(join(place, 'build')), ['doctrees/environment.pickle']);
    const { code, notes } = await push(join(place, 'build/html'));
    assert.equal(code, 0, notes);
    assert.doesNotMatch(notes, /skipped/);
    assert.ok(!(await archive()).includes('.doctrees'), 'the archive has a cache');
  });

  it('keeps the token in .doctrees without -d, a directory that push leaves out', async (context) => {
    const place = await project(context, `${new URL(plain.url).host}/vault-latest/`);
    const { isBuilt, said } = await sphinx(place, ['-b', 'html'], env);
    assert.ok(isBuilt, said);
    assert.deepEqual(await leaking(join(place, 'build/html')), ['.doctrees/environment.pickle']);
    const { code, notes } = await push(join(place, 'build/html'));
    assert.equal(code, 0, notes);
    assert.match(notes, /^skipped: '\.doctrees' is a build cache and may contain secrets$/m);
    assert.ok(!(await archive()).includes('.doctrees'), 'the archive has the cache');
  });

  it('resolves nothing with a wrong password, nor without one', async (context) => {
    const { host } = new URL(plain.url);
    for (const other of ['secret-nobody', '']) {
      const place = await project(context, `${host}/vault-latest/`);
      const { isBuilt, said } = await sphinx(place, options.split(' '), { LECTERN_READ_TOKEN: other });
      assert.ok(!isBuilt, said);
      assert.match(said, /404 Client Error/);
    }
  });

  it("resolves at the project's own host, and not by a redirect to it, which loses the login", async (context) => {
    const proxied = { ...env, http_proxy: `http://127.0.0.1:${(resolver.address() as AddressInfo).port}` };
    const own = await project(context, `vault.${DOMAIN}/`);
    const good = await sphinx(own, options.split(' '), proxied);
    assert.ok(good.isBuilt, good.said);
    assert.ok(!good.said.includes(SECRET), good.said);
    const page = await readFile(join(own, 'build/html/index.html'), 'utf8');
    assert.ok(page.includes(`href="http://vault.${DOMAIN}/index.html#kettle.boil"`), page);
    assert.deepEqual(await leaking(join(own, 'build/html')), []);

    const lines = onHosts.log.length;
    const moved = await sphinx(
      await project(context, `${DOMAIN}/vault-latest/`),
      options.split(' '),
      proxied,
    );
    assert.ok(!moved.isBuilt, moved.said);
    assert.match(moved.said, /404 Client Error/);
    assert.ok(moved.said.includes(SECRET), 'Sphinx no longer prints it: the recipe need not say so');
    const asked = onHosts.log.slice(lines) as { status?: number; token?: string }[];
    assert.deepEqual(
      asked.map(({ status, token }) => [status, token]),
      [
        [302, 'reader'],
        [404, undefined],
      ],
    );
  });
});
