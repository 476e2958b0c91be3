import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { basic, type Headers } from '../../support/credentials.js';
import { ERAS, type Era, mcpClient } from '../../support/mcp-client.js';
import { AS, withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';

describe('The official client of the Model Context Protocol, with a token,', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start(withPrivate());
    for (const project of ['vault', 'shown']) await server.upload(`${project}-1.0-docs.zip`);
  });
  after(() => server.close());

  /** Asks for all projects. */
  async function projects(era: Era, headers: Headers): Promise<string> {
    const client = await mcpClient(server, era, headers);
    const found = await client.callTool({ name: 'find_project', arguments: {} });
    await client.close();
    return JSON.stringify(found.content);
  }

  for (const era of ERAS) {
    it(`finds a private project, by revision ${era}`, async () => {
      for (const headers of [AS.reader, AS.bearer, AS.basic]) {
        assert.match(await projects(era, headers), /vault/, JSON.stringify(headers));
      }
      for (const headers of [AS.nobody, AS.login, basic('secret-reader', '')]) {
        assert.doesNotMatch(await projects(era, headers), /vault/, JSON.stringify(headers));
      }
    });

    it(`is refused with a wrong token, by revision ${era}`, async () => {
      // The newer one does not show the body.
      const told = /The token is unknown|requires authorization \(HTTP 401\)/;
      await assert.rejects(projects(era, { Authorization: 'Bearer wrong' }), told);
    });
  }
});
