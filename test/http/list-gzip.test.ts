import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it } from 'node:test';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { ListText } from '../../src/adapters/http/list-text.js';
import { PublicAddress } from '../../src/adapters/http/public-address.js';
import { Catalogue } from '../../src/domain/index.js';
import { makeVersion } from '../domain/make-version.js';

/** Bytes that were compressed, each time. */
const compressed: number[] = [];
const { deflateRaw } = zlib;
zlib.deflateRaw = ((bytes: Buffer, ...rest: never[]) => {
  compressed.push(bytes.length);
  return (deflateRaw as (...all: unknown[]) => void)(bytes, ...rest);
}) as typeof deflateRaw;
syncBuiltinESMExports();
const { ListGzip } = await import('../../src/adapters/http/list-gzip.js');

const change = fc.record({
  isGone: fc.boolean(),
  project: fc.integer({ min: 0, max: 30 }).map((number) => `project-${number}`),
  label: fc.constantFrom('1.0', '2.0', 'main'),
  name: fc.string({ unit: 'binary' }),
});

function library(projects: number): Catalogue {
  let catalogue = Catalogue.empty;
  for (let number = 0; number < projects; number += 1) {
    const docinfo = { name: `Project ${number}`, description: 'What it is for, in a sentence' };
    catalogue = catalogue.with(makeVersion(`project-${number}`, '1.0', { docinfo }));
  }
  return catalogue;
}

describe('The list as gzip', () => {
  it('is the list again when it is unpacked, after any changes, in runs of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 40 }),
        fc.integer({ min: 1, max: 3_000 }),
        async (changes, least) => {
          const text = new ListText(new PublicAddress());
          const gzip = new ListGzip(text, least);
          let catalogue = Catalogue.empty;
          for (const { isGone, project, label, name } of changes) {
            const version = makeVersion(project, label, { docinfo: { name } });
            catalogue = isGone ? catalogue.without(version) : catalogue.with(version);
            const whole = text.ofAll(catalogue.projects);
            assert.deepEqual(zlib.gunzipSync(await gzip.of(catalogue.projects, whole)), whole);
          }
        },
      ),
    );
  });

  it('is compressed again only near a change, wherever that is', async () => {
    const least = 4_000;
    const text = new ListText(new PublicAddress());
    const gzip = new ListGzip(text, least);
    let catalogue = library(500);
    const whole = text.ofAll(catalogue.projects);
    await gzip.of(catalogue.projects, whole);
    assert.ok(compressed.reduce((sum, bytes) => sum + bytes) > whole.length * 0.99);
    let most = 0;
    for (let number = 0; number < 500; number += 7) {
      compressed.length = 0;
      const version = makeVersion(`project-${number}`, number % 2 === 0 ? '1.0' : '2.0');
      catalogue = number % 2 === 0 ? catalogue.without(version) : catalogue.with(version);
      await gzip.of(catalogue.projects, text.ofAll(catalogue.projects));
      most = Math.max(most, compressed.length);
    }
    assert.ok(most <= 6, `${most} runs`);
  });

  it('is not compressed again as long as nothing changes', async () => {
    const text = new ListText(new PublicAddress());
    const gzip = new ListGzip(text);
    const { projects } = library(10);
    const whole = text.ofAll(projects);
    await gzip.of(projects, whole);
    compressed.length = 0;
    await gzip.of(projects, whole);
    assert.deepEqual(compressed, []);
  });
});
