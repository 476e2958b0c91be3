import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Answer, ask } from '../../support/ask-host.js';
import { canonicalIn } from '../../support/canonical.js';
import { TestServer, type TestServerOptions } from '../../support/server.js';
import { warningsIn } from '../../support/warnings-in.js';

const DOMAIN = 'docs.example.org';
const MAIN = `https://${DOMAIN}`;

/** A site whose pages ask for their script below `base`. */
const siteFor = (base: string) => ({
  'index.html': `<title>front</title><script src="${base}assets/app.js"></script>`,
  'guide/index.html': `<title>guide</title><script src="${base}assets/app.js"></script>`,
  'a b.html': `<title>space</title><script src="${base}assets/app.js"></script>`,
  'assets/app.js': '1',
});
const relative = {
  'index.html': '<title>front</title><script src="assets/app.js"></script>',
  'guide/index.html': '<title>guide</title><script src="../assets/app.js"></script>',
  'assets/app.js': '1',
};

/** Addresses in a site, and the title of the page there. */
const PLACES = [
  ['/', 'front'],
  ['/index.html', 'front'],
  ['/guide/', 'guide'],
  ['/guide', 'guide'],
  ['/guide/index.html', 'guide'],
] as const;

interface Followed {
  /** The last address, and the response there. */
  readonly url: URL;
  readonly answer: Answer;
  readonly hops: number;
}

/** Follows redirects from an address of the main host or of a project's. */
async function follow(server: TestServer, address: string): Promise<Followed> {
  const seen = new Set<string>();
  for (let url = new URL(address, MAIN); ; ) {
    assert.ok(!seen.has(url.href), `a circle: ${[...seen].join(' ')}`);
    seen.add(url.href);
    const answer = await ask(server, url.host, url.pathname + url.search);
    if (answer.status < 300 || answer.status > 399) return { url, answer, hops: seen.size - 1 };
    assert.equal(answer.headers['cache-control'], 'no-cache');
    url = new URL(answer.headers.location ?? assert.fail(), url);
  }
}

const titleIn = ({ body }: Answer) => /<title>(.*?)</.exec(body)?.[1];

const SERVERS: readonly (readonly [name: string, options: TestServerOptions])[] = [
  ['at the root of a host', {}],
  ['at the root of a host, without a cache', { cacheBytes: 0 }],
  ['below a base path', { basePath: '/kb' }],
  ['with hosts of projects', { origin: MAIN, hosts: { domain: DOMAIN } }],
  ['with redirects to hosts of projects', { origin: MAIN, hosts: { domain: DOMAIN, isRedirecting: true } }],
];

