import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { matchPages, movedPages } from '../../src/domain/index.js';

describe('The pages of two versions', () => {
  it('are HTML, and are matched by their names in any spelling', () => {
    assert.deepEqual(
      matchPages(
        ['index.html', 'guide.html', 'old.html', 'style.css', '404.html', '.hidden/a.html'],
        ['index.html', 'guide/index.html', 'new.htm', 'style.css', 'app.js', '404.html'],
      ),
      {
        common: [
          { before: 'guide.html', after: 'guide/index.html' },
          { before: 'index.html', after: 'index.html' },
        ],
        removed: ['old.html'],
        added: ['new.htm'],
      },
    );
  });

  it('are matched by exact path first, when a version has two spellings of one page', () => {
    const [both, one] = [['guide.html', 'guide/index.html'], ['guide/index.html']];
    const common = [{ before: 'guide/index.html', after: 'guide/index.html' }];
    assert.deepEqual(matchPages(both, one), { common, removed: ['guide.html'], added: [] });
    assert.deepEqual(matchPages(one, both), { common, removed: [], added: ['guide.html'] });
  });

  it('include XHTML', () => {
    const { common, removed, added } = matchPages(['a.xhtml', 'old.xhtml'], ['a.xhtml', 'new.XHTML']);
    assert.deepEqual(common, [{ before: 'a.xhtml', after: 'a.xhtml' }]);
    assert.deepEqual([removed, added], [['old.xhtml'], ['new.XHTML']]);
  });

  it('are each in one of the lists, once', () => {
    const file = fc.constantFrom(
      'a.html',
      'a/index.html',
      'a/b.html',
      'a/b/index.html',
      'c.htm',
      'c.html',
      'd.html',
    );
    const site = fc.uniqueArray(file);
    fc.assert(
      fc.property(site, site, (before, after) => {
        const { common, removed, added } = matchPages(before, after);
        assert.deepEqual([...common.map((page) => page.before), ...removed].sort(), before.toSorted());
        assert.deepEqual([...common.map((page) => page.after), ...added].sort(), after.toSorted());
      }),
    );
  });
});

describe('A removed page', () => {
  const none = { before: () => undefined, after: () => undefined };

  it('moved to the added page with the same text, or else with the same name', () => {
    const removed = ['install.html', 'tutorial.html', 'gone.html'];
    const added = ['guide/install.html', 'learn.html', 'other.html'];
    const texts: Readonly<Record<string, string>> = {
      'tutorial.html': 'T',
      'learn.html': 'T',
      'gone.html': '',
      'other.html': '',
    };
    const textOf = (path: string) => texts[path];
    assert.deepEqual(
      [...movedPages({ removed, added }, { before: textOf, after: textOf })],
      [
        ['install.html', 'guide/install.html'],
        ['tutorial.html', 'learn.html'],
      ],
    );
  });

  it("moved nowhere when several pages match, or only a directory's front page has its name", () => {
    const added = ['a/install.html', 'b/install.html', 'c/index.html'];
    assert.equal(movedPages({ removed: ['install.html', 'd/index.html'], added }, none).size, 0);
  });
});
