import type { Missing } from '../../application/index.js';
import type { Project, Version } from '../../domain/index.js';

/** The pages that people see, as complete HTML documents. An adapter of their own renders them. */
export interface Pages {
  index(model: { projects: readonly Project[]; search: string; address: string }): string;
  help(model: { address: string }): string;
  missing(model: { missing: Missing }): string;
  listing(model: { version: Version; files: readonly string[]; more: boolean }): string;
  failure(model: { status: number; title: string; message: string; requestId?: string }): string;
}
