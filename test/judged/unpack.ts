import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SearchableSite } from '../../src/application/index.js';
import { samplePaths } from '../../src/formats/html/index.js';
import { ROOT } from '../support/root.js';
import type { JudgedSite } from './sites.js';

const CORPUS = join(ROOT, '.corpus');
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';
const run = promisify(execFile);
const AS_ROOT = ['-q', '-o', 'APT::Sandbox::User=root'];
/** Options of apt-get for each release, whose lists of packages are read once. */
const options = new Map<string, Promise<readonly string[]>>();

/**
 * Directory of a site, unpacked from Debian's package the first time.
 * @throws when apt cannot download it here
 */
export async function unpacked({ package: name, path, release }: JudgedSite): Promise<string> {
  const cache = join(CORPUS, release === undefined ? 'packages' : `packages-${release}`);
  const home = join(cache, name);
  if (!existsSync(home)) {
    mkdirSync(cache, { recursive: true });
    const work = mkdtempSync(join(cache, `.${name}-`));
    try {
      await run('apt-get', [...(await optionsFor(release)), 'download', name], { cwd: work });
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

/** A release has lists and sources of its own, so that it does not matter which one this machine has. */
function optionsFor(release: string | undefined): Promise<readonly string[]> {
  const known = options.get(release ?? '');
  if (known !== undefined) return known;
  const made = release === undefined ? Promise.resolve(AS_ROOT) : listsOf(release);
  options.set(release ?? '', made);
  return made;
}

async function listsOf(release: string): Promise<readonly string[]> {
  const home = join(CORPUS, 'apt', release);
  mkdirSync(join(home, 'lists/partial'), { recursive: true });
  const sources = join(home, 'sources.list');
  writeFileSync(sources, `deb [signed-by=${KEYS}] http://deb.debian.org/debian ${release} main\n`);
  const settings = {
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(home, 'lists'),
    'Dir::Cache': home,
  };
  const all = [
    ...AS_ROOT,
    ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
  ];
  await run('apt-get', [...all, 'update']);
  return all;
}

/** HTML pages below a directory, with `/`, sorted. Links are followed; those that lead nowhere are left out. */
export function pagesBelow(directory: string, prefix = ''): string[] {
  return readdirSync(join(directory, prefix), { withFileTypes: true })
    .flatMap((entry) => {
      const { name } = entry;
      const path = `${prefix}${name}`;
      const found = entry.isSymbolicLink()
        ? statSync(join(directory, path), { throwIfNoEntry: false })
        : entry;
      if (found?.isDirectory()) return pagesBelow(directory, `${path}/`);
      return found?.isFile() && /\.html?(?:\.[a-z]{2}(?:-[a-z]+)?)?$/i.test(name) ? [path] : [];
    })
    .sort();
}

/** @param isLeftOut whether a page is not part of the site */
export function siteIn(
  directory: string,
  isLeftOut: (path: string) => boolean = () => false,
): SearchableSite {
  const paths = pagesBelow(directory).filter((path) => !isLeftOut(path));
  async function* read(wanted: readonly string[]) {
    for (const path of wanted) yield { path, bytes: readFileSync(join(directory, path)) };
  }
  return { sample: () => read(samplePaths(paths)), pages: () => read(paths) };
}
