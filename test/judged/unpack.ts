import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SearchableSite } from '../../src/application/index.js';
import { samplePaths } from '../../src/formats/html/index.js';
import { ROOT } from '../support/root.js';
import type { JudgedSite } from './sites.js';

const CACHE = join(ROOT, '.corpus', 'packages');
const run = promisify(execFile);

/**
 * Directory of a site, unpacked from Debian's package the first time.
 * @throws when apt cannot download it here
 */
export async function unpacked({ package: name, path }: JudgedSite): Promise<string> {
  const home = join(CACHE, name);
  if (!existsSync(home)) {
    mkdirSync(CACHE, { recursive: true });
    const work = mkdtempSync(join(CACHE, `.${name}-`));
    try {
      await run('apt-get', ['-q', '-o', 'APT::Sandbox::User=root', 'download', name], { cwd: work });
      const [deb = ''] = readdirSync(work);
      await run('dpkg-deb', ['--extract', join(work, deb), join(work, 'root')]);
      renameSync(join(work, 'root'), home);
    } catch (error) {
      // Another process may have been first.
      if (!existsSync(home)) throw error;
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return join(home, path);
}

/** HTML pages below a directory, with `/`, sorted. Links are followed; those that lead nowhere are left out. */
export function pagesBelow(directory: string, prefix = ''): string[] {
  return readdirSync(join(directory, prefix))
    .flatMap((name) => {
      const path = `${prefix}${name}`;
      const found = statSync(join(directory, path), { throwIfNoEntry: false });
      if (found?.isDirectory()) return pagesBelow(directory, `${path}/`);
      return found?.isFile() && /\.html?(?:\.[a-z]{2}(?:-[a-z]+)?)?$/i.test(name) ? [path] : [];
    })
    .sort();
}

export function siteIn(directory: string): SearchableSite & { readonly bytes: () => number } {
  const paths = pagesBelow(directory);
  let bytes = 0;
  async function* read(wanted: readonly string[]) {
    for (const path of wanted) yield { path, bytes: await readFile(join(directory, path)) };
  }
  return {
    sample: () => read(samplePaths(paths)),
    async *pages() {
      for await (const page of read(paths)) {
        bytes += page.bytes.length;
        yield page;
      }
    },
    bytes: () => bytes,
  };
}
