/** Code of a warning, for programs. The list is closed: metrics have a label for each. */
export const WARNING_CODES = [
  'other_address',
  'missing_styles',
  'missing_scripts',
  'drawn_by_scripts',
  'missing_page_replaced',
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
