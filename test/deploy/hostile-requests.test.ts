import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../support/server.js';
import type { WebServer } from '../support/web-server.js';
import { WEB_SERVERS } from '../support/web-servers.js';

const SECRET = 'nobody is to read this';
const HOST = 'docs.example.org';

/** Files below the docs directory that no reader may have; `<generation>` is that of tool-1.0. */
const FORBIDDEN = [
  '/notes.txt',
  '/version.json',
  '/.hidden.html',
  '/node_modules/page.html',
  '/tool-1.0/.hidden.html',
  '/tool-1.0/guide/.hidden.html',
  '/hand-1.0/.hidden.html',
  '/hand-1.0/link.html',
  '/hand-1.0/linked/page.html',
  '/linked-1.0/link.html',
  '/replaced-1.0/link.html',
  '/.lectern/sites/tool-1.0/<generation>/version.json',
  '/.lectern/sites/tool-1.0/<generation>/archive.zip',
  '/.lectern/sites/tool-1.0/<generation>/site/.hidden.html',
  '/-/files/notes.txt',
] as const;

/** A whole request for a path. */
const get = (target: string, version = 'HTTP/1.1', host = `Host: ${HOST}\r\n`) =>
  `GET ${target} ${version}\r\n${host}Connection: close\r\n\r\n`;

