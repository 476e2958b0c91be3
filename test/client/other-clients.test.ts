import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { TestServer } from '../support/server.js';
import { zipOf } from '../support/zip-writer.js';
import { workplace, writeTree } from './lectern.js';

const run = promisify(execFile);

/**
 * A client of the same interface that needs nothing but Python's own library, as cal-docs-client does: urllib,
 * which announces `Connection: close` and `Accept-Encoding: identity`, and a form put together by hand.
 */
const CLIENT = `
import json, os, sys, urllib.error, urllib.parse, urllib.request, uuid
server, token = os.environ["CAL_DOCS_SERVER"].rstrip("/"), os.environ.get("CAL_DOCS_TOKEN")

def call(path, method="GET", data=None, headers={}):
    request = urllib.request.Request(server + path, data=data, method=method, headers=dict(headers))
    request.add_header("User-Agent", "cal-docs-client")
    if token:
        request.add_header("X-Token", token)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, dict(response.headers), response.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read()

command, *rest = sys.argv[1:]
if command == "upload":
    boundary = "----" + uuid.uuid4().hex
    content = open(rest[0], "rb").read()
    body = (
        f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="{os.path.basename(rest[0])}"\\r\\n'
        "Content-Type: application/zip\\r\\n\\r\\n"
    ).encode() + content + f"\\r\\n--{boundary}--\\r\\n".encode()
    status, headers, answer = call("/api/upload", "POST", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
elif command == "download":
    status, headers, answer = call(f"/api/download/{rest[0]}/{rest[1]}")
    if status == 200:
        open(rest[2], "wb").write(answer)
        answer = json.dumps({"name": headers["Content-Disposition"].split("filename=")[1].strip('"')}).encode()
elif command == "delete":
    status, headers, answer = call(f"/api/delete/{rest[0]}/{rest[1]}", "DELETE")
elif command == "projects":
    status, headers, answer = call("/api/projects" + ("?" + urllib.parse.urlencode({"search": rest[0]}) if rest else ""))
else:
    status, headers, answer = call("/api/" + command)
print(json.dumps({"status": status, "body": answer.decode()}))
`;

describe('A client written from the interface, in plain Python', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  async function client(args: readonly string[], token?: string) {
    const env = {
      PATH: process.env.PATH,
      CAL_DOCS_SERVER: server.url,
      ...(token === undefined ? {} : { CAL_DOCS_TOKEN: token }),
    };
    const { stdout } = await run('python3', ['-c', CLIENT, ...args], { env });
    const { status, body } = JSON.parse(stdout) as { status: number; body: string };
    return { status, text: body, json: () => JSON.parse(body) };
  }

  it('uploads, lists, searches, downloads and deletes', async (context) => {
    const place = await workplace(context);
    const archive = zipOf({ 'index.html': 'hello', 'docinfo.json': '{"title": "My Project"}' });
    await writeTree(place, { 'my-project-1.0.0b7-docs.zip': archive });
    const uploaded = await client(['upload', join(place, 'my-project-1.0.0b7-docs.zip')], 'secret-admin');
    assert.equal(uploaded.status, 201);
    const { message, ...result } = uploaded.json();
    assert.equal(typeof message, 'string');
    assert.deepEqual(result, {
      success: true,
      project: 'my-project',
      version: '1.0.0b7',
      directory: 'my-project-1.0.0b7',
      url: '/my-project-1.0.0b7/',
      files_extracted: 2,
      warnings: [],
    });
    assert.equal((await client(['projects'])).json().count, 1);
    assert.equal((await client(['projects', 'my proj'])).json().projects[0].name, 'My Project');
    assert.equal((await client(['projects', 'other'])).json().count, 0);
    const target = join(place, 'back.zip');
    const downloaded = await client(['download', 'my-project', 'latest', target]);
    assert.deepEqual(downloaded.json(), { name: 'my-project-1.0.0b7-docs.zip' });
    assert.deepEqual(await readFile(target), archive);
    assert.equal((await client(['delete', 'my-project', '1.0.0b7'], 'secret-admin')).json().success, true);
    assert.equal((await client(['projects'])).json().count, 0);
  });

  it('reads the version, and the help as text', async () => {
    assert.deepEqual((await client(['version'])).json(), { product: 'lectern', version: 'DEV' });
    assert.match((await client(['help'])).text, /\/api\/upload/);
    assert.doesNotMatch((await client(['help'])).text, /<html/);
    assert.equal((await client(['spec'])).json().openapi, '3.0.3');
  });

  it('gets the reason for a refusal', async (context) => {
    const file = join(await workplace(context), 'a-1.0-docs.zip');
    await writeTree(join(file, '..'), { 'a-1.0-docs.zip': zipOf({ 'index.html': 'x' }) });
    for (const [token, status, error] of [
      [undefined, 401, 'authentication_required'],
      ['nope', 401, 'authentication_required'],
      ['secret-existing', 403, 'project_not_existing'],
    ] as const) {
      const refused = await client(['upload', file], token);
      assert.deepEqual([refused.status, refused.json().error], [status, error]);
    }
    assert.equal((await client(['projects'])).json().count, 0);
  });
});
