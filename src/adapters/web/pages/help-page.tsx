import type { PageModels } from '../../../application/index.js';
import { Layout } from '../components/layout.js';
import { useSite } from '../components/page-context.js';
import { Prose } from '../components/prose.js';
import { HELP_LEAD, helpSections } from '../help/help-content.js';

/** `/help`: how to read, find, download, upload and delete, with this server's address in every example. */
export function HelpPage(facts: PageModels['help']) {
  const sections = helpSections({ ...useSite(), ...facts });
  return (
    <Layout title="Help" current="Help">
      <div class="help">
        <div>
          <h1>Help</h1>
          <p class="lead">{HELP_LEAD}</p>
        </div>
        <nav class="contents" aria-labelledby="contents">
          <p class="contents-title" id="contents">
            On this page
          </p>
          <ul class="plain-list contents-list">
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a class="quiet-link contents-link" href={`#${id}`}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="prose">
          {sections.map(({ id, title, blocks }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>{title}</h2>
              <Prose blocks={blocks} />
            </section>
          ))}
        </div>
      </div>
    </Layout>
  );
}
