import { type SiteWarning, warningText } from '../../src/domain/index.js';

/** The warnings in the answer of an upload, a line each. */
export async function warningsIn(answer: Response): Promise<string> {
  const { warnings } = (await answer.json()) as { warnings: readonly SiteWarning[] };
  return warnings.map(warningText).join('\n');
}
