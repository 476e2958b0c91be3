// Runs the compiled tests: all of them under CI=true or with --all; with --changed those that a change can reach, which is what
// differs from `main` or from `--since=<commit>`; otherwise those that start no other program and are done in under four minutes on
// two idle cores that are slow. `--without=<folder>,<folder>/<file>` leaves out more.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await import('./compile-tests.mjs');
if (process.exitCode) process.exit();

const { SYSTEM_FOLDERS } = await import('../dist.tests/test/support/choice/folders.js');
/**
 * Whole systems: the program as its users start it, browsers, object stores, web servers, installations, processes that
 * are killed, full disks, real sites.
 */
const SYSTEM = [...new Set(SYSTEM_FOLDERS.map(({ folder }) => folder.split('/')[0]))];
const since = process.argv.flatMap((argument) => /^--since=(.+)$/.exec(argument)?.[1] ?? [])[0];
const runsChanged = since !== undefined || process.argv.includes('--changed');
const runsAll = !runsChanged && (process.env.CI === 'true' || process.argv.includes('--all'));

/** Changed files that are named. */
const MAX_NAMED = 10;
const root = 'dist.tests/test';
const without = process.argv.flatMap((argument) => /^--without=(.+)$/.exec(argument)?.[1]?.split(',') ?? []);
const unknown = without.filter(
  (path) => !existsSync(`${root}/${path}`) && !existsSync(`${root}/${path}.test.js`),
);
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')} in test/`);

const leftOut = runsAll || runsChanged ? without : [...SYSTEM, ...without];
const isLeftOut = (path) => leftOut.some((each) => path.startsWith(`${each}/`) || path === `${each}.test.js`);
const isChosen = runsChanged ? await chosenByChange() : () => true;
const files = readdirSync(root, { recursive: true })
  .filter((path) => path.endsWith('.test.js') && !isLeftOut(path) && isChosen(path))
  .sort();
if (runsChanged && files.length === 0) process.exit();
// Without a path `node --test` finds nothing, and succeeds.
if (!runsChanged && files.length < 50) throw new Error(`only ${files.length} files of tests in ${root}`);

// Folders that share a process, and one for all others: as many processes as run at a time, each with about as much to do. With one
// for each folder, all of them took 13 to 15 % more processor time: to start, to load what tests share, to compile what runs often.
// Tests of whole systems wait most of the time, and have processes of their own, but those that load much for what they do, or have
// a browser, which takes longer to start than most of these files: a few processes each.
const SHARED = [
  ['filesystem', 'json', 'node', 'zip'],
  ['docs', 'http/api', 'http/own', 'http/response', 'http/sites'],
  ['domain', 'formats', 'http', 'web'],
];
const PROCESSES = { browser: 4, ceph: 5, cli: 3, client: 3, deploy: 3 };
const processOf = (path, index) => {
  const [system] = path.split(sep);
  // They take longest, since they build sites first where CI has not done that.
  if (path.startsWith(join('browser', 'builders', sep))) return path;
  if (system in PROCESSES) return `${system}-${index % PROCESSES[system]}`;
  if (SYSTEM.includes(system)) return path;
  const shared = SHARED.find((folders) => folders.some((folder) => path.startsWith(join(folder, sep))));
  return shared?.join('-') ?? 'others';
};
const processes = new Map();
for (const [index, path] of files.entries()) {
  const shared = processOf(path, index);
  processes.set(shared, [...(processes.get(shared) ?? []), path]);
}
// Hooks of a file belong to the suite of the file, whose name is what the reporter counts its time for. The next file is loaded
// after it: while several wait for one module, Node takes the tests of all for those of the first.
const HEAD = `import { AsyncResource } from 'node:async_hooks';
import { describe } from 'node:test';
let before = Promise.resolve();
function file(path) {
  describe(path, () => {
    const load = AsyncResource.bind(() => import(\`../../\${path}\`));
    return (before = before.then(load, load));
  });
}
`;
// Node starts them in the order of their names: those with the most files first, so that nothing waits for these at the end.
const largestFirst = [...processes].sort(([, a], [, b]) => b.length - a.length);
mkdirSync('dist.tests/processes');
const entries = largestFirst.map(([shared, paths], index) => {
  const number = String(index).padStart(3, '0');
  const entry = `dist.tests/processes/${number}-${join('test', shared).replaceAll(sep, '-')}.js`;
  writeFileSync(entry, `${HEAD}${paths.map((path) => `file('${root}/${path}');\n`).join('')}`);
  return entry;
});

if (leftOut.length > 0) {
  console.error(`Without test/{${leftOut.join(',')}}: npm run test:all runs these too.`);
}

// A process that is stuck fails, and the others are told; the second limit is for a runner that is stuck itself. On a busy
// machine the slowest process has taken ten minutes, and all of them 25.
const MAX_MS_OF_A_PROCESS = 20 * 60_000;
const MAX_MS = 60 * 60_000;

const { status, error } = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    '--test-reporter=./scripts/test-reporter.mjs',
    '--test-concurrency=4',
    `--test-timeout=${MAX_MS_OF_A_PROCESS}`,
    ...entries,
  ],
  { stdio: 'inherit', timeout: MAX_MS, killSignal: 'SIGKILL' },
);
if (error !== undefined) console.error(`the tests were ended: ${error.message}`);
process.exitCode = status ?? 1;

/** Says what is chosen and why, and returns whether a file is. */
async function chosenByChange() {
  const { changedFiles } = await import('./changed-files.mjs');
  const { chooseTests, linesOf } = await import('../dist.tests/test/support/choice/choose-tests.js');
  const { projectTree } = await import('../dist.tests/test/support/choice/project-tree.js');
  let changed;
  try {
    changed = changedFiles(since);
  } catch (error) {
    console.error(`test:changed: ${error.message}`);
    process.exit(1);
  }
  const { paths, base } = changed;
  const named = paths.slice(0, MAX_NAMED).join(', ');
  const others = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  console.error(
    paths.length === 0 ? `Nothing differs from ${base}.` : `Differs from ${base}: ${named}${others}`,
  );
  if (paths.length === 0) process.exit();
  const choice = chooseTests(paths, await projectTree());
  for (const line of linesOf(choice)) console.error(`- ${line}`);
  if (choice.leftOut.size > 0) console.error('npm run test:all runs what is left out, too.');
  const compiled = new Set([...choice.chosen.keys()].map((path) => path.replace(/^test\/|tsx?$/g, '')));
  return (path) => compiled.has(path.replaceAll(sep, '/').replace(/js$/, ''));
}
