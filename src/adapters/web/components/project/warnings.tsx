import { counted, type Version, warningText } from '../../../../domain/index.js';

/** The warnings of the upload, folded. Nothing for a version without any. */
export function Warnings({ of }: { readonly of: Version }) {
  const { warnings = [] } = of.record;
  if (warnings.length === 0) return null;
  return (
    <details class="warnings">
      <summary>
        {counted(warnings.length, 'warning')}
        <span class="visually-hidden"> about {of.label}</span>
      </summary>
      <ul>
        {warnings.map((warning) => (
          <li key={warning.message}>
            <bdi>{warningText(warning)}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}
