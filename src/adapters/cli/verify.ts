/** What the command needs to know of each version that was checked. */
export interface Checked {
  readonly directoryName: string;
  readonly done: number;
  readonly total: number;
  readonly faults: readonly string[];
  readonly isRepaired: boolean;
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Tells of every version that differs, with a progress bar on a terminal.
 * @returns 0 when all is well or was repaired, 1 when something is left that differs
 */
export async function reportChecks(
  checks: AsyncIterable<Checked>,
  out: Terminal = process.stdout,
  progress: Terminal = process.stderr,
): Promise<0 | 1> {
  let total = 0;
  let damaged = 0;
  let repaired = 0;
  for await (const check of checks) {
    total = check.total;
    if (check.faults.length > 0) {
      clear(progress);
      damaged += 1;
      if (check.isRepaired) repaired += 1;
      out.write(`${check.directoryName}: ${check.isRepaired ? 'repaired; it differed' : 'differs'}\n`);
      for (const fault of check.faults) out.write(`  ${fault}\n`);
    }
    draw(progress, check);
  }
  clear(progress);
  const left = damaged - repaired;
  out.write(
    `${total} ${total === 1 ? 'version' : 'versions'} checked, ${damaged} differed, ${repaired} repaired\n`,
  );
  return left === 0 ? 0 : 1;
}

function draw(terminal: Terminal, { done, total, directoryName }: Checked): void {
  if (terminal.isTTY !== true) return;
  const width = 24;
  const filled = Math.round((width * done) / total);
  const line = `[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${done}/${total} ${directoryName}`;
  clear(terminal);
  terminal.write(line.slice(0, (terminal.columns ?? 80) - 1));
}

function clear(terminal: Terminal): void {
  if (terminal.isTTY === true) terminal.write('\r\u001b[2K');
}
