import type { ComponentChildren } from 'preact';
import type { PageModels } from '../../../application/index.js';
import { Fold } from '../components/fold.js';
import { Layout } from '../components/layout.js';
import { useAddresses, useSite } from '../components/page-context.js';
import { Prose } from '../components/prose.js';
import type { Section } from '../help/block.js';
import { HELP_LEAD, publishingHelp, readingHelp } from '../help/help-content.js';
import { asset } from '../public-files.js';

/** `/help`: how to find, read and download, with this server's address in every example. */
export function HelpPage(model: PageModels['help']) {
  const { publishing } = useAddresses();
  const facts = { ...useSite(), ...model };
  return (
    <Help
      current="Read"
      title="Read documentation"
      lead={HELP_LEAD}
      sections={readingHelp(facts)}
      after={
        <section id="publish" aria-labelledby="publish-title">
          <h2 id="publish-title">Publish</h2>
          <p>
            How to upload, replace and delete versions is on <a href={publishing}>a page of its own</a>:
          </p>
          {/* With the anchors that these chapters have there: addresses such as `/help#upload` are known. */}
          <ul class="plain-list chapters">
            {publishingHelp(facts).map(({ id, title }) => (
              <li key={id} id={id}>
                <a class="quiet-link contents-link" href={`${publishing}#${id}`}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      }
    />
  );
}

/** `/-/help/publish`: how to upload, name, describe and delete. */
export function PublishingPage(model: PageModels['publishing']) {
  return (
    <Help
      current="Publish"
      title="Publish documentation"
      lead="A version is a zip of a built site. It can be read as soon as it is uploaded."
      sections={publishingHelp({ ...useSite(), ...model })}
    />
  );
}

interface HelpProps {
  readonly current: 'Read' | 'Publish';
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly Section[];
  readonly after?: ComponentChildren;
}

function Help({ current, title, lead, sections, after }: HelpProps) {
  const addresses = useAddresses();
  const pages = { Read: addresses.help, Publish: addresses.publishing };
  return (
    <Layout title={`Help: ${title}`} current="Help" scripts={{ modules: [asset('copy')] }}>
      <div class="sides guide">
        <div>
          <nav class="guide-pages" aria-label="Help">
            <ul class="plain-list">
              {Object.entries(pages).map(([name, address]) => (
                <li key={name}>
                  <a
                    class="quiet nav-link"
                    href={address}
                    aria-current={name === current ? 'page' : undefined}
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <h1>{title}</h1>
          <p class="lead">{lead}</p>
        </div>
        <nav class="contents" aria-labelledby="contents">
          <p class="small" id="contents">
            On this page
          </p>
          <ul class="plain-list line">
            {[...sections, ...(after === undefined ? [] : [{ id: 'publish', title: 'Publish' }])].map(
              ({ id, title }) => (
                <li key={id}>
                  <a class="soft-link contents-link" href={`#${id}`}>
                    {title}
                  </a>
                </li>
              ),
            )}
          </ul>
        </nav>
        <div class="prose">
          {sections.map((section) => (
            <Chapter key={section.id} {...section} />
          ))}
          {after}
        </div>
      </div>
    </Layout>
  );
}

function Chapter({ id, title, isFolded, blocks }: Section) {
  if (isFolded)
    return (
      <Fold title={<h2>{title}</h2>} id={id}>
        <Prose blocks={blocks} />
      </Fold>
    );
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <Prose blocks={blocks} />
    </section>
  );
}
