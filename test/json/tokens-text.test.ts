import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withEntry, withoutEntry } from '../../src/adapters/json/index.js';
import { anyString } from '../support/any-string.js';

const DIGEST = 'a'.repeat(64);

describe('The text of a tokens file', () => {
  for (const [what, before, after] of [
    [
      'in several lines',
      '{\n  "tokens": {\n    "admin": {\n      "token": "s",\n      "projects": ["a"]\n    }\n  }\n}\n',
      `{\n  "tokens": {\n    "admin": {\n      "token": "s",\n      "projects": ["a"]\n    },\n    "ci": {\n      "sha256": "${DIGEST}",\n      "projects": [\n        "b"\n      ]\n    }\n  }\n}\n`,
    ],
    [
      'with an entry on each line',
      '{\n\t"tokens": {\n\t\t"admin": { "token": "s" }\n\t}\n}',
      `{\n\t"tokens": {\n\t\t"admin": { "token": "s" },\n\t\t"ci": { "sha256": "${DIGEST}", "projects": ["b"] }\n\t}\n}`,
    ],
    [
      'in one line without white space',
      '{"tokens":{"admin":{"token":"s"}}}',
      `{"tokens":{"admin":{"token":"s"},"ci":{"sha256":"${DIGEST}","projects":["b"]}}}`,
    ],
    [
      'in one line with white space',
      '{ "tokens": { "admin": { "token": "s" } } }',
      `{ "tokens": { "admin": { "token": "s" }, "ci": { "sha256": "${DIGEST}", "projects": ["b"] } } }`,
    ],
    [
      'with the line ends of Windows and a byte order mark',
      '\uFEFF{\r\n  "tokens": {\r\n    "admin": {\r\n      "token": "s"\r\n    }\r\n  }\r\n}\r\n',
      `\uFEFF{\r\n  "tokens": {\r\n    "admin": {\r\n      "token": "s"\r\n    },\r\n    "ci": {\r\n      "sha256": "${DIGEST}",\r\n      "projects": [\r\n        "b"\r\n      ]\r\n    }\r\n  }\r\n}\r\n`,
    ],
    [
      'without an entry',
      '{\n  "tokens": {}\n}\n',
      `{\n  "tokens": {\n    "ci": {\n      "sha256": "${DIGEST}",\n      "projects": [\n        "b"\n      ]\n    }\n  }\n}\n`,
    ],
  ] as const) {
    it(`keeps its format when an entry is added, and is restored when that entry is removed: ${what}`, () => {
      const added = withEntry(before, 'ci', { sha256: DIGEST, projects: ['b'] });
      assert.equal(added, after);
      assert.equal(withoutEntry(added, 'ci'), before);
    });
  }

  it('loses an entry with the adjacent comma, at any position', () => {
    const text = '{"tokens": { "a": {"token": "1"},\n  "b": {"token": "2"}, "c": {"token": "3"} }}';
    assert.equal(withoutEntry(text, 'a'), '{"tokens": { "b": {"token": "2"}, "c": {"token": "3"} }}');
    assert.equal(withoutEntry(text, 'b'), '{"tokens": { "a": {"token": "1"}, "c": {"token": "3"} }}');
    assert.equal(withoutEntry(text, 'c'), '{"tokens": { "a": {"token": "1"},\n  "b": {"token": "2"} }}');
    assert.equal(withoutEntry(text, 'd'), text);
  });

  it('loses every entry under a duplicate name, the last of which applied', () => {
    const text = '{"tokens": {"a": {"token": "1"}, "\\u0061": {"token": "2"}, "b": {"token": "3"}}}';
    assert.equal(withoutEntry(text, 'a'), '{"tokens": {"b": {"token": "3"}}}');
  });

  it('is JSON with all other entries after any addition and removal', () => {
    const entry = fc.record({ token: fc.string(), description: anyString() });
    const entries = fc.dictionary(anyString(), entry, { maxKeys: 4 });
    const indent = fc.constantFrom('', ' ', '  ', '\t');
    fc.assert(
      fc.property(entries, fc.string(), indent, fc.nat(3), (tokens, name, space, which) => {
        const text = JSON.stringify({ tokens }, undefined, space);
        const others = [...entriesOf(text)].filter(([other]) => other !== name);
        const base = withoutEntry(text, name);
        const added = withEntry(base, name, { sha256: DIGEST });
        assert.deepEqual(entriesOf(added).get(name), { sha256: DIGEST });
        assert.deepEqual(entriesOf(withoutEntry(added, name)), new Map(others));
        const [gone = name] = others[which] ?? [];
        assert.deepEqual(
          entriesOf(withoutEntry(added, gone)),
          new Map([...entriesOf(added)].filter(([other]) => other !== gone)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

function entriesOf(text: string): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(JSON.parse(text).tokens));
}
