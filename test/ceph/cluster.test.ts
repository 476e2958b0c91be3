import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { needsCeph, sharedCeph, startCeph } from '../support/ceph/ceph.js';
import { ROOT } from '../support/root.js';
import { until } from '../support/until.js';

describe('The Ceph cluster of the tests', needsCeph, () => {
  it('is started once for all concurrent callers, with both gateways reachable', async () => {
    const [one, other] = await Promise.all([sharedCeph(), sharedCeph()]);
    assert.deepEqual(one, other);
    for (const endpoint of one.endpoints) assert.ok((await fetch(endpoint)).ok);
  });

  it('lets its daemons be killed, paused and started again', async (t) => {
    const ceph = await startCeph();
    t.after(ceph.stop);
    const answers = (endpoint: string) =>
      fetch(endpoint, { signal: AbortSignal.timeout(1_000) }).then(
        () => true,
        () => false,
      );
    await ceph.kill('rgw.1');
    await until(async () => !(await answers(ceph.endpoints[0])));
    await ceph.pause('rgw.2');
    assert.equal(await answers(ceph.endpoints[1]), false);
    await ceph.resume('rgw.2');
    await until(() => answers(ceph.endpoints[1]));
    await ceph.start('rgw.1');
    await until(() => answers(ceph.endpoints[0]));
  });

  it('ends with the process that started it, even a killed one', async () => {
    const program = `
      import { startCeph } from '${import.meta.resolve('../support/ceph/ceph.js')}';
      console.log(JSON.stringify(await startCeph()));
      setInterval(() => {}, 1_000);`;
    // Node loads TypeScript there the way this process does.
    const child = spawn(process.execPath, [...process.execArgv, '--input-type=module', '--eval', program], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    const [line] = await once(child.stdout, 'data');
    const port = new URL(JSON.parse(String(line)).endpoints[0]).port;
    const daemons = async () => (await commandLines()).filter((each) => each.includes(`:${port} `));
    assert.equal((await daemons()).length, 1);
    child.kill('SIGKILL');
    await until(async () => (await daemons()).length === 0);
  });
});

/** Command lines of all processes, their words ended by spaces. */
async function commandLines(): Promise<readonly string[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    processes.map((pid) =>
      readFile(`/proc/${pid}/cmdline`, 'utf8').then(
        (line) => line.replaceAll('\0', ' '),
        () => '',
      ),
    ),
  );
}
