import { readFile, stat } from 'node:fs/promises';
import type { TokensDecision } from '../../application/index.js';
import { type MadeToken, refuse } from '../../domain/index.js';
import { madeTokenOf, storedTokens, storedTokensOf } from '../../formats/api/tokens.js';
import { syncDirectory } from '../../node/directories.js';
import { unless } from '../../node/system-errors.js';
import { NOTHING_THERE, writeAndMove, writeNewFile } from './disk.js';
import { recreateDirectories } from './docs-directory.js';
import type { Tools } from './tools.js';

/** The tokens that others have made: one file, `.lectern/tokens.json`, made with the first token. */
export class FilesystemMadeTokens {
  /** Tokens of the last read, and the identity of the file that they were in. */
  private known: { readonly file: string; readonly tokens: readonly MadeToken[] } = { file: '', tokens: [] };

  constructor(private readonly tools: Tools) {}

  /** Looks at the file each time, so that a token that any process revokes is refused at once. */
  async read(): Promise<readonly MadeToken[]> {
    const { layout } = this.tools;
    const stats = await unless(NOTHING_THERE, stat(layout.madeTokens, { bigint: true }));
    if (stats === undefined) {
      // Without Lectern's own directory, its disk is away: then nothing is known.
      await stat(layout.own);
      return [];
    }
    // Each change is a new file.
    const file = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join('.');
    if (file !== this.known.file) this.known = { file, tokens: await tokensIn(layout.madeTokens) };
    return this.known.tokens;
  }

  async change(decide: TokensDecision): Promise<void> {
    const { tools } = this;
    const { disk, layout, locks } = tools;
    await recreateDirectories(tools);
    // No version has `~` at the end of its name.
    await locks.run('tokens~', async () => {
      const before = await this.read();
      const after = decide(before);
      if (after === before) return;
      const text = `${JSON.stringify(storedTokensOf(after), undefined, 2)}\n`;
      await writeAndMove(tools, layout.madeTokens, (coming) => writeNewFile(disk, coming, text));
      await syncDirectory(disk, layout.own);
    });
  }
}

async function tokensIn(file: string): Promise<readonly MadeToken[]> {
  const text = await readFile(file, 'utf8');
  try {
    return storedTokens.parse(JSON.parse(text)).tokens.map(madeTokenOf);
  } catch (cause) {
    throw refuse.tokensDamaged(file, { cause });
  }
}
