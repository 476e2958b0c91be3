import type { Missing, Suggestions } from '../../application/index.js';
import type { Project, ProjectOrder, SearchTerm, Version } from '../../domain/index.js';
import type { ErrorCode } from './errors.js';

interface HelpModel {
  address: string;
  /** The HTTP status of each error. */
  statuses: Readonly<Record<ErrorCode, number>>;
}

/** Renders the pages for people, as complete HTML documents. Implemented by an adapter. */
export interface Pages {
  index(model: {
    projects: readonly Project[];
    found: number;
    search: SearchTerm;
    order: ProjectOrder;
    address: string;
    nonce: string;
  }): string;
  /** `address` is undefined where only the reader's browser knows it. */
  project(model: { project: Project; address: string | undefined; nonce: string }): string;
  /** The latest version as an SVG image; without a project it says that there is none. */
  badge(model: { project: Project | undefined }): string;
  /** Undefined when uploads or the upload page are turned off. */
  upload(model: { address: string; nonce: string }): string | undefined;
  /** Undefined when the server has no such page. */
  api(model: { nonce: string }): string | undefined;
  help(model: HelpModel): string;
  /** The help as plain text, for programs. */
  helpText(model: HelpModel): string;
  missing(model: { missing: Missing; suggestions: Suggestions }): string;
  listing(model: { version: Version; files: readonly string[]; more: boolean }): string;
  failure(model: { status: number; title: string; message: string; requestId?: string }): string;
}