/** Forms of a request for a path, keyed by their peculiarity. */
const FORMS: Readonly<Record<string, (path: string) => string>> = {
  'in origin-form': (path) => get(path),
  'in origin-form with a query': (path) => get(`${path}?v=1`),
  'in origin-form with a fragment': (path) => get(`${path}#top`),
  'in absolute-form': (path) => get(`http://${HOST}${path}`),
  'in absolute-form of https': (path) => get(`https://${HOST}${path}`),
  'in absolute-form of another host': (path) => get(`http://evil.example${path}`),
  'in absolute-form with capitals': (path) => get(`HTTP://${HOST.toUpperCase()}${path}`),
  'in absolute-form with a user': (path) => get(`http://user:word@${HOST}${path}`),
  'in absolute-form without a host': (path) => get(`http://${path}`),
  'in absolute-form of another scheme': (path) => get(`file://${path}`),
  'in absolute-form with dots': (path) => get(`http://${HOST}/tool-1.0/..${path}`),
  'in absolute-form with encoded dots': (path) => get(`http://${HOST}/tool-1.0/%2e%2e${path}`),
  'in absolute-form of HTTP/1.0': (path) => get(`http://${HOST}${path}`, 'HTTP/1.0', ''),
  'without its first slash': (path) => get(path.slice(1)),
  'with a host in front': (path) => get(`//${HOST}${path}`),
  'with two slashes': (path) => get(`/${path}`),
  'with three slashes': (path) => get(`//${path}`),
  'with a backslash': (path) => get(path.replace('/', '\\')),
  'with a slash and a backslash': (path) => get(`/${path.replace('/', '\\')}`),
  'with an encoded slash': (path) => get(`/${path.replace('/', '%2f')}`),
  'with an encoded backslash': (path) => get(`/${path.replace('/', '%5C')}`),
  'with all slashes encoded': (path) => get(`/${path.slice(1).replaceAll('/', '%2F')}`),
  'with its dots encoded': (path) => get(path.replaceAll('.', '%2e')),
  'with its dots encoded twice': (path) => get(path.replaceAll('.', '%252e')),
  'with its first letter encoded': (path) => get(`/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`),
  'with a dot in front': (path) => get(`/.${path}`),
  'with an encoded dot in front': (path) => get(`/%2E${path}`),
  'by way of a version': (path) => get(`/tool-1.0/..${path}`),
  'by way of a version, with encoded dots': (path) => get(`/tool-1.0/%2e%2E${path}`),
  'by way of a version, with an encoded slash': (path) => get(`/tool-1.0/..%2f${path.slice(1)}`),
  'by way of a version, with a backslash': (path) => get(`/tool-1.0/..\\${path.slice(1)}`),
  'by way of a version, with a parameter': (path) => get(`/tool-1.0/..;${path}`),
  'out of the docs directory and back': (path) => get(`/../docs${path}`),
  'below the internal location': (path) => get(`/-/files${path}`),
  'with a NUL at its end': (path) => get(`${path}%00`),
  'with a NUL and an extension': (path) => get(`${path}%00.html`),
  'with a blank at its end': (path) => get(`${path}%20`),
  'with a dot at its end': (path) => get(`${path}.`),
  'with a slash at its end': (path) => get(`${path}/`),
  'with an overlong slash': (path) => get(`/tool-1.0/..%c0%af${path.slice(1)}`),
  'with a raw byte': (path) => get(`${path}\xff`),
  'with a blank in the target': (path) => get(`${path} x`),
  'with a tab in the target': (path) => get(`/\t${path}`),
  'after a long way': (path) => get(`${'/a/..'.repeat(1_000)}${path}`),
  'after a very long way': (path) => get(`${'/a/..'.repeat(20_000)}${path}`),
  'of HTTP/1.0 without a host': (path) => get(path, 'HTTP/1.0', ''),
  'of HTTP/0.9': (path) => `GET ${path}\r\n\r\n`,
  'of a later HTTP': (path) => get(path, 'HTTP/1.9'),
  'with two hosts': (path) => get(path, 'HTTP/1.1', `Host: ${HOST}\r\nHost: evil.example\r\n`),
  'with no host': (path) => get(path, 'HTTP/1.1', ''),
  'with a path in its host': (path) => get('/', 'HTTP/1.1', `Host: ${HOST}${path}\r\n`),
  'with a path in headers that some believe': (path) =>
    get('/', 'HTTP/1.1', `Host: ${HOST}\r\nX-Original-URL: ${path}\r\nX-Accel-Redirect: ${path}\r\n`),
  'with the header that nginx believes of Lectern': (path) =>
    get(path, 'HTTP/1.1', `Host: ${HOST}\r\nX-Accel-Redirect: /-/files${path}\r\n`),
  'with a part asked for': (path) => get(path, 'HTTP/1.1', `Host: ${HOST}\r\nRange: bytes=0-\r\n`),
  'with a condition': (path) => get(path, 'HTTP/1.1', `Host: ${HOST}\r\nIf-Match: *\r\n`),
  'in lower case': (path) => get(path).replace('GET', 'get'),
  'by POST': (path) => get(path).replace('GET', 'POST').replace('\r\n', '\r\nContent-Length: 0\r\n'),
  'by PROPFIND': (path) => get(path).replace('GET', 'PROPFIND'),
  'by OPTIONS in asterisk-form': () => get('*').replace('GET', 'OPTIONS'),
  'by GET in asterisk-form': () => get('*'),
  'by CONNECT in authority-form': (path) => get(`${HOST}:80${path}`).replace('GET', 'CONNECT'),
  'by GET in authority-form': (path) => get(`${HOST}:80${path}`),
};

