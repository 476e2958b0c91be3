import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { HostEntrance } from '../../../src/adapters/http/hosts/host-entrance.js';
import { hostHash } from '../../../src/adapters/http/hosts/project-hosts.js';
import { ProjectHosts } from '../../../src/adapters/http/index.js';
import { hostLabelOf } from '../../../src/domain/index.js';
import { type Ask, ask } from '../../support/ask-host.js';
import { askedFor } from '../../support/asked.js';
import { canonicalIn } from '../../support/canonical.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { TestServer, type TestServerOptions } from '../../support/server.js';

const MAIN = 'https://docs.example.org';
const DOMAIN = 'docs.example.org';
const HOSTS = { origin: MAIN, hosts: { domain: DOMAIN } };
const REDIRECTING = { origin: MAIN, hosts: { domain: DOMAIN, isRedirecting: true } };

const page = (text: string) => `<!doctype html><title>${text}</title>${'<p>text</p>'.repeat(300)}`;

async function started(options: TestServerOptions): Promise<TestServer> {
  const server = await TestServer.start(options);
  const both = {
    'guide/index.html': page('guide'),
    'assets/main.css': 'p{}',
    '404.html': '<head><title>own 404</title></head><a href="guide/">',
  };
  await server.upload('flask-2.0-docs.zip', {
    ...both,
    'index.html': page('old'),
    'gone.html': page('gone'),
  });
  await server.upload('flask-2.1.0-docs.zip', {
    ...both,
    'index.html': page('front'),
    'api/index.html': page('api'),
    _redirects: '/old /guide/ 301\n',
  });
  await server.upload('flask~pr-1-docs.zip', { 'index.html': page('preview') });
  await server.upload('my_lib-1.0-docs.zip', { 'files.txt': 'no front page' });
  return server;
}

