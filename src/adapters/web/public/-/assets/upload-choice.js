// Reads the chosen or dropped files: one zip, or one folder, of which `lectern push` leaves out the same names.
import { isBuildCache, isIgnoredName } from './archive-names.js';

/** Max. files of a folder that this page packs: JSZip writes no zip64. */
const MAX_FILES = 65_535;
/** Max. bytes of all files of a folder: JSZip holds them in memory. */
const MAX_BYTES = 1024 ** 3;
const INSTEAD = 'Publish this one with `lectern push`, or choose a zip of it';

/** A choice that cannot be uploaded; the message is for people. */
export class BadChoice extends Error {}

/** @returns `{ name, archive }` */
export function chosenArchive(file) {
  if (!/\.zip$/i.test(file.name))
    throw new BadChoice(`${file.name} is no zip. Choose a zip, or a whole folder.`);
  return { name: file.name, archive: file };
}

/** Reads the files of `<input webkitdirectory>`, whose paths begin with the folder's name. */
export function chosenFolder(files) {
  const [first] = files;
  if (first === undefined) throw new BadChoice('There are no files in this folder.');
  const [name] = first.webkitRelativePath.split('/');
  return folder(
    name,
    [...files].map((file) => ({ path: file.webkitRelativePath.slice(name.length + 1), file })),
  );
}

/** Reads dropped files. Gets the entries synchronously, as they are gone after the event. */
export async function dropped(transfer) {
  const entries = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry());
  const [entry] = entries;
  if (!entry) throw new BadChoice('This is no file. Drop a zip or a folder.');
  if (entries.length > 1)
    throw new BadChoice('These are several things. Drop one zip, or the folder around them.');
  if (!entry.isDirectory) return chosenArchive(await fileOf(entry));
  const files = [];
  await walk(entry, '', files);
  return folder(entry.name, files);
}

async function walk(directory, parent, files) {
  const reader = directory.createReader();
  // Browsers return up to 100 entries per call.
  for (;;) {
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const entry of entries) {
      const path = parent + entry.name;
      if (isIgnoredName(entry.name)) continue;
      // Named, and not read.
      if (isBuildCache(entry.name)) files.push({ path });
      else if (entry.isDirectory) await walk(entry, `${path}/`, files);
      else files.push({ path, file: await fileOf(entry) });
      assertFew(files);
    }
  }
}

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

/** @returns `{ name, files, bytes, caches }`: the names of build caches that are left out, since they may hold secrets */
function folder(name, all) {
  const caches = new Set(all.flatMap(({ path }) => path.split('/').filter(isBuildCache)));
  const files = all
    .filter(({ path }) => !path.split('/').some((part) => isIgnoredName(part) || isBuildCache(part)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length === 0) throw new BadChoice('There are no files in this folder.');
  assertFew(files);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > MAX_BYTES) throw new BadChoice(`This page packs folders of up to 1 GiB. ${INSTEAD}.`);
  return { name, files, bytes, caches: [...caches] };
}

/** Checks the number of files. Called for each dropped file, so that a huge tree is not walked to its end. */
function assertFew({ length }) {
  if (length > MAX_FILES) throw new BadChoice(`This page packs folders of up to 65,535 files. ${INSTEAD}.`);
}
