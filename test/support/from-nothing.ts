/** The README's ways from nothing to a published site, as a newcomer types them. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { document, fencesOf } from '../docs/markdown.js';
import { SpawnedServer } from './spawned-server.js';

/** Where commands are typed, and with which variables. */
export interface Shell {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a step under its name: to time it, or just so. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export const untimed: Step = (_, work) => work();

export async function paste(command: string | undefined, { cwd, env }: Shell): Promise<string> {
  return (await promisify(execFile)('bash', ['-c', command ?? assert.fail('no command')], { cwd, env }))
    .stdout;
}

/** Types commands that end with a server, on a free port, since 8080 may be someone else's; ends it with all that it has started. */
export async function whileServing(
  commands: string,
  { cwd, env }: Shell,
  work: (server: SpawnedServer, address: string) => Promise<void>,
): Promise<void> {
  const child = spawn('bash', ['-ec', commands], {
    cwd,
    env: { ...env, LECTERN_PORT: '0' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = new SpawnedServer(child);
  try {
    await work(server, await server.address());
  } finally {
    if (child.exitCode === null) process.kill(-server.pid, 'SIGTERM');
    await server.ended;
  }
}

/** The README's block of commands that has a text. */
async function blockWith(text: string): Promise<string> {
  const fences = fencesOf(await document('README.md'));
  return fences.find(({ code }) => code.includes(text))?.code ?? assert.fail(text);
}

/** In a clone: the README's command, and the `push` that it prints. */
export async function fromClone(shell: Shell, step: Step): Promise<void> {
  const commands = await blockWith('npm ci && npm start');
  await whileStepping(step, commands, shell, async (server, address) => {
    const [, push] = await server.says(/^ {2}(LECTERN_URL=.* push .*)\n/m);
    assert.equal(await step('push', () => paste(push, shell)), `${address}/hello-1.0.0/\n`);
  });
}

/** In an empty directory, by npx: the README's commands, and the one that `init` prints. */
export async function byNpx(shell: Shell, step: Step): Promise<void> {
  const commands = await blockWith('npx lectern@');
  await whileStepping(step, commands, shell, async (server, address) => {
    const [, upload] = await server.says(/^Try it: +(curl .*)\n/m);
    const command = upload?.replace('http://127.0.0.1:8080', address);
    assert.equal(JSON.parse(await step('upload', () => paste(command, shell))).url, '/hello-1.0.0/');
  });
}

/** Serves, publishes, and reads the published page. */
async function whileStepping(
  step: Step,
  commands: string,
  shell: Shell,
  publish: (server: SpawnedServer, address: string) => Promise<void>,
): Promise<void> {
  let served = () => {};
  const serving = step(
    commands.replaceAll(/ +#.*/g, '').trim().replaceAll('\n', '; '),
    () => new Promise<void>((resolve) => (served = resolve)),
  );
  await whileServing(commands, shell, async (server, address) => {
    served();
    await serving;
    await publish(server, address);
    await step('read', async () => {
      assert.match(await (await fetch(`${address}/hello-1.0.0/`)).text(), /<h1>Hello<\/h1>/);
    });
  });
}
