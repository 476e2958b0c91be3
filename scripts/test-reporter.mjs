// Node's own report of a test run: spec on a terminal, TAP elsewhere. Before the totals it says the minutes that the tests
// of each folder took, and the slowest files, longest first. Files run side by side, so their sum is more than the whole run.
import { relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { spec, tap } from 'node:test/reporters';

const MAX_FILES = 12;
/** Path of a file of tests below their folder. */
const IS_FILE = /^[^.].*\.test\.\w+$/;

export default async function* report(events) {
  const reported = Readable.from(withMinutes(events));
  yield* process.stdout.isTTY ? reported.compose(new spec()) : tap(reported);
}

async function* withMinutes(events) {
  const ofFolders = new Map();
  const ofFiles = new Map();
  for await (const event of events) {
    const { nesting, name = '', details, message } = event.data ?? {};
    const path = relative('dist.tests/test', name);
    // A file is a test or a suite, too, and its name is its path. The place of other tests may be a helper of many files.
    if (event.type === 'test:complete' && nesting === 0 && IS_FILE.test(path)) {
      const [folder] = path.split(sep);
      ofFiles.set(path.replace(/\.test\.\w+$/, ''), details.duration_ms);
      ofFolders.set(folder, (ofFolders.get(folder) ?? 0) + details.duration_ms);
    }
    if (event.type === 'test:diagnostic' && nesting === 0 && /^tests \d+$/.test(message)) {
      yield diagnostic(`minutes of each folder: ${minutes(ofFolders)}`);
      yield diagnostic(`minutes of the slowest files: ${minutes(ofFiles, MAX_FILES)}`);
    }
    yield event;
  }
}

const diagnostic = (message) => ({ type: 'test:diagnostic', data: { nesting: 0, message } });

function minutes(msOf, max = msOf.size) {
  const longest = [...msOf].sort(([, a], [, b]) => b - a).slice(0, max);
  return longest.map(([name, ms]) => `${name} ${(ms / 60_000).toFixed(1)}`).join(', ');
}
