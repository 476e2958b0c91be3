import { createInterface } from 'node:readline/promises';
import { visible } from '../../../domain/index.js';
import type { Terminal } from '../terminal.js';

/** Whether somebody can answer a question: not in a CI job, nor where input or messages are no terminal. */
export function canAsk(terminal: Terminal): boolean {
  return process.stdin.isTTY === true && terminal.isLive;
}

/** Asks a question on the terminal. Only yes counts as yes. */
export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D mean no; without the abort `question` would wait forever.
  const aborted = new AbortController();
  lines.once('SIGINT', () => aborted.abort()).once('close', () => aborted.abort());
  try {
    const answer = await lines.question(`${visible(question)} [y/N] `, { signal: aborted.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    if (aborted.signal.aborted) return false;
    throw error;
  } finally {
    lines.close();
  }
}
