import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../src/adapters/filesystem/catalogue/read-generation.js';
import { Layout } from '../../src/adapters/filesystem/layout.js';
import type { Docinfo } from '../../src/domain/index.js';

export const PAGE = Buffer.from(`<!doctype html><title>A page</title>${'<p>Some words.</p>\n'.repeat(300)}`);
/** The smallest archive there is: these versions are listed and read, not downloaded. */
const ARCHIVE = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);
const PUBLISHED = Date.UTC(2026, 0, 1);

export const projectName = (number: number) => `project-${String(number).padStart(5, '0')}`;

/**
 * Writes many published versions in the form in which an upload leaves them, without the uploads.
 * @param moreOf what the docinfo of a project has beside name and description
 */
export function writeLibrary(
  docs: string,
  projects: number,
  versionsOfEach: number,
  moreOf: (project: number) => Docinfo = () => ({}),
): void {
  const layout = new Layout(docs);
  for (const directory of [docs, ...layout.directories]) mkdirSync(directory, { recursive: true });
  writeFileSync(layout.format, '2\n');
  const page = join(layout.incoming, 'page');
  const archive = join(layout.incoming, 'archive');
  let links = 0;
  for (let project = 0; project < projects; project += 1) {
    for (let version = 0; version < versionsOfEach; version += 1) {
      // A file system bears only so many names of one file.
      if (links % 10_000 === 0) {
        writeFileSync(`${page}-${links}`, PAGE);
        writeFileSync(`${archive}-${links}`, ARCHIVE);
      }
      const shared = links - (links % 10_000);
      links += 1;
      const name = projectName(project);
      const label = `${1 + Math.floor(version / 10)}.${version % 10}.0`;
      const directoryName = `${name}-${label}`;
      const generation = layout.generation(directoryName, `written.${links}`);
      mkdirSync(generation.site, { recursive: true });
      linkSync(`${page}-${shared}`, join(generation.site, 'index.html'));
      linkSync(`${archive}-${shared}`, generation.archive);
      const id = { project: name, label, directoryName };
      const record = {
        publishedAt: new Date(PUBLISHED + links * 60_000),
        archive: { size: ARCHIVE.length, sha256: String(links).padStart(64, '0') },
        site: { files: 1, bytes: PAGE.length },
        token: 'bench',
        docinfo: {
          name: `Project ${project}`,
          description: `What project ${project} is for, in a sentence`,
          ...moreOf(project),
        },
      };
      writeFileSync(generation.record, textOf(id, record));
      symlinkSync(layout.pointerTarget(directoryName, `written.${links}`), layout.pointer(directoryName));
      symlinkSync(layout.archiveLinkTarget(directoryName), layout.archiveLink(directoryName));
    }
  }
  for (const name of readdirSync(layout.incoming)) rmSync(join(layout.incoming, name));
}
