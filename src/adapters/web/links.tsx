import type { HouseReport, ShownLink, ShownLinks } from '../../application/index.js';
import { counted, nameInProject, projectTitle, type Version } from '../../domain/index.js';
import { byTarget, missingWord } from '../../formats/links/link-report.js';
import { Layout } from './components/layout.js';
import { useAddresses } from './components/page-context.js';

/** Max. missing targets on a page, and links between sites in a list. */
const MAX_SHOWN = 200;
/** Max. pages that are named for each missing target. */
const MAX_FROM = 5;

/**
 * `/-/check/<project>/<version>`: the dead links of a version, by missing target.
 * @param offset number of missing targets before those that are shown
 */
export function LinksPage({ offset, ...shown }: ShownLinks & { readonly offset: number }) {
  const addresses = useAddresses();
  const { project, version, report, byPage, redirects, house } = shown;
  const [title, name] = [projectTitle(shown), nameInProject(version)];
  const count = report && countIn(report);
  const listed = byPage.reduce((sum, { links }) => sum + links.length, 0);
  const targets = byTarget(byPage);
  const next = offset + MAX_SHOWN;
  return (
    <Layout
      title={`Links of ${title} ${name}`}
      description={count ?? 'Links are not checked'}
      styles={['compare']}
      project={project}
    >
      <p class="small">
        {project === undefined ? (
          <bdi>{title}</bdi>
        ) : (
          <a class="quiet-link" href={addresses.project(project)}>
            <bdi>{title}</bdi>
          </a>
        )}
      </p>
      <h1>Links of {name}</h1>
      <p class="count">{count ?? 'The links of this version are not checked.'}</p>
      {report?.isCut && <p>The site is larger than what is checked: there may be more.</p>}
      {report !== undefined && listed < report.dead && <p>The first {listed} are listed.</p>}
      {targets.slice(offset, next).map(({ from, ...target }) => (
        <section key={`${target.missing} ${target.target}`}>
          <h2>
            No {missingWord(target)}{' '}
            <code>
              <bdi>{target.target}</bdi>
            </code>
          </h2>
          <Closest link={target} version={version} />
          <ul class="plain-list compared-pages">
            {from.slice(0, MAX_FROM).map(({ path, link }) => (
              <li class="row line ends" key={`${path} ${link}`}>
                <a class="quiet-link row-link" href={addresses.site(version) + addresses.page(path)}>
                  <bdi>{path}</bdi>
                </a>
                {link !== target.target && (
                  <code>
                    <bdi>{link}</bdi>
                  </code>
                )}
              </li>
            ))}
          </ul>
          {from.length > MAX_FROM && (
            <p class="count">And in {counted(from.length - MAX_FROM, 'more page')}</p>
          )}
        </section>
      ))}
      {targets.length > next && (
        <p class="buttons">
          <a class="button" href={`${addresses.links(version)}?offset=${next}`}>
            More links
          </a>
        </p>
      )}
      {redirects.length > 0 && (
        <section aria-labelledby="redirects">
          <h2 id="redirects">Redirects</h2>
          <p>
            In <code>_redirects</code> at the root of the site, these lines lead readers of missing pages to
            the closest ones. Leave out those that are wrong.
          </p>
          <pre class="above-3" tabindex={0}>
            <code>{redirects.join('\n')}</code>
          </pre>
        </section>
      )}
      {house !== undefined && <BetweenSites {...house} of={version} title={title} />}
      <p class="count apart">
        Links to pages, anchors and files of this version and of projects on this server are checked. Links to
        other servers are not.
      </p>
    </Layout>
  );
}

/** Links to other projects and versions that lead nowhere, and links of other projects that lead nowhere in this one. */
function BetweenSites({
  of,
  title,
  isChecked,
  dead,
  links,
  here,
}: HouseReport & { readonly of: Version; readonly title: string }) {
  const shown = links.slice(0, MAX_SHOWN);
  const shownHere = here.slice(0, MAX_SHOWN);
  return (
    <>
      {!isChecked && <p>Links between projects are still being looked up.</p>}
      {dead > 0 && (
        <section aria-labelledby="others">
          <h2 id="others">{counted(dead, 'dead link')} to other projects and versions</h2>
          {shown.length < dead && <p>The first {shown.length} are listed.</p>}
          <LinksBetween links={shown.map((link) => ({ ...link, version: of }))} />
        </section>
      )}
      {here.length > 0 && (
        <section aria-labelledby="here">
          <h2 id="here">
            Links of other projects that lead nowhere in <bdi>{title}</bdi>
          </h2>
          {shownHere.length < here.length && <p>The first {shownHere.length} are listed.</p>}
          <LinksBetween links={shownHere} />
        </section>
      )}
    </>
  );
}

function LinksBetween({ links }: { readonly links: HouseReport['here'] }) {
  const addresses = useAddresses();
  return (
    <ul class="plain-list compared-pages">
      {links.map(({ version, page, link, missing }) => (
        <li class="row line ends" key={`${version.directoryName}/${page} ${link}`}>
          <div>
            <a class="quiet-link row-link" href={addresses.site(version) + addresses.page(page)}>
              <bdi>{`${version.directoryName}/${page}`}</bdi>
            </a>
            <div>
              <code>
                <bdi>{link}</bdi>
              </code>
            </div>
          </div>
          <span class="tally">no such {missingWord({ missing, target: link.replace(/[?#].*$/s, '') })}</span>
        </li>
      ))}
    </ul>
  );
}

function countIn({ pages, dead }: NonNullable<ShownLinks['report']>): string {
  const within = `in ${counted(pages, 'page')}`;
  return dead === 0 ? `No dead links ${within}` : `${counted(dead, 'dead link')} ${within}`;
}

/** Says which page or anchor is closest. */
function Closest({ link, version }: { readonly link: ShownLink; readonly version: Version }) {
  const addresses = useAddresses();
  const { closest, leadsTo } = link;
  if (closest === undefined || leadsTo === undefined) return null;
  return (
    <p class="count">
      Closest:{' '}
      <a class="quiet-link" href={addresses.site(version) + leadsTo}>
        <bdi>{closest}</bdi>
      </a>
    </p>
  );
}
