import { spanOf } from '../../../../domain/index.js';
import { useSite } from '../page-context.js';
import { Rows } from './rows.js';
import { Section } from './section.js';

/** What can be restored. */
export function Removed() {
  const { keepRemovedMs = 0 } = useSite();
  return (
    <Section name="removed" title="Removed versions">
      <p class="count">
        {keepRemovedMs > 0
          ? `What is deleted or replaced can be restored for ${spanOf(keepRemovedMs)}.`
          : 'This server keeps nothing of what is deleted or replaced.'}
      </p>
      <Rows
        list="removed"
        acts={{ restore: 'Restore' }}
        none={keepRemovedMs > 0 ? 'Nothing can be restored now.' : undefined}
      />
    </Section>
  );
}
