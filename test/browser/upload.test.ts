import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, describeInBrowser, VIEWS } from '../support/browser.js';
import { withPrivate } from '../support/private-projects.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

const zip = (name: string, bytes: Buffer = zipOf({ 'index.html': `<title>${name}</title>` })) => ({
  name,
  mimeType: 'application/zip',
  buffer: bytes,
});
/** Statuses of refusals that the page shows; the browser reports each on the console. */
const REFUSALS = [400, 401, 403, 404, 409, 413];

async function fill(directory: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
}

/** Returns traces that the page would leave behind, or show to other pages. */
const traces = (page: Page) =>
  page.evaluate(`(async () => ({
    local: localStorage.length,
    session: sessionStorage.length,
    cookies: document.cookie,
    databases: (await indexedDB.databases()).length,
    address: location.pathname + location.search + location.hash,
  }))()`);

describeInBrowser('The upload page', (browser) => {
  let server: TestServer;
  let folder: string;
  before(async () => {
    server = await TestServer.start({ limits: { maxUploadBytes: 8_000_000 } });
    await server.upload('there-1.0-docs.zip');
    folder = join(await mkdtemp(join(tmpdir(), 'lectern-folder-')), 'my-site-3.1.0');
    const files = { 'index.html': 'front', 'guide/a b.html': 'guide', '.DS_Store': 'x', '.git/config': 'x' };
    await fill(folder, files);
  });
  after(async () => {
    await server.close();
    await rm(dirname(folder), { recursive: true, force: true });
  });
  /** The path of a file of `bytes` zeros: large files reach the browser faster from disk than through its protocol. */
  const zerosOf = async (name: string, bytes: number) => {
    const path = join(dirname(folder), name);
    await writeFile(path, '');
    await truncate(path, bytes);
    return path;
  };
  const address = () => `${server.url}/-/upload`;
  const error = (page: Page, place: string) => page.locator(`#${place}-error`).innerText();
  const publish = async (page: Page, token = 'secret-admin') => {
    await page.fill('#token', token);
    await page.click('#send');
  };
  const published = async (page: Page) => {
    await page.locator('#published').waitFor();
    return page.locator('#message').innerText();
  };

  for (const [name, view] of VIEWS) {
    it(`publishes a zip by its file name, and links to it (${name})`, async () => {
      await browser.see(address(), view, async (page) => {
        await assertAccessible(page);
        await assertFits(page);
        const version = `1.${VIEWS.findIndex(([each]) => each === name)}.0`;
        await page.setInputFiles('#archive', zip(`my-project-${version}-docs.zip`));
        assert.equal(await page.inputValue('#project'), 'my-project');
        assert.equal(await page.inputValue('#version'), version);
        assert.equal(await page.evaluate('document.activeElement.id'), 'token');
        await publish(page);
        assert.match(await published(page), new RegExp(`^Published my-project ${version} at`));
        assert.equal(await page.evaluate('document.activeElement.id'), 'published-title');
        await assertAccessible(page);
        await assertFits(page);
        assert.deepEqual(await traces(page), {
          local: 0,
          session: 0,
          cookies: '',
          databases: 0,
          address: '/-/upload',
        });
        await page.click('#read');
        assert.equal(page.url(), `${server.url}/my-project-${version}/`);
        await page.goBack();
        assert.equal(await page.inputValue('#token').catch(() => ''), '');
      });
    });

    it(`shows each refusal at the field it concerns (${name})`, async () => {
      await browser.see(
        address(),
        view,
        async (page) => {
          await page.click('#send');
          assert.equal(await error(page, 'choice'), 'Choose a zip or a folder.');
          assert.equal(await error(page, 'project'), 'Name the project.');
          assert.equal(await page.evaluate('document.activeElement.id'), 'archive');
          await assertAccessible(page);
          await page.setInputFiles('#archive', zip('there-1.0-docs.zip'));
          await publish(page, 'wrong');
          await page.locator('#token-error:not(:empty)').waitFor();
          assert.match(await error(page, 'token'), /The token is unknown/);
          assert.equal(await page.getAttribute('#token', 'aria-invalid'), 'true');
          await publish(page, 'secret-ci');
          await page.locator('#version-error:not(:empty)').waitFor();
          assert.match(await error(page, 'version'), /there 1\.0 already exists/);
          assert.equal(await page.locator('#token-error').isVisible(), false);
          await page.fill('#project', 'other');
          await publish(page, 'secret-scoped');
          await page.locator('#token-error:not(:empty)').waitFor();
          assert.match(await error(page, 'token'), /may not change project 'other'/);
          await publish(page, 'secret-existing');
          await page.locator('#project-error:not(:empty)').waitFor();
          assert.match(await error(page, 'project'), /does not exist yet/);
          await page.fill('#project', 'not a name');
          await page.fill('#version', 'feature/login');
          await publish(page);
          assert.match(await error(page, 'project'), /^A project may not contain ' '; use not-a-name\.$/);
          assert.match(await error(page, 'version'), /^A version may not contain '\/'\.$/);
          await assertAccessible(page);
          await page.fill('#project', 'other');
          await page.fill('#version', '1.0');
          await page.click('#discard');
          await page.setInputFiles('#archive', zip('other-1.0-docs.zip', Buffer.from('this is no zip')));
          await publish(page);
          await page.locator('#choice-error:not(:empty)').waitFor();
          assert.match(await error(page, 'choice'), /^The archive was refused/);
          assert.equal(await page.inputValue('#token'), 'secret-admin');
          await assertAccessible(page);
          await assertFits(page);
        },
        REFUSALS,
      );
    });
  }

  for (const [name, view] of VIEWS) {
    it(`asks before it replaces a version, and keeps the version unless confirmed (${name})`, async () => {
      const project = `kept${view.width}`;
      await server.upload(`${project}-1.0-docs.zip`, { 'index.html': 'old' });
      const site = async () => (await server.get(`/${project}-1.0/`)).text();
      await browser.see(address(), view, async (page) => {
        await page.setInputFiles('#archive', zip(`${project}-1.0-docs.zip`, zipOf({ 'index.html': 'new' })));
        await publish(page);
        await page.getByText(`${project} 1.0 is published already. Replace it?`).waitFor();
        assert.equal(await page.evaluate('document.activeElement.id'), 'replace-no');
        await assertAccessible(page);
        await assertFits(page);
        await page.keyboard.press('Enter');
        assert.equal(await page.locator('#replace').isVisible(), false);
        assert.equal(await page.evaluate('document.activeElement.id'), 'version');
        assert.equal(await site(), 'old');
        await page.keyboard.press('Enter');
        await page.locator('#replace').waitFor();
        await page.fill('#version', '1.0');
        assert.equal(
          await page.locator('#replace').isVisible(),
          false,
          'another name needs another question',
        );
        await page.click('#send');
        await page.click('#replace-yes');
        assert.match(await published(page), /is replaced|replace/);
        assert.equal(await site(), 'new');
        await page.click('#project-page');
        assert.equal(page.url(), `${server.url}/-/projects/${project}`);
      });
    });
  }

  it('asks before it replaces a version of a private project', async (context) => {
    const hidden = await TestServer.start(withPrivate());
    context.after(() => hidden.close());
    await hidden.upload('vault-1.0-docs.zip');
    await browser.see(`${hidden.url}/-/upload`, {}, async (page) => {
      await page.setInputFiles('#archive', zip('vault-1.0-docs.zip'));
      await publish(page);
      await page.getByText('vault 1.0 is published already. Replace it?').waitFor();
    });
  });

  it('lists the warnings about a site, each with a remedy', () =>
    browser.see(address(), {}, async (page) => {
      const archive = zipOf({ 'index.html': '<h1>Hi</h1>', 'docinfo.yaml': 'naem: x' });
      await page.setInputFiles('#archive', zip('warned-1.0-docs.zip', archive));
      await publish(page);
      assert.equal(await published(page), 'Published warned 1.0 at /warned-1.0/ with 2 files.');
      assert.deepEqual(await page.locator('#warnings li').allInnerTexts(), [
        "docinfo.yaml has an unknown field: 'naem'. Did you mean 'name'?",
      ]);
      await assertAccessible(page);
      await page.click('#project-page');
      await page.getByText('1 warning', { exact: false }).click();
      await page.getByText("unknown field: 'naem'").waitFor();
      await assertAccessible(page);
    }));

  it('publishes a preview, replaces it without a question, and suggests a valid name for a bad one', () =>
    browser.see(address(), {}, async (page) => {
      for (const text of ['Published', 'replaced the existing preview']) {
        await page.goto(address());
        await page.setInputFiles('#archive', zip('my-project~pr-123-docs.zip'));
        assert.equal(await page.inputValue('#project'), 'my-project');
        assert.equal(await page.inputValue('#version'), '~pr-123');
        await page.fill('#version', '~feature/login');
        await publish(page);
        assert.match(
          await page.locator('#version-error').innerText(),
          /^After '~', .*; use feature-login\.$/,
        );
        await page.fill('#version', '~pr-123');
        await publish(page);
        const message = await published(page);
        assert.ok(message.startsWith('Published my-project~pr-123 at /my-project~pr-123/'), message);
        assert.ok(message.includes(text), message);
        // There may be no page of a project that has only previews.
        assert.equal(await page.locator('#project-page').isVisible(), false);
      }
      await page.click('#read');
      assert.equal(page.url(), `${server.url}/my-project~pr-123/`);
    }));

  it('offers the name of a folder as the project, except for output folders of builders', async () => {
    for (const [name, project] of [
      ['My Handbook', 'My-Handbook'],
      ['_build', ''],
    ] as const) {
      const site = join(dirname(folder), name);
      await fill(site, { 'index.html': '' });
      await browser.see(address(), {}, async (page) => {
        await page.setInputFiles('#folder', site);
        await page.locator('#chosen').waitFor();
        assert.equal(await page.inputValue('#project'), project);
        assert.equal(await page.inputValue('#version'), '');
      });
    }
  });

  it('explains two names that together mean something else than typed', async () => {
    await browser.see(address(), {}, async (page) => {
      await page.setInputFiles('#archive', zip('some.zip'));
      await page.fill('#project', 'a');
      await page.fill('#version', 'b-1.0');
      await publish(page);
      assert.match(await error(page, 'names'), /read back as version '1\.0' of 'a-b'; use b_1\.0\.$/);
    });
    assert.equal((await server.get('/a-b-1.0/')).status, 404);
    assert.equal((await server.get('/a-1.0/')).status, 404);
  });

  it('packs a chosen folder, without files foreign to a site', async () => {
    await browser.see(address(), {}, async (page) => {
      await page.setInputFiles('#folder', folder);
      assert.equal(await page.locator('#chosen-name').innerText(), 'my-site-3.1.0');
      assert.match(await page.locator('#chosen-facts').innerText(), /^2 files/);
      assert.equal(await page.inputValue('#project'), 'my-site');
      await publish(page);
      assert.match(await published(page), /with 2 files/);
    });
    assert.equal(await (await server.get('/my-site-3.1.0/guide/a%20b.html')).text(), 'guide');
  });

  it('publishes a folder byte for byte: empty and large files, names with umlauts and in other scripts', async () => {
    const files = {
      'index.html': '<h1>Hello</h1>',
      'empty.txt': '',
      'Straße/Übersicht.html': 'names in UTF-8',
      'a/b/c/日本語.html': 'deep',
      'a b #1 100%.html': 'signs that mean something in addresses',
      ['__proto__']: 'a name that objects have',
      'noise.bin': randomBytes(1_500_000),
      'zeros.bin': Buffer.alloc(20_000_000),
    };
    const large = join(dirname(folder), 'bytes-1.0');
    await fill(large, files);
    await browser.see(
      address(),
      {},
      async (page) => {
        await page.setInputFiles('#folder', large);
        await publish(page);
        assert.match(await published(page), new RegExp(`with ${Object.keys(files).length} files`));
      },
      REFUSALS,
    );
    for (const [path, content] of Object.entries(files)) {
      const answer = await server.get(`/bytes-1.0/${path.split('/').map(encodeURIComponent).join('/')}`);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(content), path);
    }
    const archive = await server.get('/bytes-1.0-docs.zip');
    assert.ok(
      Number(archive.headers.get('content-length')) < 2_000_000,
      'what can be compressed is compressed',
    );
    await archive.body?.cancel();
  });

  it('rejects a folder of more than 1 GiB, names the command that accepts it, and continues with another folder', async () => {
    const huge = join(dirname(folder), 'huge-1.0');
    await fill(huge, { 'index.html': '', 'video.mp4': '' });
    await truncate(join(huge, 'video.mp4'), 1024 ** 3);
    await browser.see(address(), {}, async (page) => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.method()));
      await page.setInputFiles('#folder', huge);
      await page.locator('#chosen').waitFor();
      await page.click('#discard');
      await truncate(join(huge, 'video.mp4'), 1024 ** 3 + 1);
      await page.setInputFiles('#folder', huge);
      await page.locator('#choice-error:not(:empty)').waitFor();
      assert.match(await error(page, 'choice'), /up to 1 GiB.*`lectern push`/);
      assert.equal(await page.locator('#chosen').isVisible(), false);
      await page.setInputFiles('#folder', folder);
      await page.locator('#chosen').waitFor();
      assert.equal(await error(page, 'choice'), '');
      assert.ok(!requests.includes('POST'));
    });
    assert.equal((await server.get('/huge-1.0/')).status, 404);
  });

  it('publishes once, even when the button is pressed again during the check', async () => {
    await browser.see(address(), {}, async (page) => {
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.method()));
      let answer = () => {};
      const isPressedAgain = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const question = '**/-/switcher/twice-1.0.json';
      await page.route(question, async (route) => {
        await isPressedAgain;
        await route.continue();
      });
      await page.setInputFiles('#archive', zip('twice-1.0-docs.zip'));
      const asked = page.waitForRequest(question);
      await publish(page);
      await asked;
      await page.evaluate("document.querySelector('#upload').requestSubmit()");
      answer();
      assert.match(await published(page), /^Published twice 1\.0 at/);
      assert.deepEqual(
        sent.filter((method) => method !== 'GET'),
        ['HEAD', 'POST'],
      );
      await page.unrouteAll();
    });
  });

  it("can be cancelled during the server's check, and publishes nothing", async () => {
    await browser.see(address(), {}, async (page) => {
      const question = '**/-/switcher/undone-1.0.json';
      await page.route(question, () => {});
      await page.setInputFiles('#archive', zip('undone-1.0-docs.zip'));
      const asked = page.waitForRequest(question);
      await publish(page);
      await asked;
      await page.click('#cancel');
      await page.locator('#failure:not(:empty)').waitFor();
      assert.equal(await page.locator('#failure').innerText(), 'Cancelled: nothing was published.');
      assert.equal(await page.locator('#send').isVisible(), true);
      await page.unrouteAll();
    });
    assert.equal((await server.get('/undone-1.0/')).status, 404);
  });

  it('shows the progress of packing, and can be cancelled meanwhile', async () => {
    const noise = join(dirname(folder), 'noise-1.0');
    await fill(noise, { 'index.html': randomBytes(64 * 1024 * 1024) });
    await browser.see(
      address(),
      { alone: true },
      async (page) => {
        await page.setInputFiles('#folder', noise);
        await publish(page);
        // Both are read at once: it packs on meanwhile.
        const texts = page.locator('#figures, #said');
        await until(async () =>
          /^Packing: [1-9]\d?%;Packing (?:0|25|50|75)%$/.test((await texts.allTextContents()).join(';')),
        );
        await page.click('#cancel');
        await page.locator('#failure:not(:empty)').waitFor();
        assert.equal(await page.locator('#failure').innerText(), 'Cancelled: nothing was published.');
        assert.equal(await page.locator('#progress').isVisible(), false);
      },
      REFUSALS,
    );
    assert.equal((await server.get('/noise-1.0/')).status, 404);
  });

  it('names a file of a folder that is no longer readable', async () => {
    const going = join(dirname(folder), 'going-1.0');
    await fill(going, { 'index.html': 'x', 'gone.html': 'x' });
    await browser.see(address(), {}, async (page) => {
      await page.setInputFiles('#folder', going);
      await rm(join(going, 'gone.html'));
      await publish(page);
      await page.locator('#choice-error:not(:empty)').waitFor();
      assert.match(await error(page, 'choice'), /^gone\.html cannot be read/);
    });
    assert.equal((await server.get('/going-1.0/')).status, 404);
  });

  it('accepts a folder dropped anywhere, and a zip', async () => {
    await browser.see(address(), { alone: true }, async (page) => {
      const devices = await page.context().newCDPSession(page);
      const drop = async (path: string) => {
        for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
          const data = { items: [], files: [path], dragOperationsMask: 1 };
          await devices.send('Input.dispatchDragEvent', { type, x: 1000, y: 600, data });
        }
        await page.locator('#chosen').waitFor();
      };
      const file = join(dirname(folder), 'dropped-4.0-docs.zip');
      await writeFile(file, zipOf({ 'index.html': 'x' }));
      await drop(file);
      assert.equal(await page.inputValue('#project'), 'dropped');
      await page.click('#discard');
      await drop(folder);
      assert.equal(await page.inputValue('#project'), 'my-site');
      await page.fill('#version', '3.2.0');
      await publish(page);
      assert.match(await published(page), /Published my-site 3\.2\.0 at .* with 2 files/);
    });
  });

  it('works by keyboard alone, and restarts with the fields that stay the same', async () => {
    await browser.see(address(), { alone: true }, async (page) => {
      // Listened to before a round trip to the page: the browser has to know before the key comes.
      const chooser = page.waitForEvent('filechooser');
      await page.focus('#archive');
      await page.keyboard.press('Enter');
      await (await chooser).setFiles(zip('keys-1.0-docs.zip'));
      await page.locator('#chosen').waitFor();
      await page.keyboard.type('secret-admin');
      await page.keyboard.press('Enter');
      assert.match(await published(page), /^Published keys 1\.0 at/);
      assert.equal(await page.locator('#address').innerText(), `${server.url}/keys-1.0/`);
      await page.keyboard.press('Tab');
      assert.equal(
        await page.evaluate(`document.activeElement.getAttribute('aria-label')`),
        'Copy: the address',
      );
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.id'), 'read');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.id'), 'project-page');
      await page.keyboard.press('Tab');
      assert.equal(await page.getAttribute(':focus', 'href'), '/-/manage/keys');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.id'), 'archive');
      assert.deepEqual(
        await Promise.all(['#project', '#version', '#token'].map((id) => page.inputValue(id))),
        ['keys', '', 'secret-admin'],
      );
    });
  });

  it('shows and announces its progress, can be cancelled, and then publishes nothing', async () => {
    await browser.see(address(), { alone: true }, async (page) => {
      const devices = await page.context().newCDPSession(page);
      // 25 seconds for all of it: on a busy machine what is looked at on the way takes some.
      const uploadThroughput = 80_000;
      const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
      await devices.send('Network.emulateNetworkConditions', slow);
      await page.setInputFiles('#archive', zip('slow-1.0-docs.zip', Buffer.alloc(2_000_000)));
      await publish(page);
      await until(async () => Number(await page.evaluate('document.querySelector("#bar").value')) > 0.1);
      assert.match(await page.locator('#figures').innerText(), /^Sending: .* of 1\.9 MiB$/);
      assert.match((await page.locator('#said').textContent()) ?? '', /^Sending (?:0|25|50)%$/);
      assert.equal(await page.evaluate('document.activeElement.id'), 'cancel');
      await assertAccessible(page);
      await page.keyboard.press('Enter');
      await page.locator('#failure:not(:empty)').waitFor();
      assert.equal(await page.locator('#failure').innerText(), 'Cancelled: nothing was published.');
      assert.equal(await page.evaluate('document.activeElement.id'), 'send');
    });
    assert.equal((await server.get('/slow-1.0/')).status, 404);
  });

  it('sends no large upload to a server that would refuse it', async () => {
    await browser.see(
      address(),
      {},
      async (page) => {
        const posted = page.waitForRequest((request) => request.method() === 'POST');
        await page.setInputFiles('#archive', await zerosOf('large-1.0-docs.zip', 7_000_000));
        await publish(page, 'wrong');
        await page.locator('#token-error:not(:empty)').waitFor();
        const { requestBodySize } = await (await posted).sizes();
        assert.ok(requestBodySize < 1_000, `${requestBodySize} bytes were sent`);
      },
      REFUSALS,
    );
  });

  it('shows the response of a server that refuses an archive still being sent', async () => {
    await browser.see(
      address(),
      {},
      async (page) => {
        await page.setInputFiles('#archive', await zerosOf('huge-1.0-docs.zip', 12_000_000));
        await publish(page);
        await page.locator('#choice-error:not(:empty)').waitFor();
        assert.match(await error(page, 'choice'), /8000000 bytes.*--max-upload-size/);
      },
      REFUSALS,
    );
  });

  it('shows that it needs scripts, with a command that needs none', async () => {
    await browser.see(address(), { width: 360, scripts: false }, async (page) => {
      assert.match(await page.locator('noscript .note').innerText(), /needs JavaScript/);
      assert.equal(await page.locator('#upload').isVisible(), false);
      assert.match(await page.locator('pre').innerText(), new RegExp(`${server.url}/api/upload`));
    });
  });
});