for (const [name, options] of SERVERS) {
  describe(`A site that is bound to its address, ${name},`, () => {
    let server: TestServer;
    const kb = options.basePath ?? '';
    before(async () => {
      server = await TestServer.start({ ...options, switcher: true });
      for (const label of ['1.0', '2.0']) {
        await server.upload(`docu-${label}-docs.zip`, siteFor(`${kb}/docu-${label}/`));
        await server.upload(`free-${label}-docs.zip`, relative);
      }
      await server.upload('docu~pr-1-docs.zip', siteFor(`${kb}/docu~pr-1/`));
      await server.upload('named-2.0-docs.zip', siteFor(`${kb}/named-latest/`));
      await server.upload('named-1.0-docs.zip', siteFor(`${kb}/named-lts/`));
      for (const project of ['docu', 'free', 'named']) {
        const headers = { 'X-Token': 'secret-keeper', 'Content-Type': 'application/json' };
        const path = `/api/aliases/${project}/lts`;
        assert.ok((await server.fetch(path, { method: 'PUT', headers, body: '{"target":"1.0"}' })).ok);
      }
    });
    after(() => server.close());

    it("is reached from its project's short address after two redirects at most", async () => {
      for (const [project, bound] of [
        ['docu', 'docu-2.0'],
        ['named', 'named-latest'],
      ]) {
        for (const [place, title] of PLACES) {
          const { url, answer, hops } = await follow(server, `${MAIN}${kb}/${project}${place}?q=1`);
          assert.deepEqual([answer.status, titleIn(answer), url.search], [200, title, '?q=1']);
          assert.ok(hops <= 2 && url.pathname.startsWith(`${kb}/${bound}/`), `${hops} redirects to ${url}`);
        }
        assert.equal(titleIn((await follow(server, `${MAIN}${kb}/${project}`)).answer), 'front');
      }
    });

    /** Each address of a version, by the forms that Lectern hands out. */
    const addressesOf = (project: string, names: readonly string[]) => [
      ...names.map((each) => `${MAIN}${kb}/${each}`),
      ...(options.hosts === undefined
        ? []
        : names.flatMap((each) => {
            const label = each.slice(project.length + 1).replaceAll('.', '-');
            const host =
              label === 'latest'
                ? project
                : each.includes('~')
                  ? `${label}--preview--${project}`
                  : `${label}--${project}`;
            return [`https://${host}.${DOMAIN}`, `https://${host}.${DOMAIN}/${each}`];
          })),
    ];

    const CASES: readonly (readonly [
      project: string,
      names: readonly string[],
      bound: string | undefined,
    ])[] = [
      ['docu', ['docu-2.0', 'docu-latest'], 'docu-2.0'],
      ['docu', ['docu-1.0', 'docu-lts'], 'docu-1.0'],
      ['docu', ['docu~pr-1'], 'docu~pr-1'],
      ['named', ['named-2.0', 'named-latest'], 'named-latest'],
      ['named', ['named-1.0', 'named-lts'], 'named-lts'],
      ['free', ['free-2.0', 'free-latest'], undefined],
      ['free', ['free-1.0', 'free-lts'], undefined],
    ];

    for (const [project, names, bound] of CASES) {
      it(`shows each page of ${names[0]} ${bound === undefined ? 'at every address' : `at /${bound}/ only`}, after two redirects at most`, async () => {
        // The second time from memory.
        for (let round = 0; round < 2; round++) {
          for (const address of addressesOf(project, names)) {
            for (const [place, title] of PLACES) {
              const { url, answer, hops } = await follow(server, `${address}${place}?q=1`);
              assert.deepEqual([answer.status, titleIn(answer)], [200, title], address + place);
              assert.ok(hops <= 2, `${hops} redirects from ${address}${place}`);
              assert.equal(url.search, '?q=1');
              if (bound !== undefined)
                assert.ok(url.pathname.startsWith(`${kb}/${bound}/`), `${address}${place} -> ${url}`);
              const script = /src="(.*?)"/.exec(answer.body)?.[1] ?? assert.fail();
              const { href } = new URL(script, url);
              assert.equal((await follow(server, href)).answer.body, '1', href);
            }
          }
        }
      });
    }

    it('has canonical and sitemap addresses at its bound name', async () => {
      if (options.hosts === undefined) return;
      for (const [project, bound] of [
        ['docu', 'docu-2.0'],
        ['named', 'named-latest'],
        ['free', ''],
      ] as const) {
        const { answer } = await follow(server, `${MAIN}/${project}-latest/guide/`);
        const canonical = canonicalIn(answer.headers.link) ?? '';
        const [address = ''] = /https:[^>]+/.exec(canonical) ?? [];
        const target = await ask(server, new URL(address).host, new URL(address).pathname);
        assert.deepEqual([target.status, titleIn(target)], [200, 'guide'], address);
        if (bound !== '') assert.ok(new URL(address).pathname.startsWith(`/${bound}/`), address);
      }
      const index = await ask(server, DOMAIN, '/sitemap.xml');
      const sitemaps = [...index.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc));
      assert.equal(sitemaps.length, 3);
      for (const sitemap of sitemaps) {
        const { status, body } = await ask(server, sitemap.host, sitemap.pathname + sitemap.search);
        assert.equal(status, 200, sitemap.href);
        const pages = [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc));
        assert.ok(pages.length > 0);
        for (const page of pages) {
          assert.equal(page.host, sitemap.host);
          assert.equal((await ask(server, page.host, page.pathname)).status, 200, page.href);
        }
      }
    });

    it('redirects to no address with text of a request or a page in it', async () => {
      for (const path of [
        '//evil.org/',
        '/../x',
        '/%2e%2e/x',
        '/a%5cb',
        '/%2Fevil.org',
        '/.git/config',
        '/a\\b',
        '/%0d%0aX:1',
      ]) {
        const { status, headers } = await ask(server, DOMAIN, `${kb}/docu-latest${path}`);
        assert.deepEqual([status, headers.location], [404, undefined], path);
      }
      const { headers } = await ask(server, DOMAIN, `${kb}/docu-latest/%22%3Cb%3E?x=1`);
      assert.match(headers.location ?? '', /\/docu-2\.0\/%22%3Cb%3E\?x=1$/);
    });

    it('redirects for a HEAD, for a missing page and for Markdown as well', async () => {
      for (const [path, options] of [
        ['/docu-latest/', { method: 'HEAD' }],
        ['/docu-latest/nothing.html', {}],
        ['/docu-latest/guide/', { headers: { Accept: 'text/markdown' } }],
        ['/docu-latest/llms.txt', {}],
      ] as const) {
        const { status, headers } = await ask(server, DOMAIN, kb + path, options);
        assert.equal(status, 302, path);
        assert.match(headers.location ?? '', /\/docu-2\.0\//);
      }
    });
  });
}

