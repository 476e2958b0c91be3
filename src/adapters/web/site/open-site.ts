import { lstat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { ConfigFileError, readConfigFile } from '../../../node/config-file.js';
import { type Accent, accentStyle } from './accent.js';
import type { Introduction } from './introduction.js';
import { parseSiteFile } from './site-file.js';
import { synonymsOf } from './synonyms.js';

const MAX_BYTES = 64 * 1024;
const MAX_LOGO_BYTES = 256 * 1024;

/** Whose server it is, for all pages of the server. */
export interface Identity {
  /** Name of the server, in place of `Lectern`. */
  readonly title?: string | undefined;
  /** Path of the logo's address, without the base path. */
  readonly logo?: string | undefined;
  /** Path of the style sheet with the accent. */
  readonly style?: string | undefined;
  readonly introduction?: Introduction | undefined;
  /** Links of the footer. */
  readonly links?: readonly { readonly label: string; readonly url: string }[] | undefined;
  /** Groups of projects that come first on the index, in this order, each perhaps with a sentence. */
  readonly groups?: readonly GroupText[] | undefined;
  /** Text above every page. */
  readonly notice?: string | undefined;
}

/** A group as the site file has it. */
export interface GroupText {
  readonly name: string;
  readonly description?: string | undefined;
}

/** A file of the identity, kept in memory. */
export interface IdentityFile {
  /** Path of its address, without the base path. Its extension, such as `.svg`, tells the media type. */
  readonly path: string;
  readonly content: Buffer;
}

export interface OwnSite {
  readonly identity: Identity;
  readonly files: readonly IdentityFile[];
  /** Words that mean the same in a search, both ways. */
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads a site file and its logo, once.
 * @throws ConfigFileError with every fault; an error with an errno code when the site file cannot be read
 */
export async function openSite(file: string): Promise<OwnSite> {
  const {
    logo,
    accent,
    synonyms = {},
    ...said
  } = await parseSiteFile((await readConfigFile(file, MAX_BYTES)).toString('utf8'));
  const files = [
    ...(logo === undefined ? [] : [await logoFile(resolve(dirname(file), logo))]),
    ...(accent === undefined ? [] : [styleFile(accent)]),
  ];
  const pathOf = (name: string) => files.find(({ path }) => path.startsWith(`/-/identity/${name}`))?.path;
  const identity = { ...said, logo: pathOf('logo'), style: pathOf('accent') };
  return { identity, files, synonyms: synonymsOf(synonyms) };
}

async function logoFile(file: string): Promise<IdentityFile> {
  const extension = extname(file).toLowerCase();
  const unread = (error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    throw new ConfigFileError([`logo: ${file} cannot be read (${error.code})`]);
  };
  // Everybody can read the logo, so a link must not choose another file for it.
  const found = await lstat(file).catch(unread);
  if (!found.isFile()) {
    const what = found.isSymbolicLink() ? 'a link' : 'no regular file';
    throw new ConfigFileError([`logo: ${file} is ${what}; put the image itself there`]);
  }
  const content = await readConfigFile(file, MAX_LOGO_BYTES, 'logo').catch(unread);
  return { path: `/-/identity/logo${extension}`, content };
}

function styleFile(accent: Accent): IdentityFile {
  return { path: '/-/identity/accent.css', content: Buffer.from(accentStyle(accent)) };
}