describe('A server with --project-hosts', () => {
  let server: TestServer;
  const at = (label: string, path: string, options?: Ask) => ask(server, `${label}.${DOMAIN}`, path, options);
  before(async () => {
    server = await started({ ...HOSTS, switcher: true, search: new MemorySearchIndex() });
  });
  after(() => server.close());

  it("serves a project's latest version at the root of a host, and each version and preview on its own host", async () => {
    for (const [label, text] of [
      ['flask', 'front'],
      ['2-1-0--flask', 'front'],
      ['2-0--flask', 'old'],
      ['pr-1--preview--flask', 'preview'],
      ['FLASK', 'front'],
    ]) {
      for (let round = 0; round < 2; round++) {
        const answer = await at(label ?? '', '/');
        assert.deepEqual([answer.status, /<title>(.*?)</.exec(answer.body)?.[1]], [200, text], label);
      }
    }
    assert.equal((await at('pr-1--preview--flask', '/')).headers['x-robots-tag'], 'noindex');
    assert.equal((await ask(server, `flask.${DOMAIN}.:8443`, '/')).status, 200);
  });

  it('resolves links from the root of a site to its own files, also below /api/ and /help', async () => {
    assert.equal((await at('flask', '/assets/main.css')).body, 'p{}');
    assert.match((await at('flask', '/api/')).body, /<title>api</);
    const post = await at('flask', '/api/upload', { method: 'POST', headers: { 'X-Token': 'secret-admin' } });
    assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
    assert.match((await at('flask', '/api/projects')).body, /own 404/);
  });

  it('serves path addresses on the main host, and on hosts outside of the pattern', async () => {
    for (const host of [
      DOMAIN,
      'localhost',
      'flask.evil.org',
      `a.flask.${DOMAIN}`,
      `x${DOMAIN}`,
      `.${DOMAIN}`,
      'é',
    ]) {
      assert.match((await ask(server, host, '/flask-2.0/')).body, /<title>old</, host);
      assert.equal((await ask(server, host, '/api/version')).status, 200, host);
    }
  });

  it('keeps redirects on the host', async () => {
    for (const [path, location, status] of [
      ['/guide', `https://flask.${DOMAIN}/guide/`, 308],
      ['/guide?a=1', `https://flask.${DOMAIN}/guide/?a=1`, 308],
      ['/guide.html', `https://flask.${DOMAIN}/guide/`, 302],
      ['/old', `https://flask.${DOMAIN}/guide/`, 301],
    ] as const) {
      const { status: got, headers, body } = await at('flask', path);
      assert.deepEqual([got, headers.location], [status, location], path);
      assert.doesNotMatch(body, /flask-latest/);
    }
  });

  it('supports conditional requests, HEAD and ranges as at path addresses', async () => {
    const whole = await at('flask', '/guide/');
    const { etag = '' } = whole.headers;
    const unchanged = await at('2-1-0--flask', '/guide/', { headers: { 'If-None-Match': etag } });
    assert.deepEqual([unchanged.status, unchanged.body], [304, '']);
    const head = await at('flask', '/guide/', { method: 'HEAD' });
    assert.deepEqual(
      [head.status, head.headers['content-length'], head.body],
      [200, whole.headers['content-length'], ''],
    );
    const part = await at('flask', '/guide/', { headers: { Range: 'bytes=0-8' } });
    assert.deepEqual([part.status, part.body], [206, '<!doctype']);
  });

  it('serves several hosts on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const hosts = [`flask.${DOMAIN}`, `2-0--flask.${DOMAIN}`, DOMAIN, `nothing.${DOMAIN}`, `flask.${DOMAIN}`];
    const answers = await Promise.all(hosts.map((host) => ask(server, host, '/guide/', { agent })));
    agent.destroy();
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 404, 404, 200],
    );
  });

  it('serves a cached version from memory on its host', async () => {
    await at('flask', '/guide/');
    await ask(server, DOMAIN, '/flask-latest/guide/');
    const before = server.answeredFromMemory;
    await at('2-1-0--flask', '/guide/?x');
    await ask(server, DOMAIN, '/flask-2.1.0/guide/');
    assert.equal(server.answeredFromMemory, before + 2);
  });

  it('shows the site’s own 404.html for a missing page, with the root as its base', async () => {
    const nested = await ask(server, `my-lib-rlzbzjmjvbrm.${DOMAIN}`, '/');
    assert.equal(nested.status, 404, 'a host with a made-up hash');
    const answer = await at('flask', '/a/b/nothing');
    assert.equal(answer.status, 404);
    assert.match(answer.body, new RegExp(`<base href="https://flask.${DOMAIN}/">.*<title>own 404<`));
  });

  it('responds 404 with a link to the main host on a host without a site, at every path', async () => {
    for (const path of ['/', '/flask-2.0/', '/api/version', '/x/y', '*']) {
      const { status, body, headers } = await at('nothing', path, path === '*' ? { method: 'OPTIONS' } : {});
      if (path === '*') assert.equal(status, 405);
      else {
        assert.equal(status, 404, path);
        assert.match(body, /Nothing is published at this host/);
        assert.match(body, new RegExp(`href="${MAIN}/"`));
        assert.match(String(headers['content-security-policy']), /style-src 'self'/);
      }
    }
    assert.equal((await at('nothing', '/-/assets/lectern.css')).status, 200);
    assert.equal((await at('3-0--flask', '/')).status, 404);
    assert.equal(
      (await at('2.0--flask', '/flask-2.0/')).status,
      200,
      'two labels are outside of the pattern',
    );
  });

  it('serves no other site for an absolute request target', async () => {
    const answer = await server.raw(
      `GET http://${DOMAIN}/flask-2.0/ HTTP/1.1\r\nHost: flask.${DOMAIN}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1.1 404/);
    for (const path of ['/../flask-2.0/', '/..%2fflask-2.0/', '/%2e%2e/flask-2.0/', '//flask-2.0/']) {
      const { status, body } = await at('2-1-0--flask', path);
      assert.deepEqual([status, /<title>old</.test(body)], [404, false], path);
    }
  });

  it('keeps own pages on the main host', async () => {
    for (const path of ['/-/projects/flask', '/-/upload', '/-/api', '/-/compare/flask', '/-/nothing?x']) {
      const { status, headers } = await at('flask', path);
      assert.deepEqual([status, headers.location], [302, MAIN + path]);
    }
  });

  it('offer on no page to keep a token, since sites are on the main host as well', async () => {
    for (const path of ['/-/upload', '/-/manage/flask'])
      assert.doesNotMatch((await ask(server, DOMAIN, path)).body, /id="keep"/, path);
  });

  it('redirects from /-/go to the host of another version', async () => {
    for (const [path, location] of [
      ['/-/go/flask-2.0/guide/', `https://2-0--flask.${DOMAIN}/guide/`],
      ['/-/go/flask-latest/gone.html', `https://flask.${DOMAIN}/`],
      ['/-/go/flask~pr-1/', `https://pr-1--preview--flask.${DOMAIN}/`],
    ] as const) {
      assert.equal((await at('flask', path)).headers.location, location);
    }
    const main = await ask(server, DOMAIN, '/-/go/flask-2.0/guide/');
    assert.equal(main.headers.location, '/flask-2.0/guide/');
  });

  it("derives the switcher's site from its host", async () => {
    const facts = async (host: string, name: string) => {
      const { site, home, current } = JSON.parse((await ask(server, host, `/-/switcher/${name}.json`)).body);
      return [site, home, current];
    };
    for (const name of ['-', 'guide', 'flask-2.1.0']) {
      assert.deepEqual(await facts(`2-0--flask.${DOMAIN}`, name), ['flask-2.0', `${MAIN}/`, 'flask-2.0']);
      assert.deepEqual(await facts(`flask.${DOMAIN}`, name), ['flask-latest', `${MAIN}/`, 'flask-2.1.0']);
    }
    assert.deepEqual(await facts(DOMAIN, 'flask-2.1.0'), [undefined, undefined, 'flask-2.1.0']);
    assert.equal((await at('flask', '/-/switcher/page.js')).status, 200);
    const { others } = JSON.parse((await at('flask', '/-/suggest/flask-latest/gone.html')).body);
    assert.equal(others[0].url, `https://2-0--flask.${DOMAIN}/gone.html`);
    const versions = await at('flask', '/-/projects/flask/versions.json?format=pydata');
    assert.equal(JSON.parse(versions.body)[0].url, '/-/go/flask-2.1.0/');
  });

  it('links from search results to pages on hosts, and from other own pages to the main host', async () => {
    await server.isIndexed();
    const { body } = await at('2-0--flask', '/-/search?project=flask&q=guide');
    assert.match(body, new RegExp(`href="https://flask.${DOMAIN}/guide/`));
    assert.match(body, new RegExp(`href="${MAIN}/help"`));
    assert.match(body, /href="\/-\/assets\/lectern.css"/);
    const main = await ask(server, DOMAIN, '/-/search?project=flask&q=guide');
    assert.match(main.body, /href="\/flask-latest\/guide\//);
  });

  it('lists files with links and style sheet on the host', async () => {
    const label = hostLabelOf('my_lib-1.0', hostHash);
    const host = `${label}.${DOMAIN}`;
    assert.match(host, /^1-0--my-lib-[a-z0-9]{12}\.docs\.example\.org$/);
    const { status, body } = await ask(server, host, '/');
    assert.equal(status, 200);
    assert.match(body, /href="files.txt"/);
    assert.match(body, new RegExp(`href="${MAIN}/-/projects/my_lib"`));
    assert.match(body, /src="\/-\/switcher.js"/);
    assert.match((await ask(server, DOMAIN, '/my_lib-1.0/')).body, /href="\/-\/projects\/my_lib"/);
  });

  it('allows logos from the hosts on own pages, and pages of sites in comparisons', async () => {
    const policyOf = async (path: string) =>
      String((await ask(server, DOMAIN, path)).headers['content-security-policy']);
    assert.match(await policyOf('/'), new RegExp(`img-src 'self' https://\\*\\.${DOMAIN};`));
    const beside = await policyOf('/-/compare/flask/2.0/2.1.0/?view=page');
    assert.match(beside, new RegExp(`frame-src 'self' https://\\*\\.${DOMAIN}$`));
  });

  it('shows a replacement, a deletion and a new version on the hosts at once', async () => {
    await server.upload('moving-1.0-docs.zip', { 'index.html': page('one') });
    assert.match((await at('moving', '/')).body, /<title>one</);
    await server.upload('moving-1.0-docs.zip', { 'index.html': page('two') });
    assert.match((await at('1-0--moving', '/')).body, /<title>two</);
    await server.upload('moving-1.1-docs.zip', { 'index.html': page('three') });
    assert.match((await at('moving', '/')).body, /<title>three</);
    await server.delete('moving/1.1');
    await server.delete('moving/1.0');
    assert.equal((await at('moving', '/')).status, 404);
  });

  it("names the host in an upload's message, and serves a site for the root of a host there", async () => {
    const site = { 'index.html': '<link rel=stylesheet href="/a.css">', 'a.css': '' };
    const { message, url } = (await (await server.upload('docu-1.0-docs.zip', site)).json()) as Record<
      string,
      string
    >;
    assert.equal(url, '/docu-1.0/');
    assert.equal(message, `Published docu 1.0 at https://1-0--docu.${DOMAIN}/ with 2 files`);
    const path = await ask(server, DOMAIN, '/docu-1.0/a.css?x');
    assert.deepEqual([path.status, path.headers.location], [302, `https://1-0--docu.${DOMAIN}/a.css?x`]);
    assert.equal((await at('docu', '/a.css')).status, 200);
  });

  it('has path addresses as canonical ones, and no sitemap on hosts', async () => {
    const canonical = `<${MAIN}/flask-latest/guide/>; rel="canonical"`;
    assert.equal(canonicalIn((await at('2-0--flask', '/guide/')).headers.link), canonical);
    assert.equal(canonicalIn((await at('flask', '/guide/')).headers.link), canonical);
    assert.equal(
      (await at('flask', '/robots.txt')).body,
      'User-agent: *\nDisallow: /-/\nDisallow: /*-docs.zip$\n',
    );
    assert.equal((await at('flask', '/sitemap.xml')).status, 404);
  });

  it('ignores X-Forwarded-Host without --trust-proxy', async () => {
    const forged = await ask(server, DOMAIN, '/', { headers: { 'X-Forwarded-Host': `flask.${DOMAIN}` } });
    assert.doesNotMatch(forged.body, /<title>front</);
  });
});

