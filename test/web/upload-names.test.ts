import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nameExamples } from '../../src/adapters/web/help/help-examples.js';
import { publicDirectory } from '../../src/adapters/web/index.js';
import { parseArchiveName, parseDirectoryName } from '../../src/domain/index.js';

interface Names {
  readonly project: string;
  readonly version: string;
}

const { splitName, suggestedNames } = (await import(`${publicDirectory}/-/assets/upload-names.js`)) as {
  splitName: (name: string) => Names | undefined;
  suggestedNames: (fileName: string) => Names | undefined;
};

describe('The upload page reads names', () => {
  it('as the server reads them, for every name that is one', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      'lib',
      '-',
      '-',
      '.',
      '+',
      '_',
      'v',
      '0',
      '1',
      '2',
      '01',
      'rc',
      '1.2.3',
    );
    const name = fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(name, (text) => {
        const read = parseDirectoryName(text);
        if (read === undefined) return;
        assert.deepEqual(splitName(text), { project: read.project, version: read.label });
      }),
      { numRuns: 3_000 },
    );
  });

  it('as the help shows them', () => {
    for (const { fileName, project, label } of nameExamples) {
      assert.deepEqual(suggestedNames(fileName), { project, version: label });
    }
  });

  it('and suggests what the server would take, from names without the ending as well', () => {
    assert.deepEqual(suggestedNames('my-project-1.0.0.zip'), { project: 'my-project', version: '1.0.0' });
    assert.deepEqual(suggestedNames('lib-2-v3'), { project: 'lib', version: '2-v3' });
    assert.equal(parseArchiveName('lib-2-v3-docs.zip').project, 'lib');
  });

  it('but suggests nothing where it would be a mere guess', () => {
    for (const name of ['html', 'site.zip', 'my-site.zip', 'build-output']) {
      assert.equal(suggestedNames(name), undefined, name);
    }
  });
});
