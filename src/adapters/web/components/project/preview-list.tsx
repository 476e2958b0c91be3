import { counted, minuteOf, type Version } from '../../../../domain/index.js';
import { Day } from '../day.js';
import { useAddresses } from '../page-context.js';
import { Warnings } from './warnings.js';

/** The previews of a project, folded: links for those who work on it. Nothing without previews. */
export function PreviewList({ previews }: { readonly previews: readonly Version[] }) {
  const addresses = useAddresses();
  if (previews.length === 0) return null;
  return (
    <details class="previews">
      <summary>{counted(previews.length, 'preview')}</summary>
      <ul class="plain-list">
        {previews.map((preview) => (
          <li class="version-line" key={preview.label}>
            <span class="version-label">
              <a class="quiet-link" href={addresses.site(preview)}>
                {preview.label}
              </a>
            </span>
            <span class="preview-end">
              <Day date={preview.record.publishedAt} /> · <End of={preview} />
            </span>
            <Warnings of={preview} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function End({ of }: { readonly of: Version }) {
  const { expiresAt } = of.record;
  if (expiresAt === undefined) return <>kept</>;
  return (
    <>
      until{' '}
      <time datetime={expiresAt.toISOString()} title={minuteOf(expiresAt)}>
        {expiresAt.toISOString().slice(0, 10)}
      </time>
    </>
  );
}
