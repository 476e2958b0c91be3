import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeInBrowser } from '../support/browser.js';
import { TestServer } from '../support/server.js';

const inLatin1 = (text: string) => Buffer.from(text, 'latin1');
const page = (head: string, title: string) =>
  inLatin1(`<!doctype html><html><head>${head}<title>${title}</title></head><body><main><h1>${title}</h1>`);

/** Pages, and the title that each has. */
const PAGES: readonly (readonly [path: string, content: Buffer, title: string])[] = [
  ['sjis.html', page('<meta charset="Shift_JIS">', '\x90\xdd\x92\xe8\x83K\x83C\x83h'), '設定ガイド'],
  [
    'cp1251.html',
    page('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', '\xd0\xf3\xea\xee'),
    'Руко',
  ],
  ['gb.html', page('<meta charset="gb18030">', '\xb0\xb2\xd7\xb0'), '安装'],
  ['euc-kr.html', page('<meta charset=ks_c_5601-1987>', '\xc7\xd1\xb1\xdb'), '한글'],
  [
    'latin1.html',
    page('<META HTTP-EQUIV=CONTENT-TYPE CONTENT="text/html; charset=ISO-8859-1">', '\xdcbersicht'),
    'Übersicht',
  ],
  ['utf16.html', Buffer.from('\ufeff<!doctype html><title>Übersicht</title>', 'utf16le'), 'Übersicht'],
  ['utf8.html', Buffer.from('<!doctype html><title>Übersicht</title>'), 'Übersicht'],
  ['wrong.html', Buffer.from('<!doctype html><meta charset=latin1><title>Übersicht</title>'), 'Übersicht'],
  // ASCII, with a script and a style in the charset of the page, and a script in UTF-8.
  [
    'ascii.html',
    inLatin1(
      '<!doctype html><meta charset=koi8-r><title></title><link rel=stylesheet href=koi8.css><body><script src=koi8.js></script><script src=utf8.js></script>',
    ),
    'Да,да: "да"',
  ],
];
const PARTS = {
  'koi8.css': inLatin1('body::before { content: "\xc4\xc1" }'),
  'koi8.js': inLatin1('document.title = "\xe4\xc1,"'),
  'utf8.js': Buffer.from('document.title += "да: " + getComputedStyle(document.body, "::before").content'),
};

describeInBrowser('Pages in other charsets than UTF-8', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ switcher: true });
    const files = Object.fromEntries(PAGES.map(([path, content]) => [path, content]));
    await server.upload('letters-1.0-docs.zip', { 'index.html': 'x', ...files, ...PARTS });
  });
  after(() => server.close());

  for (const [path, , title] of PAGES) {
    it(`are legible, and have the switcher unless in UTF-16: ${path}`, async () => {
      await browser.see(`${server.url}/letters-latest/${path}`, { foreign: true }, async (seen) => {
        assert.equal(await seen.title(), title);
        const hasSwitcher = path !== 'utf16.html';
        if (hasSwitcher) await seen.getByRole('button', { name: /^Version / }).waitFor();
        else assert.equal(await seen.locator('lectern-switcher').count(), 0);
      });
    });
  }
});