describe('A server with --project-hosts-redirect', () => {
  let server: TestServer;
  const at = (label: string, path: string, options?: Ask) => ask(server, `${label}.${DOMAIN}`, path, options);
  const main = (path: string, options?: Ask) => ask(server, DOMAIN, path, options);
  before(async () => {
    server = await started(REDIRECTING);
  });
  after(() => server.close());

  it('redirects path addresses to the hosts, from memory or not', async () => {
    for (let round = 0; round < 2; round++) {
      for (const [path, location] of [
        ['/flask-2.1.0/guide/?q=1', `https://2-1-0--flask.${DOMAIN}/guide/?q=1`],
        ['/flask-latest/', `https://flask.${DOMAIN}/`],
        ['/flask-2.0', `https://2-0--flask.${DOMAIN}/`],
        ['/flask%2D2.0/x', `https://2-0--flask.${DOMAIN}/x`],
        ['/flask~pr-1/index.html', `https://pr-1--preview--flask.${DOMAIN}/index.html`],
        // Short addresses, at once.
        ['/flask', `https://flask.${DOMAIN}/`],
        ['/flask/', `https://flask.${DOMAIN}/`],
        ['/flask/guide/?q=1', `https://flask.${DOMAIN}/guide/?q=1`],
        ['/fl%61sk/objects.inv', `https://flask.${DOMAIN}/objects.inv`],
      ] as const) {
        const { status, headers } = await main(path);
        assert.deepEqual(
          [status, headers.location, headers['cache-control']],
          [302, location, 'no-cache'],
          path,
        );
        const host = new URL(location);
        await ask(server, host.host, host.pathname);
      }
    }
    assert.equal((await main('/flask-2.0/', { method: 'HEAD' })).status, 302);
    for (const path of ['//evil.org', '/../x', '/%2e%2e/x', '/a%5cb', '/%2F/x', '/.git/config']) {
      assert.equal((await main(`/flask-2.0${path}`)).status, 404, path);
    }
  });

  it('send no page of a site from the main host, not even its 404.html for an impossible address', async () => {
    for (const path of ['%zz', 'a//b', '.git/config', 'a/%2e%2e/b', 'a%00', 'nothing/%E0%A4%A']) {
      const { status, body } = await main(`/flask-2.0/${path}`);
      assert.ok(status === 404 || status === 302, `${path}: ${status}`);
      assert.doesNotMatch(body, /own 404/, path);
    }
  });

  it('offer to keep a token for the tab on the pages that take it', async () => {
    for (const path of ['/-/upload', '/-/manage/flask'])
      assert.match((await main(path)).body, /id="keep"/, path);
  });

  it('serves archives, own pages and 404 pages on the main host', async () => {
    assert.equal((await main('/flask-2.0-docs.zip')).headers['content-type'], 'application/zip');
    assert.equal((await main('/flask-latest-docs.zip')).status, 200);
    assert.equal((await main('/flask//evil.org')).status, 404);
    assert.equal((await main('/flask-9.9/')).status, 404);
    assert.equal((await main('/nothing-1.0/')).status, 404);
    assert.match((await main('/-/projects/flask')).body, new RegExp(`href="https://2-0--flask.${DOMAIN}/"`));
    assert.equal(JSON.parse((await main('/api/projects')).body).projects[0].versions[0].url, '/flask-2.0/');
  });

  it('has the hosts as canonical addresses, with the sitemaps', async () => {
    assert.equal(
      canonicalIn((await at('2-0--flask', '/guide/')).headers.link),
      `<https://flask.${DOMAIN}/guide/>; rel="canonical"`,
    );
    assert.equal((await at('2-0--flask', '/gone.html')).headers['x-robots-tag'], 'noindex');
    assert.match(
      (await main('/sitemap.xml')).body,
      new RegExp(`<loc>https://flask.${DOMAIN}/sitemap.xml</loc>`),
    );
    const sitemap = await at('flask', '/sitemap.xml');
    assert.deepEqual(
      [...sitemap.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address),
      ['api/', 'guide/', ''].map((path) => `https://flask.${DOMAIN}/${path}`),
    );
    assert.equal(
      (await at('flask', '/robots.txt')).body,
      `User-agent: *\nDisallow: /-/\nDisallow: /*-docs.zip$\nSitemap: https://flask.${DOMAIN}/sitemap.xml\n`,
    );
    assert.equal(
      (await at('2-0--flask', '/robots.txt')).body,
      'User-agent: *\nDisallow: /-/\nDisallow: /*-docs.zip$\n',
    );
    assert.equal((await at('2-0--flask', '/sitemap.xml')).status, 404);
  });

  it('accepts an upload for the root of a host without a warning', async () => {
    const site = { 'index.html': '<link rel=stylesheet href="/a.css">', 'a.css': '' };
    const { message } = (await (await server.upload('docu-1.0-docs.zip', site)).json()) as Record<
      string,
      string
    >;
    assert.equal(message, `Published docu 1.0 at https://1-0--docu.${DOMAIN}/ with 2 files`);
  });

  it('serves a site’s own robots.txt and sitemap.xml', async () => {
    await server.upload('own-1.0-docs.zip', {
      'index.html': 'x',
      'robots.txt': 'mine',
      'sitemap.xml': '<mine/>',
    });
    assert.equal((await at('own', '/robots.txt')).body, 'mine');
    assert.equal((await at('own', '/sitemap.xml')).body, '<mine/>');
  });
});

