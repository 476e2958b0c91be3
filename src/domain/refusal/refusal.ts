import type { SiteWarning } from '../publication-record.js';

const MAX_QUOTED = 200;
/** Control and format characters (cursor movement, writing direction, zero width), line separators, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Code of a refusal. The list is closed: adapters map every code, so a new one does not compile until each adapter
 * handles it.
 */
export type RefusalCode =
  | 'invalid_request'
  | 'invalid_filename'
  | 'invalid_archive'
  | 'invalid_settings'
  | 'authentication_required'
  | 'person_not_accepted'
  | 'project_not_allowed'
  | 'version_not_allowed'
  | 'project_not_existing'
  | 'delete_not_allowed'
  | 'manage_not_allowed'
  | 'tokens_not_allowed'
  | 'project_not_found'
  | 'version_not_found'
  | 'preview_not_found'
  | 'token_not_found'
  | 'version_exists'
  | 'name_taken'
  | 'upload_too_large'
  | 'archive_too_large'
  | 'site_has_warnings'
  | 'dead_links'
  | 'unavailable'
  | 'insufficient_storage';

/** An error that refuses a request: a code for programs, a sentence for people, and the facts. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly facts: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions & {
      /** The setting that caused the refusal, if any. */
      readonly setting?: Setting | undefined;
      /** The warnings that caused it. */
      readonly warnings?: readonly SiteWarning[] | undefined;
    },
  ) {
    super(message, options);
    this.setting = options?.setting;
    this.warnings = options?.warnings;
  }

  readonly setting: Setting | undefined;
  readonly warnings: readonly SiteWarning[] | undefined;
}

/** A refusal of what cannot be done now. */
export function unavailable(message: string, options?: ErrorOptions): Refusal {
  return new Refusal('unavailable', message, {}, options);
}

/** A setting that the operator or the sender of a request can change. Adapters name the flag or the header. */
export type Setting =
  | 'tokens'
  | 'token'
  | 'token_of_file'
  | 'upload_size'
  | 'extracted_size'
  | 'files'
  | 'ratio'
  | 'free_space';

/** A limit that was exceeded. */
export interface PassedLimit {
  readonly setting: Setting;
  readonly limit: number;
  readonly met: number;
  readonly unit: 'bytes' | 'files' | 'times its size';
}

/** Escapes the invisible characters of untrusted text, for a terminal or a sentence. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0)?.toString(16) ?? '';
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Quotes untrusted text for a sentence: cut to 200 characters, invisible characters escaped. */
export function quote(text: string): string {
  let quoted = '';
  for (const character of text) {
    const piece = visible(character);
    if (quoted.length + piece.length > MAX_QUOTED) return `'${quoted}…'`;
    quoted += piece;
  }
  return `'${quoted}'`;
}
