// Node's own report of a test run: spec on a terminal, TAP elsewhere. Before the totals it says the minutes that the tests
// of each folder took, longest first; files run side by side, so their sum is more than the whole run.
import { dirname, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { spec, tap } from 'node:test/reporters';

export default async function* report(events) {
  const reported = Readable.from(withMinutes(events));
  yield* process.stdout.isTTY ? reported.compose(new spec()) : tap(reported);
}

async function* withMinutes(events) {
  const msOf = new Map();
  for await (const event of events) {
    const { nesting, file, details, message } = event.data ?? {};
    if (nesting === 0 && file !== undefined && ['test:pass', 'test:fail'].includes(event.type)) {
      // Source maps tell the path of the source.
      const [folder] = relative('test', dirname(file)).split(sep);
      msOf.set(folder, (msOf.get(folder) ?? 0) + details.duration_ms);
    }
    if (event.type === 'test:diagnostic' && nesting === 0 && /^tests \d+$/.test(message)) {
      const longest = [...msOf].sort(([, a], [, b]) => b - a);
      const minutes = longest.map(([folder, ms]) => `${folder} ${(ms / 60_000).toFixed(1)}`).join(', ');
      yield { type: 'test:diagnostic', data: { nesting: 0, message: `minutes of each folder: ${minutes}` } };
    }
    yield event;
  }
}
