import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publicDirectory } from '../../src/adapters/web/index.js';

interface Listed {
  readonly webkitRelativePath: string;
  readonly size: number;
}

const { chosenFolder, BadChoice } = (await import(`${publicDirectory}/-/assets/upload-choice.js`)) as {
  chosenFolder: (files: readonly Listed[]) => {
    readonly files: readonly { readonly path: string }[];
    readonly bytes: number;
    readonly caches: readonly string[];
  };
  BadChoice: new () => Error;
};

/** Files as `<input webkitdirectory>` lists them; none has a way to read it. */
const listed = (count: number, size = 0): Listed[] =>
  Array.from({ length: count }, (_, index) => ({ webkitRelativePath: `site-1.0/${index}.html`, size }));
const refused = (why: RegExp) => (error: Error) => error instanceof BadChoice && why.test(error.message);

describe('A folder on the upload page', () => {
  it("has 65,535 files at most, JSZip's limit, and otherwise names an alternative", () => {
    assert.equal(chosenFolder(listed(65_535)).files.length, 65_535);
    assert.throws(() => chosenFolder(listed(65_536)), refused(/up to 65,535 files.*`lectern push`/));
  });

  it('has 1 GiB at most, in any number of files', () => {
    assert.equal(chosenFolder(listed(4, 1024 ** 3 / 4)).bytes, 1024 ** 3);
    assert.throws(
      () => chosenFolder([...listed(4, 1024 ** 3 / 4), ...listed(1, 1)]),
      refused(/up to 1 GiB.*`lectern push`/),
    );
  });

  it('is counted without version control files', () => {
    const history = listed(70_000).map((file) => ({
      ...file,
      webkitRelativePath: file.webkitRelativePath.replace('site-1.0/', 'site-1.0/.git/'),
    }));
    assert.equal(chosenFolder([...listed(3), ...history]).files.length, 3);
  });

  it('is packed without the caches of builders, which may hold secrets, and names them', () => {
    const paths = ['index.html', '.doctrees/environment.pickle', 'de/.doctrees/x', '.well-known/x', '.git/x'];
    const { files, caches } = chosenFolder(
      paths.map((path) => ({ webkitRelativePath: `site-1.0/${path}`, size: 1 })),
    );
    assert.deepEqual(
      files.map(({ path }) => path),
      ['.well-known/x', 'index.html'],
    );
    assert.deepEqual(caches, ['.doctrees', 'environment.pickle']);
  });
});
