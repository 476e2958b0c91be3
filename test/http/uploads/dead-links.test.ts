import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ZipArchives } from '../../../src/adapters/zip/index.js';
import { CheckLinks, type LinkedSite } from '../../../src/application/index.js';
import { checkLinkFile } from '../../../src/node/links/check-link-file.js';
import { openNode } from '../../object-store/support.js';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';

const TEXT = `<h1>Title</h1><p>${'word '.repeat(20)}</p>`;
const siteOf = (...links: string[]) => ({
  'index.html': links.map((link) => `<a href="${link}">`).join('') + TEXT,
});

describe('Dead links of an upload', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const answerOf = async (...upload: Parameters<TestServer['upload']>): Promise<Json> => {
    const response = await server.upload(...upload);
    return { status: response.status, ...((await response.json()) as Json) };
  };

  it('are counted in the answer, with the first five that the release before does not have', async () => {
    const first = await answerOf('count-1.0-docs.zip', siteOf('a', 'b'));
    assert.deepEqual(first.links, {
      dead: 2,
      new: 2,
      first: [
        { page: 'index.html', link: 'a' },
        { page: 'index.html', link: 'b' },
      ],
    });
    const second = await answerOf('count-2.0-docs.zip', siteOf('a?changed', ...'bcdefghi'));
    assert.deepEqual([second.links.dead, second.links.new], [9, 7]);
    assert.deepEqual(
      second.links.first.map(({ link }: Json) => link),
      ['c', 'd', 'e', 'f', 'g'],
    );
  });

  it('are refused with strict links when new, before anything is public', async () => {
    await answerOf('strict-1.0-docs.zip', siteOf('old'));
    const kept = await tree(server.docs);
    const strict: [string, string][] = [['strict_links', 'true']];
    for (const name of ['strict-1.1', 'strict~pr-1', 'new-1.0']) {
      const answer = await answerOf(
        `${name}-docs.zip`,
        siteOf('old', 'x', 'y', 'z', '#w'),
        undefined,
        strict,
      );
      assert.deepEqual([answer.status, answer.error], [422, 'dead_links']);
      assert.match(
        answer.message,
        /was not published, since it has [45] dead links that the previous release does not have: 'index\.html: \w+', .*; nothing was changed$/,
      );
    }
    const wrong = await answerOf('strict-1.1-docs.zip', siteOf('x'), undefined, [['strict_links', 'yes']]);
    assert.deepEqual([wrong.status, wrong.message], [400, "Give 'strict_links' once, as 'true' or 'false'"]);
    assert.deepEqual(await tree(server.docs), kept);
    assert.equal((await answerOf('strict-1.1-docs.zip', siteOf('old'), undefined, strict)).status, 201);
    assert.equal(
      (await answerOf('strict-1.2-docs.zip', siteOf('x'), undefined, [['strict_links', '']])).status,
      201,
    );
  });

  it('are stored with a version in an object store, where its archive is only indexed', async (context) => {
    const archives = new ZipArchives();
    const ends: (() => Promise<void>)[] = [() => archives.close()];
    const { store } = await openNode({ after: (end) => void ends.unshift(end) }, new Map(), { archives });
    const other = await TestServer.start({ objects: store });
    context.after(async () => {
      await other.close();
      for (const end of ends) await end();
    });
    const response = await other.upload('a-1.0-docs.zip', siteOf('x'));
    assert.equal(((await response.json()) as Json).links.dead, 1);
    const version = store.catalogue().project('a')?.version('1.0') ?? assert.fail();
    const unread = {
      read: async () => assert.fail('the links were read again'),
      check: async (site: LinkedSite) => checkLinkFile(site),
    };
    assert.equal((await new CheckLinks(store, unread).of(version))?.dead, 1);
  });

  it('are not checked when the check is off', async () => {
    const other = await TestServer.start({ linkCheck: false });
    try {
      const response = await other.upload('a-1.0-docs.zip', siteOf('x'), undefined, [
        ['strict_links', 'true'],
      ]);
      assert.equal(response.status, 201);
      assert.equal('links' in ((await response.json()) as Json), false);
    } finally {
      await other.close();
    }
  });
});
