import type { PageModels } from '../../../../application/index.js';
import { describeRules } from '../../../../domain/index.js';
import { Day } from '../day.js';

/** The rules by which versions of a project are removed, and which version goes next. Nothing where all are kept. */
export function RetentionNote({ rules, plan }: PageModels['project']['retention']) {
  const sentences = describeRules(rules);
  if (sentences.length === 0) return null;
  const next = plan.find(({ dueMs }) => dueMs > 0);
  return (
    <details class="retention">
      <summary>Retention</summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`}</li>
        ))}
        <li>The latest version and versions with an alias are always kept.</li>
      </ul>
      {next !== undefined && (
        <p>
          Next to be removed: {next.version.label}, on <Day date={new Date(next.dueMs)} />.
        </p>
      )}
    </details>
  );
}
