import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readYamlDocinfo } from '../../src/adapters/yaml/index.js';

const MAX_BYTES = 8 * 1024;

/** Texts that nest as deep as their length allows, or make an error of every other character. */
const HOSTILE: readonly string[] = [
  '[,'.repeat(8_000),
  '{,'.repeat(8_000),
  '['.repeat(16_000),
  '["a":'.repeat(4_000),
  `["a"${':"a"'.repeat(4_000)}`,
  '{? '.repeat(8_000),
  '- '.repeat(16_000),
  '? '.repeat(4_000),
  ': '.repeat(16_000),
  'a: '.repeat(8_000),
  '<<: <<: a\n'.repeat(4_000),
  `[${','.repeat(60_000)}`,
  ']'.repeat(60_000),
];

/** Reads texts one after the other in a process of its own, and says how that ended. */
function readInOwnProcess(texts: readonly string[]): { status: number | null; out: string } {
  const reader = import.meta.resolve('../../src/adapters/yaml/index.js');
  const program = `
    import { readFileSync } from 'node:fs';
    import { readYamlDocinfo } from ${JSON.stringify(reader)};
    const readings = JSON.parse(readFileSync(0, 'utf8')).map((text) => readYamlDocinfo(text));
    console.log(readings.filter(({ problem }) => problem !== undefined).length);`;
  const { status, stdout } = spawnSync(
    process.execPath,
    [...process.execArgv, '--input-type=module', '--eval', program],
    { input: JSON.stringify(texts), encoding: 'utf8', timeout: 120_000 },
  );
  return { status, out: stdout.trim() };
}

const STRUCTURE = fc.constantFrom(
  ...[
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"a":',
    '- ',
    '? ',
    ': ',
    '<<: ',
    'a: ',
    '\n',
    '\n ',
    '\n  ',
    '\r\n',
    '\t',
    ' ',
  ],
  ...['"', "'", '\\z', '#', '%', '&a ', '*a', '!a ', '|\n', '>\n', '---\n', '...\n', 'a', 'name: ', 'logo: '],
);

/** A few pieces of syntax, each run repeated; cut to what a docinfo may have. */
const structuralText = fc
  .array(fc.tuple(fc.array(STRUCTURE, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 4_000 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((runs) =>
    runs
      .map(([pieces, times]) => pieces.join('').repeat(times))
      .join('')
      .slice(0, MAX_BYTES),
  );

describe('A hostile docinfo', () => {
  it('never ends the process that reads it, on either limit', () => {
    const [brackets = '', braces = ''] = HOSTILE;
    for (const texts of [[brackets, braces], [braces, brackets], HOSTILE, HOSTILE.toReversed()]) {
      assert.deepEqual(readInOwnProcess(texts), { status: 0, out: String(texts.length) });
    }
  });

  it('never ends the process that reads it at any depth, cut to the maximum size of a docinfo', () => {
    const texts = HOSTILE.flatMap((text) =>
      Array.from({ length: 128 }, (_, step) => text.slice(0, (step + 1) * (MAX_BYTES / 128))),
    );
    assert.equal(readInOwnProcess(texts).status, 0);
  });

  it('is ignored before it is parsed when its structure is beyond the bounds', () => {
    for (const text of HOSTILE) {
      assert.match(
        readYamlDocinfo(text.slice(0, MAX_BYTES)).problem ?? '',
        /^has more than (?:200 brackets and characters|1000 lines and commas)/,
        JSON.stringify(text.slice(0, 20)),
      );
    }
  });

  it('yields a docinfo or a problem, and never throws, whatever its structure', () => {
    fc.assert(
      fc.property(structuralText, (text) => {
        const { docinfo, problem } = readYamlDocinfo(text);
        assert.notEqual(docinfo === undefined, problem === undefined);
        assert.doesNotMatch(problem ?? '', /call stack|\n/);
      }),
    );
  });

  it('is not converted beyond known fields: keys of keys would take minutes', () => {
    assert.deepEqual(readYamlDocinfo(`name: Plain\nother:\n  ${'? '.repeat(190)}x`).docinfo, {
      name: 'Plain',
    });
  });
});

describe('A docinfo', () => {
  const padded = (text: string, length: number) => text.padEnd(length, ' ');

  it('is read up to 8 KiB, and ignored beyond', () => {
    assert.deepEqual(readYamlDocinfo(padded('name: Long', MAX_BYTES)), { docinfo: { name: 'Long' } });
    assert.deepEqual(readYamlDocinfo(padded('name: Long', MAX_BYTES + 1)), {
      problem: 'is larger than 8192 bytes',
    });
  });

  it('is read with 200 brackets and signs, and ignored with more', () => {
    const nested = (depth: number) => `name: Deep\nother: ${'['.repeat(depth)}${']'.repeat(depth)}`;
    assert.deepEqual(readYamlDocinfo(nested(99)).docinfo, { name: 'Deep' });
    assert.deepEqual(readYamlDocinfo(`${nested(99)}#:`), {
      problem: "has more than 200 brackets and characters ':', '-' and '?'",
    });
  });

  it('is read with 1,000 lines and commas, and ignored with more', () => {
    const lined = (lines: number) => `name: Many${'\n'.repeat(lines - 1)}#,`;
    assert.deepEqual(readYamlDocinfo(lined(1_000)), { docinfo: { name: 'Many' } });
    assert.deepEqual(readYamlDocinfo(lined(1_001)), { problem: 'has more than 1000 lines and commas' });
  });

  it('may give a field as an alias of a text, and of nothing else', () => {
    assert.deepEqual(readYamlDocinfo('other: &a My Project\nname: *a').docinfo, { name: 'My Project' });
    assert.match(readYamlDocinfo('other: &a [x]\nname: *a').problem ?? '', /'name' that is not text/);
    assert.match(readYamlDocinfo('name: *missing').problem ?? '', /./);
  });

  it('reports the line and column of a syntax error', () => {
    assert.match(readYamlDocinfo('name: a\nlogo: [x').problem ?? '', / at line 2, column \d+\)$/);
  });
});
