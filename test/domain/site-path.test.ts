import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isPage, SitePath } from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';
import { assertEnds } from '../support/assert-ends.js';

describe('A path in a site', () => {
  for (const path of [
    'index.html',
    'a/b/c.html',
    'a b',
    'ä/ö',
    '...',
    'a..b',
    '..a',
    '%2e%2e',
    'ab:c',
    '~',
    'con',
    '.hidden',
    "a'b",
    'a?b#c',
  ]) {
    it(`may be ${JSON.stringify(path)}`, () => {
      assert.equal(SitePath.problemOf(path), undefined);
      assert.equal(SitePath.of(path)?.toString(), path);
    });
  }

  const REFUSED: readonly (readonly [path: string, why: RegExp])[] = [
    ['/etc/passwd', /absolute/],
    ['//host/share', /absolute/],
    ['C:/x', /drive letter/],
    ['c:', /drive letter/],
    ['..', /'\.\.'/],
    ['../x', /'\.\.'/],
    ['a/../../x', /'\.\.'/],
    ['a/..', /'\.\.'/],
    ['.', /'\.'/],
    ['a/./b', /'\.'/],
    ['', /empty component/],
    ['a//b', /empty component/],
    ['a/', /empty component/],
    ['..\\..\\x', /'\\'/],
    ['a\\b', /'\\'/],
    ['a\u0000.html', /control/],
    ['a\nb', /control/],
    ['a\u007f', /control/],
    ['a\u0085b', /control/],
    ['\ud800', /Unicode|surrogate|control/],
    ['x'.repeat(256), /component longer than 255 bytes/],
    [`a/${'ä'.repeat(128)}`, /component longer than 255 bytes/],
    [`${'x/'.repeat(64)}x`, /64 levels/],
    [Array.from({ length: 5 }, () => 'x'.repeat(205)).join('/'), /longer than 1024 bytes/],
  ];
  for (const [path, why] of REFUSED) {
    it(`may not be ${JSON.stringify(path.slice(0, 30))}${path.length > 30 ? '…' : ''}`, () => {
      assert.match(SitePath.problemOf(path) ?? '', why);
      if (path !== '') assert.equal(SitePath.of(path), undefined);
    });
  }

  it('may reach the limits exactly', () => {
    assert.ok(SitePath.of('x'.repeat(255)));
    assert.ok(SitePath.of(`${'ä'.repeat(127)}x`));
    assert.ok(SitePath.of(Array.from({ length: 64 }, () => 'x').join('/')));
    assert.ok(SitePath.of(`${Array.from({ length: 4 }, () => 'x'.repeat(255)).join('/')}/`.slice(0, 1023)));
  });

  it('is the root when empty', () => {
    assert.equal(SitePath.of(''), SitePath.root);
    assert.equal(SitePath.fromUrl(''), SitePath.root);
    assert.deepEqual(SitePath.root.components, []);
    assert.equal(SitePath.root.toUrl(), '');
    assert.equal(SitePath.root.withSuffix('.html'), undefined);
    assert.equal(SitePath.root.isHidden, false);
  });
});

