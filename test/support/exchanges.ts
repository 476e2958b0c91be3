import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Ways to exchange a file of a site once it has been looked at: `site/sub/z.html` below `place`, which also has
 * `outside/z.html`.
 */
export const EXCHANGES: Readonly<Record<string, (place: string, file: string) => void>> = {
  'a link to a file outside': (place, file) => {
    rmSync(file);
    symlinkSync(join(place, 'outside/z.html'), file);
  },
  'a FIFO': (_place, file) => {
    rmSync(file);
    execFileSync('mkfifo', [file]);
  },
  'a directory': (_place, file) => {
    rmSync(file);
    mkdirSync(file);
  },
  'another file': (place, file) => {
    writeFileSync(join(place, 'other'), 'another page');
    renameSync(join(place, 'other'), file);
  },
  'a hard link to a file outside': (place, file) => {
    rmSync(file);
    linkSync(join(place, 'outside/z.html'), file);
  },
  'a file below a directory outside that its own has become a link to': (place) => {
    rmSync(join(place, 'site/sub'), { recursive: true });
    symlinkSync(join(place, 'outside'), join(place, 'site/sub'));
  },
  'the very file, moved out, below a link that has taken the place of its directory': (place) => {
    renameSync(join(place, 'site/sub'), join(place, 'moved'));
    symlinkSync(join(place, 'moved'), join(place, 'site/sub'));
  },
  nothing: (_place, file) => rmSync(file),
};