describe('A site that is bound to an alias', () => {
  it('is shown at its own address once the alias stands for another version, also from memory', async () => {
    const server = await TestServer.start();
    try {
      const get = async (path: string) => (await server.get(path)).status;
      await server.upload('docu-1.0-docs.zip', siteFor('/docu-latest/'));
      for (let round = 0; round < 3; round++) {
        assert.deepEqual([await get('/docu-1.0/'), await get('/docu-latest/')], [302, 200]);
      }
      await server.upload('docu-2.0-docs.zip', siteFor('/docu-latest/'));
      for (let round = 0; round < 3; round++) {
        assert.deepEqual(
          [await get('/docu-1.0/'), await get('/docu-2.0/'), await get('/docu-latest/')],
          [200, 302, 200],
        );
      }
      await server.delete('docu/2.0');
      assert.deepEqual([await get('/docu-1.0/'), await get('/docu-latest/')], [302, 200]);
    } finally {
      await server.close();
    }
  });
});

describe('A copied-in directory that is bound to its address', () => {
  it('is served there from the first request on', async () => {
    const server = await TestServer.start();
    try {
      for (const [path, text] of Object.entries(siteFor('/hand-1.0/'))) {
        await mkdir(join(server.docs, 'hand-1.0', path, '..'), { recursive: true });
        await writeFile(join(server.docs, 'hand-1.0', path), text);
      }
      await server.shows('/hand-1.0/');
      for (let round = 0; round < 2; round++) {
        const { status, headers } = await server.get('/hand-latest/guide/');
        assert.deepEqual([status, headers.get('location')], [302, '/hand-1.0/guide/']);
      }
    } finally {
      await server.close();
    }
  });
});

describe('A site’s own 404.html', () => {
  const styled = (link: string) => `<title>own</title><link rel="stylesheet" href="${link}">`;
  const titleAt = async (server: TestServer, host: string, path: string) =>
    titleIn(await ask(server, host, path));

  it("is replaced by Lectern's when it finds no styles, and the upload reports it", async () => {
    const server = await TestServer.start({ basePath: '/kb' });
    try {
      const upload = async (name: string, page: string) => {
        const response = await server.upload(`${name}-1.0-docs.zip`, {
          'index.html': 'x',
          'a.css': '',
          '404.html': page,
        });
        return warningsIn(response);
      };
      const said = await upload('root', `<meta name="generator" content="mkdocs-1.6.1">${styled('/a.css')}`);
      assert.match(
        said,
        /404\.html loads '\/a\.css', which does not exist, so Lectern shows its own 404 page instead/,
      );
      assert.match(said, /build it with a site_url that ends with \/kb\/root-1\.0\/ in mkdocs\.yml\.$/);
      assert.match(await upload('based', `<base href="/">${styled('a.css')}`), /The site's 404\.html loads/);
      assert.match(await upload('moved', styled('/kb/other-1.0/a.css')), /The site's 404\.html loads/);
      for (const project of ['root', 'based', 'moved']) {
        for (const name of [`${project}-1.0`, `${project}-latest`]) {
          const { status, body } = await ask(server, DOMAIN, `/kb/${name}/nothing.html`);
          assert.equal(status, 404);
          assert.doesNotMatch(body, /<title>own</, name);
        }
      }
      for (const [project, link] of [
        ['near', 'a.css'],
        ['whole', '/kb/whole-1.0/a.css'],
        ['newest', '/kb/newest-latest/a.css'],
      ] as const) {
        assert.doesNotMatch(await upload(project, styled(link)), /404\.html/);
        assert.equal(await titleAt(server, DOMAIN, `/kb/${project}-latest/nothing.html`), 'own');
      }
    } finally {
      await server.close();
    }
  });

  it("is shown on a project's host if built for the root", async () => {
    const server = await TestServer.start({ origin: MAIN, hosts: { domain: DOMAIN } });
    try {
      const site = { 'index.html': 'x', 'a.css': '', '404.html': styled('/a.css') };
      const response = await server.upload('root-1.0-docs.zip', site);
      assert.equal(await warningsIn(response), '');
      assert.equal(await titleAt(server, `root.${DOMAIN}`, '/nothing'), 'own');
      assert.notEqual(await titleAt(server, DOMAIN, '/root-1.0/nothing'), 'own');
    } finally {
      await server.close();
    }
  });
});
