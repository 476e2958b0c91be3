import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zipOf } from '../../test/support/zip-writer.js';
import { type Lectern, startLectern } from '../support/lectern.js';
import { alternating, milliseconds } from '../support/numbers.js';
import { memoryOf, processorTimeOf } from '../support/processes.js';
import { ask } from '../support/requests.js';
import { progress, ROUNDS } from '../support/script.js';
import type { Row } from '../support/table.js';
import { temporaryDirectory } from '../support/temporary.js';

const PROJECTS = 1_000;
/** Projects to which each one links. */
const LINKED = 5;
/** Max. time from a change until the links that it breaks are known, in milliseconds. */
const MAX_MS = 30_000;
const POLL_MS = 50;
const PUBLIC = 'https://docs.example.org';
/** Name without a `-`, before which the name of a project may end. */
const projectName = (number: number) => `project${number}`;
const TEXT = `<h1>Guide</h1><p>${'words '.repeat(30)}</p>`;

/** Projects with links among one another: how soon a server knows of those that a change has broken. */
export async function houseRows(): Promise<Row[]> {
  const lectern = await startLectern({ args: OPTIONS });
  for (let project = 0; project < PROJECTS; project += 1) {
    if (project % 100 === 0) progress(`links: ${project} of ${PROJECTS} projects`);
    await publish(lectern, project, '1.0', 'guide.html');
  }
  await untilKnown(lectern, 0, 0);
  const changed: number[] = [];
  const change = async (project: number, make: () => Promise<void>) => {
    changed.push(project);
    await untilKnown(lectern, project, 0);
    const time = await milliseconds(async () => {
      await make();
      await untilKnown(lectern, project, LINKED);
    });
    progress(`links: ${projectName(project)} after ${time.toFixed(0)} ms`);
    return time;
  };
  for (let round = 0; round < ROUNDS; round += 1)
    await publish(lectern, 100 + 2 * LINKED * round, '0.9', 'manual.html');
  const { deleted, renamed } = await alternating(ROUNDS, {
    deleted: (round) => {
      const project = 100 + 2 * LINKED * round;
      return change(project, () => lectern.remove(projectName(project), '1.0'));
    },
    renamed: (round) => {
      const project = 500 + 2 * LINKED * round;
      return change(project, () => publish(lectern, project, '1.1', 'manual.html'));
    },
  });
  await lectern.stop();
  const started = await startLectern({ docs: lectern.docs, args: OPTIONS });
  const restart = await milliseconds(async () => {
    for (const project of changed) await untilKnown(started, project, LINKED);
  });
  const processor = processorTimeOf(started.pid);
  const { now } = memoryOf(started.pid);
  await started.stop();
  const plain = await startLectern({ docs: lectern.docs, args: [...OPTIONS, '--no-link-check'] });
  await sleep(restart);
  const without = processorTimeOf(plain.pid);
  const detail = `processor time ${processor} ms, ${without} ms with --no-link-check; memory ${now.toFixed(0)} MB, ${memoryOf(plain.pid).now.toFixed(0)} MB`;
  await plain.stop();
  const what = `${PROJECTS.toLocaleString('en')} projects, each links to ${LINKED} others: broken links known after`;
  return [
    {
      what: `${what} the deletion of the latest version, before which there is an older one without the page`,
      against: '',
      unit: 'ms',
      values: deleted,
      target: { atMost: MAX_MS },
    },
    {
      what: `${what} a new version without the page`,
      against: '',
      unit: 'ms',
      values: renamed,
      target: { atMost: MAX_MS },
    },
    {
      what: `${what} a restart`,
      against: '',
      unit: 'ms',
      values: [restart],
      target: { atMost: MAX_MS },
      detail,
    },
  ];
}

const OPTIONS = ['--search', 'off', '--public-url', PUBLIC];

/** Each project links to those after it, by turns from the root and by the public address. */
async function publish(lectern: Lectern, project: number, version: string, page: string): Promise<void> {
  const archive = join(temporaryDirectory('links-house'), 'site.zip');
  const links = Array.from({ length: LINKED }, (_, at) => {
    const place = `/${projectName((project + 1 + at) % PROJECTS)}-latest/guide.html`;
    return `<a href="${at % 2 === 0 ? place : PUBLIC + place}">`;
  });
  writeFileSync(archive, zipOf({ 'index.html': links.join('') + TEXT, [page]: TEXT }));
  await lectern.publish({ name: `${projectName(project)}-${version}-docs.zip`, archive });
}

/** Waits until a server has looked up the links of a project, and those of all others to it, of which so many lead nowhere. */
async function untilKnown({ origin }: Lectern, project: number, broken: number): Promise<void> {
  for (;;) {
    const { status, body } = await ask(`${origin}/api/check/${projectName(project)}/latest`);
    if (status === 200) {
      const { others, broken_links_here: here } = JSON.parse(body.toString());
      if (others.checked && others.dead === 0 && here.length === broken) return;
    }
    await sleep(POLL_MS);
  }
}