describe('A path of letters, dots, hyphens and slashes', () => {
  it('is valid when each component is', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      '7',
      '_',
      '-',
      '.',
      '..',
      '/',
      'a/',
      'index.html',
      'x'.repeat(60),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 150 }), (pieces) => {
        const path = pieces.join('');
        const components = path.split('/');
        const isAllowed =
          path.length <= 1024 &&
          components.length <= 64 &&
          components.every((name) => name !== '' && name !== '.' && name !== '..' && name.length <= 255);
        assert.equal(SitePath.problemOf(path) === undefined, isAllowed, path);
        assert.deepEqual(SitePath.of(path)?.components, isAllowed ? components : undefined);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('The path of a URL', () => {
  // biome-ignore format: a list
  const TRAVERSALS = [
    '..', '../x', '%2e%2e/x', '%2E%2e/x', '.%2e/x', 'a/%2e%2e/%2e%2e/x', '..%2fx', '..%2Fx', '%2e%2e%2fx', '..%5cx', '..\\x',
    '%2fetc/passwd', '/etc/passwd', '//etc/passwd', 'a//b', 'a%2fb', '%5c%5chost', '%00', 'a%00.html', 'a%0d%0ab', 'C:/x', 'c%3a/x',
    '%c0%ae%c0%ae/x', '%c0%afx', '%e0%80%ae/x', '%ed%a0%80', '%u002e%u002e/x', '%', '%2', '%zz', 'a/%', '%2e', './x', 'a/.',
  ];
  for (const encoded of TRAVERSALS) {
    it(`names nothing as ${encoded}`, () => assert.equal(SitePath.fromUrl(encoded), undefined));
  }

  const LITERAL: readonly (readonly [encoded: string, path: string])[] = [
    ['a%20b/c.html', 'a b/c.html'],
    ['%C3%A4.html', 'ä.html'],
    ['%252e%252e/x', '%2e%2e/x'],
    ['a%252fb', 'a%2fb'],
    ['a+b', 'a+b'],
    ['%2e%2e%2e', '...'],
    ['%61.html', 'a.html'],
    ['\uff0e\uff0e/x', '\uff0e\uff0e/x'],
  ];
  for (const [encoded, path] of LITERAL) {
    it(`is decoded once: ${encoded} is ${path}`, () =>
      assert.equal(SitePath.fromUrl(encoded)?.toString(), path));
  }

  it('yields no path with a dangerous component, whatever is sent', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '.',
        '..',
        '/',
        '\\',
        '%2e',
        '%2f',
        '%5c',
        '%00',
        '%25',
        '%c0%ae',
        'a',
        ':',
        '%',
        '\ud800',
      ),
      anyString({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = SitePath.fromUrl(pieces.join(''));
        if (path === undefined || path === SitePath.root) return;
        assert.equal(SitePath.problemOf(path.toString()), undefined);
        for (const component of path.components)
          assert.doesNotMatch(component, /^\.{0,2}$|[/\\\u0000-\u001f\u007f]/);
        assert.equal(path.components.join('/'), path.toString());
      }),
      { numRuns: 5000 },
    );
  });

  it('encodes and decodes to the same path', () => {
    fc.assert(
      fc.property(
        fc.array(anyString({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        (components) => {
          const path = SitePath.of(components.join('/'));
          if (path === undefined) return;
          assert.equal(SitePath.fromUrl(path.toUrl())?.toString(), path.toString());
          assert.match(path.toUrl(), /^[A-Za-z0-9%/._~!'()*-]*$/);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('is parsed in linear time at 1 MiB', () => {
    assertEnds(() => {
      for (const piece of ['/', '..%2f', 'a/', '%2e', 'a', '%', '\\', ':']) {
        assert.equal(SitePath.fromUrl(piece.repeat(2 ** 20 / piece.length)), undefined);
      }
    });
  });
});

describe('A hidden path', () => {
  for (const path of [
    '.git',
    '.git/config',
    'a/.env',
    'a/.b/c',
    '.well-known/.secret',
    '.htaccess',
    '...',
    '.well-knowns/x',
    '.Well-Known/x',
  ]) {
    it(`has a component with a leading dot: ${path}`, () => assert.equal(SitePath.of(path)?.isHidden, true));
  }
  for (const path of ['.well-known/security.txt', '.well-known/a/b', 'a.b', 'a/b.c/d', 'a.']) {
    it(`is not ${path}`, () => assert.equal(SitePath.of(path)?.isHidden, false));
  }
  it('is hidden in every encoding', () => {
    assert.equal(SitePath.fromUrl('%2egit/config')?.isHidden, true);
    assert.equal(SitePath.fromUrl('a/%2Eenv')?.isHidden, true);
  });
});

describe('A path derived from another', () => {
  it('is a child of the root or of a directory', () => {
    assert.equal(SitePath.root.child('index.html').toString(), 'index.html');
    assert.equal(SitePath.of('a/b')?.child('index.html').toString(), 'a/b/index.html');
  });

  it('has a suffix on its last component, within the limits', () => {
    assert.equal(SitePath.of('a/guide')?.withSuffix('.html')?.toString(), 'a/guide.html');
    assert.equal(SitePath.of('x'.repeat(255))?.withSuffix('.html'), undefined);
  });

  it('leaves the original path unchanged', () => {
    const path = SitePath.of('a/b');
    path?.child('c');
    path?.withSuffix('.html');
    assert.equal(path?.toString(), 'a/b');
  });
});

describe('The name of a page', () => {
  for (const name of ['guide.html', 'a/GUIDE.HTM', 'guide.xhtml'])
    it(`may be ${name}`, () => assert.equal(isPage(name), true));
  // Browsers are sent these as application/octet-stream.
  for (const name of ['guide.html.db', 'guide.html.pt-br', 'guide.html.en', 'guide.html.gz', 'html'])
    it(`is not ${name}`, () => assert.equal(isPage(name), false));
});
