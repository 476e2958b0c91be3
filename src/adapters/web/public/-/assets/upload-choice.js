// What people choose or drop: one zip, or the files of one folder.

/** What version control and file managers keep beside the files, as `lectern push` leaves it out. */
const NO_PART_OF_A_SITE = /^(?:\.git|\.hg|\.svn|\.bzr|\.jj|\.DS_Store|Thumbs\.db|__MACOSX)$/;

/** Something was given that cannot be uploaded; the message is for people. */
export class BadChoice extends Error {}

/** @returns `{ name, archive }` */
export function chosenArchive(file) {
  if (!/\.zip$/i.test(file.name))
    throw new BadChoice(`${file.name} is no zip. Choose a zip, or a whole folder.`);
  return { name: file.name, archive: file };
}

/** The files of `<input webkitdirectory>`: their paths begin with the name of the folder. */
export function chosenFolder(files) {
  const [first] = files;
  if (first === undefined) throw new BadChoice('There are no files in this folder.');
  const [name] = first.webkitRelativePath.split('/');
  return folder(
    name,
    [...files].map((file) => ({ path: file.webkitRelativePath.slice(name.length + 1), file })),
  );
}

/** What was dropped. The entries must be asked for before the event is over. */
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

async function walk(directory, below, files) {
  const reader = directory.createReader();
  // Browsers hand over a hundred at a time.
  for (;;) {
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const entry of entries) {
      const path = below + entry.name;
      if (NO_PART_OF_A_SITE.test(entry.name)) continue;
      if (entry.isDirectory) await walk(entry, `${path}/`, files);
      else files.push({ path, file: await fileOf(entry) });
    }
  }
}

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

/** @returns `{ name, files, bytes }` */
function folder(name, all) {
  const files = all
    .filter(({ path }) => !path.split('/').some((part) => NO_PART_OF_A_SITE.test(part)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length === 0) throw new BadChoice('There are no files in this folder.');
  return { name, files, bytes: files.reduce((sum, { file }) => sum + file.size, 0) };
}