for (const { name, needs, start } of WEB_SERVERS) {
  describe(`Requests of every form behind ${name}`, needs, () => {
    let lectern: TestServer;
    let front: WebServer;
    let server: TestServer;
    let outside: string;
    let generation: string;
    /** Stands in the record of tool-1.0. */
    let sha256: string;
    before(async () => {
      lectern = await TestServer.start({ trustProxy: true });
      // Others than the one who made them are to read these.
      outside = await mkdtemp(join(tmpdir(), 'lectern-outside-'));
      for (const directory of [lectern.docs, outside]) await chmod(directory, 0o755);
      front = await start(lectern);
      server = lectern.reachedAt(front.url);
      await server.upload('tool-1.0-docs.zip', {
        'index.html': 'front',
        'page.html': 'page',
        '.hidden.html': SECRET,
        'guide/.hidden.html': SECRET,
      });
      [generation = ''] = await readdir(join(lectern.docs, '.lectern/sites/tool-1.0'));
      const record = join(lectern.docs, '.lectern/sites/tool-1.0', generation, 'version.json');
      [sha256 = assert.fail('no digest')] = /[\da-f]{64}/.exec(await readFile(record, 'utf8')) ?? [];
      await server.upload('replaced-1.0-docs.zip');
      await rm(join(lectern.docs, 'replaced-1.0'));
      await copyIn();
      for (const name of ['hand-1.0', 'linked-1.0']) await lectern.shows(`/${name}/`);
    });
    after(async () => {
      await front.close();
      await lectern.close();
      await rm(outside, { recursive: true, force: true });
    });

    /** Copies in sites and files as an operator may, with records that look as if Lectern had published everything here. */
    async function copyIn(): Promise<void> {
      const { docs } = lectern;
      for (const directory of [
        join(docs, 'hand-1.0'),
        join(docs, 'replaced-1.0'),
        join(docs, 'node_modules'),
        join(outside, 'site'),
        join(outside, 'elsewhere'),
      ]) {
        await mkdir(directory);
        await writeFile(join(directory, 'index.html'), 'by hand');
        await writeFile(join(directory, 'page.html'), 'by hand');
        await writeFile(join(directory, '.hidden.html'), SECRET);
        await symlink(join(outside, 'secret.html'), join(directory, 'link.html'));
      }
      await writeFile(join(docs, 'node_modules/page.html'), SECRET);
      await writeFile(join(outside, 'elsewhere/page.html'), SECRET);
      await symlink(join(outside, 'elsewhere'), join(docs, 'hand-1.0/linked'));
      await symlink(join(outside, 'site'), join(docs, 'linked-1.0'));
      for (const file of ['notes.txt', 'version.json', '.hidden.html']) {
        await writeFile(join(docs, file), SECRET);
      }
      await writeFile(join(outside, 'secret.html'), SECRET);
      await writeFile(join(outside, 'version.json'), SECRET);
    }

    it('reach only versions', async () => {
      const wrong: string[] = [];
      for (const [form, request] of Object.entries(FORMS)) {
        for (const path of FORBIDDEN.map((each) => each.replace('<generation>', generation))) {
          // A server may end the connection before it has read a request that is none.
          const answer = await server.raw(Buffer.from(request(path), 'latin1')).catch(() => '');
          const status = Number(/^HTTP\/\S+ (\d+)/.exec(answer)?.[1] ?? 0);
          const isArchive = path.startsWith('/.lectern') && answer.includes('PK\x03\x04');
          const leaks = isArchive || answer.includes(SECRET) || answer.includes(sha256);
          const breaks = status >= 500 && status !== 501 && status !== 505;
          if (leaks || breaks) wrong.push(`${status} for ${path} ${form}`);
        }
      }
      assert.deepEqual(wrong, []);
    });

    it('reach the uploaded archive, whatever replaced its symlink', async () => {
      const link = join(lectern.docs, 'tool-1.0-docs.zip');
      const uploaded = await readFile(link);
      await rm(link);
      await symlink(join(outside, 'secret.html'), link);
      const answer = await server.get('/tool-1.0-docs.zip');
      assert.ok(Buffer.from(await answer.arrayBuffer()).equals(uploaded));
    });

    it('reach published and copied-in versions', async () => {
      for (const [path, body] of [
        ['/tool-1.0/', 'front'],
        ['/tool-1.0/page.html', 'page'],
        ['/tool-latest/page.html', 'page'],
        ['/hand-1.0/', 'by hand'],
        ['/hand-1.0/page.html', 'by hand'],
      ] as const) {
        assert.equal(await (await server.get(path)).text(), body, path);
      }
    });
  });
}
