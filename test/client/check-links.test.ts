import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../support/server.js';
import { SITE_WITH_DEAD_LINKS } from '../support/site-with-dead-links.js';
import { lectern } from './lectern.js';

describe('lectern check', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.upload('widgets-1.0-docs.zip', SITE_WITH_DEAD_LINKS);
    await server.upload('widgets-1.10-docs.zip', SITE_WITH_DEAD_LINKS);
  });
  after(() => server.close());

  const check = (...args: readonly string[]) => lectern(['check', ...args, '--url', server.url]);

  it('prints the dead links of the latest version by missing target, with exit code 8', async () => {
    const { code, out, notes } = await check('widgets');
    assert.equal(code, 8);
    assert.equal(
      out,
      `frnt page.html: no page, closest: front page.html
  guide.html: frnt%20page.html
  index.html: frnt%20page.html#top
guide.html#Guide: no anchor, closest: guide
  guide.html: #Guide
nothing/: no page
  index.html: nothing/
`,
    );
    assert.equal(notes, '4 dead links in 3 pages of 1.10\n');
  });

  it('prints a missing file once, with the first pages that request it', async () => {
    const page = (index: number) => [`p${index}.html`, '<script src="a/x.js"></script>'] as const;
    const pages = Object.fromEntries(Array.from({ length: 8 }, (_, index) => page(index)));
    await server.upload('scripts-1.0-docs.zip', { ...pages, 'index.html': '<a href="none.html">x</a>' });
    const lines = (await check('scripts')).out.split('\n');
    const first = Array.from({ length: 5 }, (_, index) => `  p${index}.html: a/x.js`);
    const expected = ['a/x.js: no file', ...first, '  and in 3 more pages', 'none.html: no page'];
    assert.deepEqual(lines, [...expected, '  index.html: none.html', '']);
  });

  it("prints the server's report as JSON, with the same exit code", async () => {
    const { code, out } = await check('widgets', '1.0', '--json');
    assert.deepEqual([code, JSON.parse(out)], [8, await server.json('/api/check/widgets/1.0')]);
  });

  it('ends with 0 without dead links, 6 for a missing version, and 1 where nothing is checked', async (context) => {
    const off = await TestServer.start({ linkCheck: false });
    context.after(() => off.close());
    for (const each of [server, off]) await each.upload('clean-1.0-docs.zip');
    const none = await check('clean');
    assert.deepEqual([none.code, none.out, none.notes], [0, '', '0 dead links in 1 page of 1.0\n']);
    assert.equal((await check('widgets', '1.1')).code, 6);
    const unchecked = await lectern(['check', 'clean', '--url', off.url]);
    assert.equal(unchecked.code, 1);
    assert.match(unchecked.notes, /does not check the links of clean latest/);
  });
});
