import { setTimeout } from 'node:timers/promises';
import { counted, isPreview, nameInProject, type VersionId } from '../../../../domain/index.js';
import { type Answer, ClientError, type LecternClient } from '../../client/index.js';

/** Max. time for the server to look up links between projects, and the interval between two questions, which grows, in milliseconds. */
const MAX_WAIT_MS = 30_000;
const FIRST_INTERVAL_MS = 200;
const MAX_INTERVAL_MS = 1_000;
/** Links that are named. */
const MAX_NAMED = 5;

/**
 * Returns lines on the links of other projects that lead nowhere in the project of what was published. Never throws because of the
 * server: the version is published, whatever comes of this.
 */
export async function brokenLinksTo(
  id: VersionId,
  client: Pick<LecternClient, 'deadLinks'>,
): Promise<readonly string[]> {
  // Links to other versions do not change with a preview.
  if (isPreview(id)) return [];
  const deadline = performance.now() + MAX_WAIT_MS;
  try {
    for (let interval = FIRST_INTERVAL_MS; ; interval = Math.min(2 * interval, MAX_INTERVAL_MS)) {
      const { others, broken_links_here: broken = [] } = await client.deadLinks(
        id.project,
        nameInProject(id),
      );
      if (others === undefined) return [];
      if (others.checked) return linesOn(broken);
      if (performance.now() + interval > deadline) {
        return ['links from other projects are still being checked'];
      }
      await setTimeout(interval);
    }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return [];
  }
}

function linesOn(broken: NonNullable<Answer<'DeadLinks'>['broken_links_here']>): readonly string[] {
  if (broken.length === 0) return [];
  return [
    `${counted(broken.length, 'dead link')} from other projects`,
    ...broken
      .slice(0, MAX_NAMED)
      .map(({ project, version, page, link }) => `  ${project} ${version} ${page}: ${link}`),
  ];
}
