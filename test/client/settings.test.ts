import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { LecternClient } from '../../src/adapters/cli/client/index.js';
import { readClientSettings } from '../../src/adapters/cli/options/client-settings.js';
import { type Answer, fakeServer, listing, published } from './fake-server.js';
import { lectern, workplace, writeTree } from './lectern.js';

const URL_IN_FILE = 'https://docs.example.org';

/** A home with a configuration file, private unless told otherwise. */
async function home(context: TestContext, config: object | string, mode = 0o600) {
  const directory = await workplace(context);
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  const file = join('lectern', 'config.json');
  await writeTree(directory, { [file]: text });
  await chmod(join(directory, file), mode);
  return { env: { XDG_CONFIG_HOME: directory }, file: join(directory, file) };
}

async function read(flags: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv) {
  const warnings: string[] = [];
  const settings = await readClientSettings(flags, env, (sentence) => warnings.push(sentence));
  return { ...settings, warnings };
}

describe('The settings of the client', () => {
  it('come from a flag, else the environment, else the configuration file', async (context) => {
    const { env, file } = await home(context, { url: URL_IN_FILE, token: 'from file' });
    const all = { ...env, LECTERN_URL: 'http://b', LECTERN_TOKEN: 'from env\n' };
    assert.deepEqual(await read({ url: 'http://c', token: 'from flag' }, all), {
      url: 'http://c',
      token: 'from flag',
      tokenSource: '--token',
      warnings: [],
    });
    assert.deepEqual(await read({}, all), {
      url: 'http://b',
      token: 'from env',
      tokenSource: 'LECTERN_TOKEN',
      warnings: [],
    });
    assert.deepEqual(await read({}, env), {
      url: URL_IN_FILE,
      token: 'from file',
      tokenSource: file,
      warnings: [],
    });
  });

  it('are read below ~/.config without XDG_CONFIG_HOME', async (context) => {
    const directory = await workplace(context);
    await writeTree(directory, { '.config/lectern/config.json': JSON.stringify({ url: URL_IN_FILE }) });
    assert.equal((await read({}, { HOME: directory })).url, URL_IN_FILE);
    assert.equal((await read({}, { HOME: directory, XDG_CONFIG_HOME: 'relative' })).url, URL_IN_FILE);
  });

  it("give the file's token to the file's server only", async (context) => {
    const { env } = await home(context, { url: `${URL_IN_FILE}/docs/`, token: 'secret' });
    assert.equal((await read({ url: `${URL_IN_FILE}/docs` }, env)).token, 'secret');
    for (const url of ['https://docs.example.com', 'http://docs.example.org/docs', `${URL_IN_FILE}/other`]) {
      assert.equal((await read({ url }, env)).token, undefined, url);
    }
    assert.equal((await read({}, { ...env, LECTERN_URL: 'https://elsewhere.example' })).token, undefined);
  });

  it('warn about a token that other users can read', async (context) => {
    const shared = await home(context, { url: URL_IN_FILE, token: 'secret' }, 0o644);
    const { warnings } = await read({}, shared.env);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /is readable by others; run chmod 600 /);
    const harmless = await home(context, { url: URL_IN_FILE }, 0o644);
    assert.deepEqual((await read({}, harmless.env)).warnings, []);
  });

  for (const [what, text, message] of [
    ['no JSON', '{"token": "s3cret"', /expected a JSON object/],
    ['a list', '[]', /expected a JSON object/],
    ['a misspelt field', '{"tokn": "s3cret"}', /unknown field 'tokn'/],
    ['a number for a token', '{"token": 5}', /token: expected a non-empty string/],
    ['an empty address', '{"url": ""}', /url: expected a non-empty string/],
  ] as const) {
    it(`refuse a configuration file with ${what}, and print none of its content`, async (context) => {
      const { env } = await home(context, text);
      await assert.rejects(read({ url: 'http://x' }, env), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /s3cret/);
        return error.name === 'StartError';
      });
    });
  }

  it('refuse a malformed address, and an address with a password', () => {
    for (const url of ['docs.example.org', 'ftp://x', 'https://x/?a=b']) {
      assert.throws(() => new LecternClient({ url }), /The server address must look like/);
    }
    for (const url of [
      'https://user:s3cret@x',
      'https://:s3cret@x',
      'https://user:s3cret@x:y',
      'https://u:1#s3cret@x',
    ]) {
      assert.throws(
        () => new LecternClient({ url }),
        ({ message }: Error) =>
          /credentials for a proxy in a header/.test(message) && !message.includes('s3cret'),
      );
    }
  });

  it('include headers for a proxy, which every request carries, uploads too', async (context) => {
    const seen: unknown[] = [];
    const noting =
      (answer: Answer): Answer =>
      (request, response) => {
        seen.push([request.method, request.headers.authorization, request.headers['x-pass']]);
        answer(request, response);
      };
    const server = await fakeServer([noting(listing()), noting(published)]);
    context.after(() => server.close());
    const site = await writeTree(await workplace(context), { 'index.html': 'x' });
    const headers = ['--header', 'Authorization: Basic dTpw', '--header', 'X-Pass: größe'];
    const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret', LECTERN_HEADERS: 'X-Other: unused' };
    const name = ['--project', 'a', '--version', '1.0'];
    assert.equal((await lectern(['projects', ...headers], { env })).code, 0);
    assert.equal((await lectern(['push', site, '--replace', ...name, ...headers], { env })).code, 0);
    const value = Buffer.from('größe').toString('latin1');
    assert.deepEqual(seen, [
      ['GET', 'Basic dTpw', value],
      ['POST', 'Basic dTpw', value],
      // Requests for the version before it, to tell what changed, and for dead links to it.
      ['GET', 'Basic dTpw', value],
      ['GET', 'Basic dTpw', value],
    ]);
  });

  it('include headers from the lines of a variable', async () => {
    const { headers } = await read({ url: 'http://x' }, { LECTERN_HEADERS: 'A: b\r\n\nX-Long:c: d \n' });
    assert.deepEqual(headers, { A: 'b', 'X-Long': 'c: d' });
    assert.equal((await read({ url: 'http://x' }, { LECTERN_HEADERS: '' })).headers, undefined);
  });

  for (const [what, given, message] of [
    ['no colon', 'Basic s3cret', /--header: expected a header such as/],
    ['no value', 'Authorization: ', /--header: expected a header such as/],
    ['two lines', 'A: s3cret\r\nX-Token: y', /--header: expected a header such as/],
    ['a name with a space', 'My Name: s3cret', /--header: expected a header such as/],
    ['the token', 'X-Token: s3cret', /--header: X-Token is set by lectern itself/],
    ['a length', 'Content-Length: 5', /--header: Content-Length is set by lectern itself/],
    ['one header twice', ['A: s3cret', 'a: y'], /--header: a is given more than once/],
  ] as const) {
    it(`refuse a header with ${what}, without printing it`, async () => {
      await assert.rejects(read({ url: 'http://x', header: given }, {}), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /s3cret/);
        return error.name === 'StartError';
      });
    });
  }

  it('keep the path that a server is below', async (context) => {
    const server = await fakeServer([listing()]);
    context.after(() => server.close());
    await new LecternClient({ url: `${server.url}/docs/` }).projects();
    assert.deepEqual(server.requests, ['GET /docs/api/projects']);
  });

  it('are requested when missing', async () => {
    const { code, notes } = await lectern(['projects']);
    assert.equal(code, 2);
    assert.match(notes, /no server given: add --url, set LECTERN_URL/);
    const push = await lectern([
      'push',
      '.',
      '--project',
      'a',
      '--version',
      '1',
      '--dry-run',
      '--url',
      'http://x',
    ]);
    assert.equal(push.code, 2);
    assert.match(push.notes, /A token is required: set LECTERN_TOKEN/);
  });
});