describe('A host while the store is unreachable', () => {
  it('fails like other paths, and is not reported as one without a site', () => {
    const hosts = new ProjectHosts(MAIN, DOMAIN, false);
    const away = new Error('the store is out of reach');
    const entrance = new HostEntrance(hosts, false);
    const headers = { host: `flask.${DOMAIN}` };
    const asked = askedFor({
      headers,
      seenBy: () => {
        throw away;
      },
    });
    const request = { url: '/guide/', headers } as IncomingMessage;
    const urls: (string | undefined)[] = [];
    const toHosts = entrance.between(
      () => assert.fail('it is a request to a host'),
      ({ url }) => urls.push(url),
    );
    toHosts(request, {} as ServerResponse, asked.visitor);
    assert.deepEqual(urls, ['/']);
    assert.throws(() => entrance.siteOf(asked), away);
  });
});

describe('A server behind a trusted proxy', () => {
  it("reads a project's host from X-Forwarded-Host", async (t) => {
    const server = await started({ ...HOSTS, trustProxy: true });
    t.after(() => server.close());
    const headers = { 'X-Forwarded-Host': `2-0--flask.${DOMAIN}, inner` };
    assert.match((await ask(server, 'inner', '/', { headers })).body, /<title>old</);
  });
});

describe('A server with --project-hosts and --no-indexing', () => {
  it('sends noindex on all hosts, whatever a site contains', async (t) => {
    const server = await started({ ...REDIRECTING, indexing: false });
    t.after(() => server.close());
    await server.upload('own-1.0-docs.zip', { 'index.html': 'x', 'robots.txt': 'mine' });
    const robots = await ask(server, `own.${DOMAIN}`, '/robots.txt');
    assert.deepEqual(
      [robots.body, robots.headers['x-robots-tag']],
      ['User-agent: *\nDisallow: /\n', 'noindex'],
    );
    assert.equal((await ask(server, `flask.${DOMAIN}`, '/sitemap.xml')).status, 404);
  });
});
