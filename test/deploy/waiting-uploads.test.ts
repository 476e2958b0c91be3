import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PartialUpload } from '../support/partial-upload.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import type { WebServer } from '../support/web-server.js';
import { WEB_SERVERS } from '../support/web-servers.js';

for (const { name, needs, start } of WEB_SERVERS) {
  describe(`Uploads that wait for a place behind ${name}`, needs, () => {
    let lectern: TestServer;
    let front: WebServer;
    let server: TestServer;
    before(async () => {
      lectern = await TestServer.start({ trustProxy: true });
      front = await start(lectern);
      server = lectern.reachedAt(front.url);
    });
    after(async () => {
      await front.close();
      await lectern.close(0);
    });

    it('are published, fifty at once beside one that has stopped half-way', async () => {
      const stuck = new PartialUpload(lectern, 'ci').send(`${PartialUpload.partHead('stuck-1.0')}PK`);
      await until(() => lectern.uploadsRunning === 1);
      const names = Array.from({ length: 50 }, (_, number) => `job-${number}.0-docs.zip`);
      const answers = await Promise.all(names.map((each) => server.upload(each, undefined, 'ci')));
      assert.deepEqual(
        answers.map(({ status }) => status),
        names.map(() => 201),
      );
      stuck.close();
    });
  });
}
