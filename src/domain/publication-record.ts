import type { Docinfo, FrontPage } from './docinfo.js';
import type { Download } from './downloads.js';
import type { Source } from './source/source.js';

/** Facts about a site, found when it is unpacked, and recorded. */
export interface SiteFacts {
  /** Number and total bytes of the site's files. */
  readonly site: { readonly files: number; readonly bytes: number };
  readonly docinfo?: Docinfo | undefined;
  readonly frontPage?: FrontPage | undefined;
  /** At least one; undefined for none. */
  readonly downloads?: readonly Download[] | undefined;
  /** Path on its host at which the site was built to stand, if its pages ask for their own files there; see `boundName`. */
  readonly base?: string | undefined;
  /** The same of its `404.html`, which many builders write for another address than all other pages. */
  readonly missingPageBase?: string | undefined;
  /**
   * Charsets besides UTF-8 of its text files, sorted: names as headers have them, or `unknown`. Undefined when all are UTF-8.
   * The store knows that of each file.
   */
  readonly charsets?: readonly string[] | undefined;
}

/** Recorded facts about a publication. */
export interface PublicationRecord extends SiteFacts {
  readonly publishedAt: Date;
  /** The end of a preview; undefined for a version, and for a preview that is kept until somebody deletes it. */
  readonly expiresAt?: Date | undefined;
  /** Whether somebody has restored it after it was removed or replaced: rules of retention leave it alone. */
  readonly restored?: true | undefined;
  /** Bytes and SHA-256, in lower-case hexadecimal, of the uploaded archive. */
  readonly archive: { readonly size: number; readonly sha256: string };
  /** The name (never the secret) of the token that uploaded it; `<maker>/<name>` of a made one. */
  readonly token: string;
  /** Maker of a made token: a token of the tokens file may have the same name. */
  readonly maker?: string | undefined;
  /** Source of the site, as far as the uploader named it. */
  readonly source?: Source | undefined;
  /** Faults of the site, as the uploader was told; undefined for none. */
  readonly warnings?: readonly SiteWarning[] | undefined;
}

/** Known part of a record: not all of it for a copied-in directory, or for an upload whose record is damaged. */
export type KnownRecord = Pick<PublicationRecord, 'publishedAt'> & Partial<PublicationRecord>;

/** Returns the record of a publication that is restored, with its new end if it has one. */
export function restoredRecord<R extends KnownRecord>({ expiresAt: _, ...record }: R, expiresAt?: Date) {
  return { ...record, ...(expiresAt === undefined ? {} : { expiresAt }), restored: true as const };
}

/** Code of a warning, for programs. The list is closed: metrics have a label for each. */
export const WARNING_CODES = [
  'other_address',
  'missing_styles',
  'missing_scripts',
  'drawn_by_scripts',
  'missing_page_replaced',
  'page_too_long',
  'charset_not_taken',
  'docinfo_ignored',
  'docinfo_field',
  'redirects',
  'no_index',
  'perhaps_a_preview',
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** A fault of an uploaded site that readers will meet, although it can be published. */
export interface SiteWarning {
  readonly code: WarningCode;
  /** A sentence for people, without a full stop. */
  readonly message: string;
  /** Instruction that makes it right, likewise. */
  readonly fix: string;
}

/** Returns a warning as text for people. */
export function warningText({ message, fix }: Pick<SiteWarning, 'message' | 'fix'>): string {
  return `${message}. ${fix}${/[.?]$/.test(fix) ? '' : '.'}`;
}
