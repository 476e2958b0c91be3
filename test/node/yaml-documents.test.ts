import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as yaml from 'yaml';
import { documentParsers } from '../../src/node/document-parsers.js';
import { yamlDocuments } from '../../src/node/yaml-documents.js';

describe('The documents in a YAML text', () => {
  it('are yielded one after the other', () => {
    assert.deepEqual([...yamlDocuments(yaml, 'a: 1\n---\nb: 2\n')], [{ a: 1 }, { b: 2 }]);
  });

  it('leave the stack traces of other errors alone, however many are read', async () => {
    const { stackTraceLimit } = Error;
    assert.ok(stackTraceLimit > 0);
    assert.deepEqual((await documentParsers()).yaml('a: 1\n'), { a: 1 });
    assert.equal(Error.stackTraceLimit, stackTraceLimit);
    for (const document of yamlDocuments(yaml, 'a: 1\n---\nb: 2\n')) {
      assert.equal(Error.stackTraceLimit, stackTraceLimit, JSON.stringify(document));
    }
    assert.throws(() => [...yamlDocuments(yaml, 'a: [')], /^Error: is not valid YAML \(/);
    assert.equal(Error.stackTraceLimit, stackTraceLimit);
  });
});
