// Parses file names like the server (src/domain/archive-name.ts); a test compares the two.

const SEMANTIC =
  /^v?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/;

/** Splits `<project>-<version>`; undefined when there is no `-`. */
export function splitName(name) {
  const hyphens = [...name.matchAll(/-/g)].map(({ index }) => index);
  const at =
    hyphens.find((index) => SEMANTIC.test(name.slice(index + 1))) ??
    hyphens.find((index) => /^v?\d/.test(name.slice(index + 1))) ??
    hyphens.at(-1);
  return at === undefined ? undefined : { project: name.slice(0, at), version: name.slice(at + 1) };
}

/** Suggests project and version from an archive's or folder's name; undefined when the name is ambiguous. */
export function suggestedNames(fileName) {
  const archive = /^(.+)-docs\.zip$/i.exec(fileName);
  const split = splitName(archive?.[1] ?? fileName.replace(/\.zip$/i, ''));
  return archive !== null || /^v?\d/.test(split?.version ?? '') ? split : undefined;
}
