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
      <summary>Versions are removed by rules</summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`}</li>
        ))}
        <li>The latest version is always kept, and so is what has an alias.</li>
      </ul>
      {next !== undefined && (
        <p>
          The next to go is {next.version.label}, on <Day date={new Date(next.dueMs)} />.
        </p>
      )}
    </details>
  );
}
