import assert from 'node:assert/strict';
import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Names of everything below a docs directory that must not be there when nothing is under way. */
export async function leftovers(docs: string): Promise<readonly string[]> {
  const own = join(docs, '.lectern');
  const found: string[] = [];
  // The trash comes last: what moves there from another place between two looks is then seen in one of them.
  const lookInto = async (name: string) => {
    found.push(...(await readdir(join(own, name))).map((entry) => `${name}/${entry}`));
  };
  await lookInto('incoming');
  for (const version of await readdir(join(own, 'sites'))) {
    const target = await readlink(join(docs, version)).catch(() => 'no pointer');
    // A version's directory may go between the two looks: then nothing of it is left.
    const generations = await readdir(join(own, 'sites', version)).catch(() => []);
    for (const generation of generations) {
      if (!target.includes(generation)) found.push(`sites/${version}/${generation}`);
    }
  }
  await lookInto('displaced');
  await lookInto('trash');
  for (const name of await readdir(docs)) {
    if (
      await stat(join(docs, name)).then(
        () => false,
        () => true,
      )
    )
      found.push(`${name} leads nowhere`);
  }
  return found;
}

/** The ids of processes that hold a lease, the ended ones left out. */
export async function leaseholders(docs: string): Promise<readonly number[]> {
  const running = join(docs, '.lectern/running');
  const names = (await readdir(running)).filter((name) => !name.endsWith('.ended'));
  return Promise.all(
    names.map(async (name) => JSON.parse(await readlink(join(running, name))).pid as number),
  );
}

/** Open descriptors of a process on files and directories below `docs`. */
export async function openBelow(pid: number, docs: string): Promise<readonly string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(
    descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(docs) || target.endsWith(' (deleted)'));
}

/** Asserts that the directories in the docs directory are those of the listed versions. */
export async function assertListed(docs: string, url: string): Promise<void> {
  const { projects } = (await (await fetch(`${url}/api/projects`)).json()) as {
    projects: { versions: { directory_name: string }[] }[];
  };
  const versions = projects.flatMap((project) => project.versions.map((version) => version.directory_name));
  const onDisk = (await readdir(docs)).filter((name) => !name.startsWith('.') && !name.endsWith('-docs.zip'));
  assert.deepEqual(versions.sort(), onDisk.sort());
}
