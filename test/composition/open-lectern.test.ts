import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MemoryDocStore, MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import type { Lectern, LecternOptions } from '../../src/composition/embedding/lectern.js';
import { openLectern } from '../../src/composition/embedding/open-lectern.js';
import { tokenActor } from '../../src/domain/index.js';
import { FAKE_CREDENTIALS, startFakeS3 } from '../support/fake-s3.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

const ACTOR = tokenActor('script');
const ARCHIVE = zipOf({ 'index.html': '<!doctype html><title>Guide</title><p>How to fold a crane' });

async function publish(lectern: Lectern, fileName: string) {
  return lectern.uploadVersion.execute({ actor: ACTOR, fileName, content: Readable.from([ARCHIVE]) });
}

const versionsIn = (lectern: Lectern) =>
  lectern.seenBy().projects.flatMap(({ versions }) => versions.map(({ directoryName }) => directoryName));

async function uploadTo(address: string, secret: string, fileName: string): Promise<number> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(ARCHIVE)]), fileName);
  const answer = await fetch(`${address}/api/upload`, {
    method: 'POST',
    headers: { 'X-Token': secret },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe('openLectern', () => {
  let place: string;
  let temporary: string;
  const { TMPDIR } = process.env;
  const opened: Lectern[] = [];
  const open = async (options: LecternOptions) => {
    const lectern = await openLectern(options);
    opened.push(lectern);
    return lectern;
  };
  // Without those of tsx, where it runs the tests.
  const temporaryFiles = async () => (await readdir(temporary)).filter((name) => name.startsWith('lectern'));
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    temporary = join(place, 'tmp');
    await mkdir(temporary);
    process.env.TMPDIR = temporary;
  });
  afterEach(async () => {
    for (const lectern of opened.splice(0)) await lectern.close();
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await rm(place, { recursive: true });
  });

  it("opens one docs directory twice: each shows the other's publications and later changes", async () => {
    const docs = join(place, 'docs');
    const [one, two] = [await open({ docs }), await open({ docs })];
    await publish(one, 'a-1.0-docs.zip');
    await until(() => versionsIn(two).length === 1);
    await publish(two, 'a-1.1-docs.zip');
    await until(() => versionsIn(one).length === 2);
    await assert.rejects(publish(one, 'a-1.1-docs.zip'), { code: 'version_exists' });
    await one.close();
    assert.deepEqual(versionsIn(await open({ docs })), ['a-1.0', 'a-1.1']);
  });

  it('serves from memory, with custom tokens, and leaves no files', async () => {
    const lectern = await open({ memory: true, tokens: { ci: { token: 'secret', projects: ['a'] } } });
    const address = await lectern.listen(0);
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(await uploadTo(address, 'secret', 'a-1.0-docs.zip'), 201);
    assert.equal(await uploadTo(address, 'secret', 'b-1.0-docs.zip'), 403);
    assert.equal(await uploadTo(address, 'another', 'a-1.1-docs.zip'), 401);
    assert.deepEqual(versionsIn(lectern), ['a-1.0']);
    assert.match(await (await fetch(`${address}/a-1.0/`)).text(), /How to fold a crane/);
    await until(async () => {
      const found = await (await fetch(`${address}/api/search?q=crane`)).json();
      return (found as { results: readonly unknown[] }).results.length === 1;
    });
    await lectern.close();
    await assert.rejects(fetch(address));
    assert.deepEqual(await temporaryFiles(), []);
  });

  it('searches without a server, once the requested index is built', async () => {
    const lectern = await open({ docs: join(place, 'docs') });
    await publish(lectern, 'a-1.0-docs.zip');
    await until(async () => {
      const found = await lectern.searchPages?.find(() => lectern.seenBy(), { query: 'crane', limit: 5 });
      return found?.hits.length === 1;
    });
  });

  it('changes nothing over HTTP without tokens', async () => {
    const lectern = await open({ memory: true });
    const address = await lectern.listen(0);
    assert.equal(await uploadTo(address, 'secret', 'a-1.0-docs.zip'), 401);
    assert.deepEqual(versionsIn(lectern), []);
    await publish(lectern, 'a-1.0-docs.zip');
    assert.equal((await fetch(`${address}/a-1.0/`)).status, 200);
  });

  it('opens a custom store and registry, and closes the store', async () => {
    let closed = 0;
    class OwnStore extends MemoryDocStore {
      override async close(): Promise<void> {
        closed += 1;
        await super.close();
      }
    }
    const store = new OwnStore();
    const tokens = new MemoryTokenRegistry([{ name: 'ci', secret: 'secret' }]);
    const lectern = await open({ store, tokens });
    const address = await lectern.listen(0);
    assert.equal(await uploadTo(address, 'secret', 'a-1.0-docs.zip'), 201);
    assert.deepEqual(
      store.catalogue().projects.map(({ directoryName }) => directoryName),
      ['a'],
    );
    await lectern.close();
    await lectern.close();
    assert.equal(closed, 1);
  });

  it('opens an object store, proves it, and finds its versions again', async (context) => {
    const fake = await startFakeS3();
    context.after(() => fake.close());
    process.env.AWS_ACCESS_KEY_ID = FAKE_CREDENTIALS.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = FAKE_CREDENTIALS.secretAccessKey;
    const cacheDir = join(place, 'cache');
    const options = { store: 's3://bucket/docs', storeEndpoint: fake.endpoint, storeRegion: 'x', cacheDir };
    const first = await open(options);
    await publish(first, 'a-1.0-docs.zip');
    await first.close();
    const second = await open(options);
    assert.deepEqual(versionsIn(second), ['a-1.0']);
    const address = await second.listen(0);
    assert.match(await (await fetch(`${address}/a-1.0/`)).text(), /How to fold a crane/);
  });

  it('refuses an object store that several servers cannot share, and names the option that allows it', async (context) => {
    const fake = await startFakeS3('lying');
    context.after(() => fake.close());
    const options = { store: 's3://bucket', storeEndpoint: fake.endpoint, storeRegion: 'x' };
    await assert.rejects(open({ ...options, cacheDir: join(place, 'cache') }), {
      name: 'OpenError',
      message: /To use it anyway, add singleWriter/,
    });
  });

  it('refuses to listen twice, on a taken port, and when closed, and then listens on another port', async () => {
    const [one, two] = [await open({ memory: true }), await open({ memory: true })];
    const port = Number(new URL(await one.listen(0)).port);
    await assert.rejects(one.listen(0), { name: 'OpenError', message: 'this Lectern is already listening' });
    await assert.rejects(two.listen(port), {
      name: 'OpenError',
      message: `cannot listen on 127.0.0.1 port ${port}: address already in use`,
    });
    const [address] = await Promise.all([
      two.listen(0),
      assert.rejects(two.listen(0), { message: 'this Lectern is already listening' }),
    ]);
    assert.equal((await fetch(`${address}/-/ready`)).status, 200);
    await two.close();
    await assert.rejects(two.listen(0), { message: 'this Lectern is closed: open it again' });
  });

  it('closes servers that are about to listen', async () => {
    const lectern = await open({ memory: true });
    const listening = lectern.listen(0);
    await lectern.close();
    await assert.rejects(fetch(await listening));
  });

  it('refuses invalid options with a sentence, and leaves nothing behind', async () => {
    await writeFile(join(place, 'file'), '');
    await writeFile(join(place, 'tokens.json'), '{"tokens": {"ci": {"tokn": "x"}}}');
    const docs = join(place, 'docs');
    const tokens = { ci: { token: 'secret' } };
    const cases: readonly (readonly [unknown, string])[] = [
      [undefined, "expected options, such as { docs: 'docs' }"],
      [{}, 'give exactly one of docs, store and memory: none of them is given'],
      [{ docs: undefined }, 'give exactly one of docs, store and memory: none of them is given'],
      [{ docs, memory: true }, 'give exactly one of docs, store and memory: 2 of them are given'],
      [{ docs: null }, 'docs: expected a path'],
      [{ docs: join(place, 'file') }, `the docs directory ${join(place, 'file')}: not a directory`],
      [{ docs: join(docs, 'a') }, `the docs directory ${join(docs, 'a')}: no such file or directory`],
      [{ store: {} }, 'store: expected an address such as s3://bucket/prefix, or a DocStore'],
      [
        { store: 'bucket' },
        "the store must be s3://<bucket> or s3://<bucket>/<prefix>: it does not begin with 's3://'",
      ],
      [{ docs, storeRegion: 'x' }, 'storeRegion works only with store'],
      [
        { docs, maxUploadSize: 'much' },
        "maxUploadSize: expected a size such as 1000000, 100MiB or 2GiB, not 'much'",
      ],
      [{ docs, search: 'some' }, 'search: expected one of latest, all, off'],
      [
        { docs, tokens: join(place, 'no.json') },
        `the tokens file ${join(place, 'no.json')}: no such file or directory`,
      ],
      [
        { docs, tokens: join(place, 'tokens.json') },
        `the tokens file ${join(place, 'tokens.json')}: tokens.ci: expected 'token' or 'sha256'; tokens.ci.tokn: unknown field`,
      ],
      // Without `projects`, it could change every project.
      [{ docs, tokens: { ci: { token: 'secret', project: ['a'] } } }, 'tokens.ci.project: unknown field'],
      [{ memory: true, tokens: null }, /^tokens: expected the path of a tokens file, or entries as in one/],
      [
        { memory: true, tokens: [{ name: 'ci' }] },
        /^tokens: expected the path of a tokens file, or entries as in one/,
      ],
      [{ memory: true, tokens, reloadTokens: true }, 'reloadTokens needs tokens'],
      [{ docs, token: 'x' }, /^unknown option 'token'; expected docs, store, memory, tokens,/],
    ].map(([options, message]) => [options, message as string]);
    for (const [options, message] of cases) {
      await assert.rejects(open(options as LecternOptions), { name: 'OpenError', message }, String(message));
    }
    assert.deepEqual((await readdir(place)).sort(), ['file', 'tmp', 'tokens.json']);
    assert.deepEqual(await temporaryFiles(), []);
  });
});
