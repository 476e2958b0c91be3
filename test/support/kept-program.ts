/**
 * The built program, which runs one command line after the other in this process: its modules are loaded once. Each message
 * is a `KeptCall`, and is answered by a `KeptRun`.
 */
import { pathToFileURL } from 'node:url';
import { MAIN } from './root.js';

export interface KeptCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface KeptRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

process.once('disconnect', () => process.exit());
let calls = 0;

process.on('message', async ({ args, cwd, env }: KeptCall) => {
  calls += 1;
  for (const name of Object.keys(process.env)) delete process.env[name];
  // A variable that is set to undefined would be the text.
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
  process.chdir(cwd);
  process.argv = [process.execPath, MAIN, ...args];
  process.exitCode = undefined;
  // Each run listens as if it were the only one.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  const stdout = written(process.stdout);
  const stderr = written(process.stderr);
  // Another address makes the module run anew; those that it imports stay as they are.
  await import(`${pathToFileURL(MAIN)}?${calls}`).catch((error: Error) => {
    process.exitCode = 1;
    process.stderr.write(`${error.stack}\n`);
  });
  const run: KeptRun = { code: Number(process.exitCode ?? 0), stdout: stdout(), stderr: stderr() };
  process.send?.(run);
});

/** Takes what is written to a stream from now on. */
function written(stream: NodeJS.WriteStream): () => string {
  const chunks: Buffer[] = [];
  stream.write = ((chunk: string | Uint8Array) => {
    chunks.push(Buffer.from(chunk as string));
    return true;
  }) as typeof stream.write;
  return () => Buffer.concat(chunks).toString();
}
