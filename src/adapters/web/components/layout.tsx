import type { ComponentChildren } from 'preact';
import type { Project } from '../../../domain/index.js';
import { asset, fonts, type Script, type Scripts, scriptsOf } from '../public-files.js';
import { Icon } from './icon.js';
import { takesTokens, useAddresses, useSite } from './page-context.js';

interface LayoutProps {
  readonly title: string;
  /** Sentence for search engines and for previews of links. @default `Documentation on <name>` */
  readonly description?: string | undefined;
  /** The navigation entry of this page. */
  readonly current?: (typeof NAVIGATION)[number]['label'];
  /** Names of additional style sheets of this page. */
  readonly styles?: readonly string[];
  readonly scripts?: Scripts | undefined;
  /** Whether the page has a field for everything: then the header has no link to the search. */
  readonly hasSearch?: boolean;
  /** The project that the page is about: the search in the header begins there. */
  readonly project?: SearchedProject | undefined;
  /** Address of a feed of what the page shows. */
  readonly feed?: string | undefined;
  readonly children: ComponentChildren;
}

type SearchedProject = Pick<Project, 'directoryName' | 'title'> & Partial<Pick<Project, 'isSearched'>>;

const NAVIGATION = [
  { label: 'Projects', to: 'projects' },
  { label: 'Upload', to: 'upload' },
  { label: 'API', to: 'api' },
  { label: 'Help', to: 'help' },
] as const;

/**
 * The policy for scripts, in addition to the header: the files that the page names, by their hashes. `'self'` of the
 * header would allow the scripts of hosted sites, on the same origin.
 */
function policyOf(files: readonly Script[]): string {
  const sources = files.map(({ integrity }) => `'${integrity}'`);
  return `script-src ${sources.length === 0 ? "'none'" : sources.join(' ')}`;
}

const NOTHING = { styles: [], modules: [] };
const DIALOG = [asset('search-dialog')];
// Read with this module: the page of a failure has it too, also when the process may open no more files.
scriptsOf({ modules: DIALOG });

/** The frame of every page: head, skip link, banner, navigation, main, footer. The page adds its one `<h1>`. */
export function Layout({
  title,
  description,
  current,
  styles,
  scripts,
  hasSearch = false,
  project,
  feed,
  children,
}: LayoutProps) {
  const addresses = useAddresses();
  const site = useSite();
  const { title: name = 'Lectern', logo, style, links = [], notice } = site.identity ?? {};
  const isDialogThere = site.search && !hasSearch;
  const forAll = isDialogThere ? { styles: ['search'], modules: DIALOG } : NOTHING;
  const files = scriptsOf({ ...scripts, modules: [...(scripts?.modules ?? []), ...forAll.modules] });
  const icon = logo === undefined ? addresses.icon : addresses.own(logo);
  const sheets = [
    addresses.stylesheet,
    ...[...new Set([...(styles ?? []), ...forAll.styles])].map(addresses.style),
    ...(style === undefined ? [] : [addresses.own(style)]),
  ];
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        {/* Before everything that comes from elsewhere. */}
        <meta http-equiv="Content-Security-Policy" content={policyOf(files)} />
        <title>{`${title} · ${name}`}</title>
        <Preview title={title} name={name} description={description || `Documentation on ${name}`} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={icon} type={logo === undefined ? 'image/svg+xml' : undefined} />
        {site.search && site.openSearch && (
          <link
            rel="search"
            type="application/opensearchdescription+xml"
            title={name}
            href={addresses.openSearch}
          />
        )}
        {feed !== undefined && <link rel="alternate" type="application/atom+xml" title={title} href={feed} />}
        {/* With the style sheet, which names it: so that it is there with the first paint. */}
        {fonts.map(({ path }) => (
          <link
            key={path}
            rel="preload"
            as="font"
            type="font/woff2"
            crossorigin="anonymous"
            href={addresses.own(path)}
          />
        ))}
        {sheets.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {files.map(({ path, ...attributes }) => (
          <script key={path} src={addresses.own(path)} {...attributes} />
        ))}
      </head>
      <body>
        <a class="skip-link" href="#main">
          Skip to the content
        </a>
        <header class="banner line ends">
          <a class="brand" href={addresses.projects}>
            <img
              class="brand-logo"
              src={icon}
              alt=""
              width={logo === undefined ? 28 : undefined}
              height="28"
            />
            <span class="brand-name">{name}</span>
          </a>
          {isDialogThere && <SearchLink project={project?.isSearched === false ? undefined : project} />}
          <nav aria-label={name}>
            <ul class="plain-list">
              {NAVIGATION.filter(({ to }) => to !== 'upload' || takesTokens(site)).map(({ label, to }) => (
                <li key={label}>
                  <a
                    class="quiet nav-link"
                    href={addresses[to]}
                    aria-current={label === current ? 'page' : undefined}
                  >
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </header>
        {notice !== undefined && (
          <aside class="site-notice caution" aria-label="Notice">
            <p>{notice}</p>
          </aside>
        )}
        <main id="main" tabindex={-1}>
          {children}
        </main>
        <footer class="colophon line ends small">
          <p>Lectern {site.version}</p>
          <ul class="plain-list line colophon-links">
            <li>
              <a class="soft-link" href={addresses.help}>
                Help
              </a>
            </li>
            {links.map(({ label, url }) => (
              <li key={label}>
                <a class="soft-link" href={url.startsWith('/') ? addresses.own(url) : url} rel="external">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </footer>
      </body>
    </html>
  );
}

/**
 * Metadata with which chats preview a link to the page (https://ogp.me). The image needs an absolute address, so it is there
 * where the public address is known.
 * @param name of the server
 */
function Preview({ title, name, description }: Readonly<Record<'title' | 'name' | 'description', string>>) {
  const addresses = useAddresses();
  const { origin, identity } = useSite();
  const image = addresses.own(identity?.logo ?? '/-/assets/lectern.png');
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:site_name" content={name} />
      <meta property="og:type" content="website" />
      {origin !== undefined && <meta property="og:image" content={new URL(image, origin).href} />}
    </>
  );
}

/** Leads to the search page; `search-dialog.js` opens a dialog instead. */
function SearchLink({ project }: { readonly project: SearchedProject | undefined }) {
  const addresses = useAddresses();
  return (
    <a
      class="quiet search-link"
      href={addresses.search({ project: project?.directoryName })}
      data-project-title={project?.title}
      aria-keyshortcuts="Control+K"
    >
      <Icon name="search" />
      <span class="search-link-name">Search</span>
      <span class="search-link-key key" aria-hidden="true">
        Ctrl K
      </span>
    </a>
  );
}
