import { readFile, writeFile } from 'node:fs/promises';

/** The memory of a running process, as Linux keeps account of it. */
export class ProcessMemory {
  constructor(private readonly pid: number) {}

  static get isMeasurable(): boolean {
    return process.platform === 'linux';
  }

  /** Bytes in use now. */
  async current(): Promise<number> {
    return this.field('VmRSS');
  }

  /** Most bytes in use at any moment since `forgetPeak`. */
  async peak(): Promise<number> {
    return this.field('VmHWM');
  }

  /** See `clear_refs` in proc(5). */
  async forgetPeak(): Promise<void> {
    await writeFile(`/proc/${this.pid}/clear_refs`, '5');
  }

  private async field(name: string): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
    const [, kibibytes] = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status) ?? [];
    if (kibibytes === undefined) throw new Error(`/proc/${this.pid}/status has no ${name}`);
    return Number(kibibytes) * 1024;
  }
}
