import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { KeptCall, KeptRun } from './kept-program.js';
import { programBeside } from './program-beside.js';

interface Kept {
  readonly program: ChildProcess;
  /** Rejects when it ends. */
  readonly ended: Promise<never>;
}

let kept: Kept | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Commands that have been run in a process of their own, by this file or by those that share its process. */
const tried = new Set<string>();

/**
 * Runs a command line of the built program: each command once in a process of its own, as its users do, and from then on in one
 * that all share, since most of what a command takes is the loading of its modules. Not for what depends on the
 * process itself: its signals, its stdin, its end.
 * @param apart runs it in a process of its own
 */
export function runKept<Run>(call: KeptCall, apart: () => Promise<Run>): Promise<Run | KeptRun> {
  const [command = ''] = call.args;
  if (!tried.has(command)) {
    tried.add(command);
    return apart();
  }
  const running = last.then(() => answerTo(call));
  last = running.catch(() => {});
  return running;
}

async function answerTo(call: KeptCall): Promise<KeptRun> {
  kept ??= start();
  const { program, ended } = kept;
  program.channel?.ref();
  program.send(call);
  try {
    const [run] = (await Promise.race([once(program, 'message'), ended])) as [KeptRun];
    return run;
  } finally {
    program.channel?.unref();
  }
}

/** The test's own process does not wait for it; it ends when that has ended. */
function start(): Kept {
  const program = fork(programBeside(import.meta.url, 'kept-program'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  program.unref();
  const ended = once(program, 'exit').then(([code, signal]) => {
    throw new Error(`the process that runs the commands has ended: ${code ?? signal}`);
  });
  ended.catch(() => {});
  return { program, ended };
}
