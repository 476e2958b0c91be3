import { sizeOf, visible } from '../../domain/index.js';
import { errnoOf } from '../../node/system-errors.js';

const BAR_WIDTH = 24;
const REDRAW_MS = 100;
/** Min. total for progress lines in a log. */
const MIN_LOGGED = 16 * 1024 * 1024;

/** An output stream: a terminal, a file or a pipe. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Terminal {
  /** Results, for scripts. */
  readonly out: Output;
  /** Messages for people. */
  readonly notes: Output;
  /** Whether lines may be overwritten: on a terminal, but not in a CI job, whose log keeps every line. */
  readonly isLive: boolean;
}

export function terminalOf(env: NodeJS.ProcessEnv): Terminal {
  const isCi = env.CI !== undefined && env.CI !== '' && env.CI !== 'false' && env.CI !== '0';
  return { out: process.stdout, notes: process.stderr, isLive: process.stderr.isTTY === true && !isCi };
}

/** Whether a write failed because nobody reads from the pipe any more, as in `lectern projects | head -1`. */
export function isClosedPipe(error: unknown): boolean {
  return errnoOf(error) === 'EPIPE';
}

/**
 * Drops output that nobody reads any more. The command does the rest of its work and ends with the exit code of that work: lost
 * output does not decide whether an upload is whole, or a server goes on.
 */
export function dropUnreadOutput(): void {
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error) => {
      if (!isClosedPipe(error)) throw error;
    });
  }
}

/** Whether somebody can answer a question: not in a CI job, nor where input or messages are no terminal. */
export function canAsk(terminal: Terminal): boolean {
  return process.stdin.isTTY === true && terminal.isLive;
}

/** Asks a question on the terminal. Only yes counts as yes. */
export async function confirm(question: string): Promise<boolean> {
  // Loaded only here, so that a server starts without it.
  const { createInterface } = await import('node:readline/promises');
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

/** Progress of one task: a bar on a terminal; elsewhere a line per quarter, for large tasks only. */
export class Progress {
  private drawnAt = 0;
  private quarters = 0;

  constructor(
    private readonly terminal: Terminal,
    private readonly what: string,
    private readonly format: (amount: number) => string = sizeOf,
    private readonly minLogged = MIN_LOGGED,
  ) {}

  show(done: number, total: number): void {
    if (this.terminal.isLive) this.draw(done, total);
    else this.log(done, total);
  }

  end(): void {
    if (this.terminal.isLive && this.drawnAt > 0) this.terminal.notes.write('\r\u001b[2K');
    this.drawnAt = 0;
  }

  private draw(done: number, total: number): void {
    const now = Date.now();
    if (now - this.drawnAt < REDRAW_MS && done < total) return;
    this.drawnAt = now;
    const filled = total === 0 ? BAR_WIDTH : Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * done) / total));
    const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`;
    const line = `${bar} ${this.format(done)} of ${this.format(total)} ${visible(this.what)}`;
    this.terminal.notes.write(`\r\u001b[2K${line.slice(0, (this.terminal.notes.columns || 80) - 1)}`);
  }

  private log(done: number, total: number): void {
    const quarters = Math.floor((4 * done) / total);
    if (total < this.minLogged || quarters <= this.quarters || quarters > 3) return;
    this.quarters = quarters;
    this.terminal.notes.write(`${visible(this.what)}: ${quarters * 25} % of ${this.format(total)}\n`);
  }
}

/** Prints the lines of each step of a long task, with a progress bar on a terminal. A step without lines prints nothing. */
export async function printSteps<S extends { readonly done: number; readonly total: number }>(
  steps: AsyncIterable<S>,
  terminal: Terminal,
  what: string,
  linesOf: (step: S) => readonly string[],
): Promise<void> {
  const progress = new Progress(terminal, what, String, Number.POSITIVE_INFINITY);
  try {
    for await (const step of steps) {
      const lines = linesOf(step);
      if (lines.length > 0) progress.end();
      for (const line of lines) terminal.out.write(line);
      progress.show(step.done, step.total);
    }
  } finally {
    progress.end();
  }
}

/** Prints rows in columns, each as wide as its widest cell. */
export function printTable(out: Output, rows: readonly (readonly string[])[]): void {
  const shown = rows.map((row) => row.map(visible));
  const widths = shown.reduce<number[]>(
    (most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)),
    [],
  );
  for (const row of shown) {
    out.write(
      `${row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

/** A time of the API without fractions of a second. */
export function seconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}

/** Quotes a word for a POSIX shell, if it needs quotes. */
export function shellWord(word: string): string {
  return /^[\w./][\w@%+=:,./~-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
