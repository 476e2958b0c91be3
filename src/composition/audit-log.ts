import type { AuditFile } from '../adapters/audit-log/audit-file.js';
import { naming } from '../adapters/cli/index.js';
import { Audit, type AuditLog } from '../application/index.js';
import { warn } from './storage.js';

/** The record of changes. */
export interface Recording {
  readonly audit: Audit;
  /** The file of `--audit-log`. */
  readonly file: AuditFile | undefined;
  /** Writes pending records, and closes the file. */
  close(): Promise<void>;
}

/** Opens the record of changes. @param log path of its file, or a log that the caller closes. @throws StartError */
export async function openRecord(
  log: string | AuditLog | undefined,
  report: (message: string, fields: { readonly err?: unknown }) => void,
): Promise<Recording> {
  const file = typeof log === 'string' ? await openFile(log, report) : undefined;
  const audit = new Audit(file ?? (typeof log === 'string' ? undefined : log));
  const close = async () => {
    await audit.close();
    await file?.close();
  };
  return { audit, file, close };
}

/** Does the work of a command, with the record of changes if `file` is given. @throws StartError */
export async function* recording<Step>(
  file: string | undefined,
  work: (audit: Audit) => AsyncIterable<Step>,
): AsyncGenerator<Step> {
  const record = await openRecord(file, warn);
  try {
    yield* work(record.audit);
  } finally {
    await record.close();
  }
}

async function openFile(path: string, report: Parameters<typeof openRecord>[1]): Promise<AuditFile> {
  // Loaded only where there is one.
  const { AuditFile } = await import('../adapters/audit-log/audit-file.js');
  return naming(`the audit log ${path}`, AuditFile.open(path, report));
}
