import { parseDirectoryName } from '../../domain/index.js';

const MAX_DOCUMENT_BYTES = 64 * 1024;
const DOCUMENT_NAME = /^[a-z0-9-]{1,40}$/;
const DERIVED_NAME = /^[a-z][a-z0-9.-]{0,39}$/;
const REVISION = /^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/;
const utf8 = new TextEncoder();

/**
 * Checks the arguments of a `ProjectDocuments`.
 * @throws RangeError for an invalid one
 */
export function assertDocument(project: string, name: string, text = ''): void {
  // A project's name is valid if it parses as one in front of a version.
  if (parseDirectoryName(`${project}-1.0.0`)?.project !== project)
    throw new RangeError('no name of a project');
  if (!DOCUMENT_NAME.test(name)) throw new RangeError("a document's name has 1 to 40 of a-z, 0-9 and -");
  if (utf8.encode(text).length > MAX_DOCUMENT_BYTES) {
    throw new RangeError(`a document has at most ${MAX_DOCUMENT_BYTES} bytes`);
  }
}

/** Returns whether a text can be the revision of a version. */
export function isRevision(text: string): boolean {
  return REVISION.test(text);
}

/**
 * Checks the arguments of a `DerivedFiles`.
 * @throws RangeError for an invalid one
 */
export function assertDerived(revision: string, name: string): void {
  if (!isRevision(revision)) throw new RangeError('no revision');
  if (!DERIVED_NAME.test(name)) {
    throw new RangeError("a derived file's name has 1 to 40 of a-z, 0-9, . and -, a letter first");
  }
}
