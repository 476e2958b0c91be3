import type { ComponentChildren } from 'preact';
import { type Site, useAddresses, useSite } from './page-context.js';

interface LayoutProps {
  readonly title: string;
  /** The navigation entry of this page. */
  readonly current?: (typeof NAVIGATION)[number]['label'];
  /** Names of additional style sheets of this page. */
  readonly styles?: readonly string[];
  /** Modules of the page, with the nonce for its CSP. */
  readonly scripts?: Scripts;
  readonly children: ComponentChildren;
}

export interface Scripts {
  readonly nonce: string;
  readonly sources: readonly string[];
  /** Third-party scripts that are no modules. They run before the modules. */
  readonly libraries?: readonly string[];
}

const NAVIGATION = [
  { label: 'Projects', to: 'projects' },
  { label: 'Upload', to: 'upload' },
  { label: 'API', to: 'api' },
  { label: 'Help', to: 'help' },
] as const;

function isServed(page: (typeof NAVIGATION)[number]['to'], { uploads, uploadPage }: Site): boolean {
  return page === 'upload' ? uploadPage && uploads : page !== 'api' || uploadPage;
}

/** The frame of every page: head, skip link, banner, navigation, main, footer. The page adds its one `<h1>`. */
export function Layout({ title, current, styles, scripts, children }: LayoutProps) {
  const addresses = useAddresses();
  const site = useSite();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{`${title} · Lectern`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={addresses.icon} type="image/svg+xml" />
        {[addresses.stylesheet, ...(styles ?? [])].map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {scripts?.libraries?.map((source) => (
          <script key={source} defer src={source} nonce={scripts.nonce} />
        ))}
        {scripts?.sources.map((source) => (
          <script key={source} type="module" src={source} nonce={scripts.nonce} />
        ))}
      </head>
      <body>
        <a class="skip-link" href="#main">
          Skip to the content
        </a>
        <header class="banner">
          <a class="brand" href={addresses.projects}>
            <img src={addresses.icon} alt="" width="28" height="28" />
            <span class="brand-name">Lectern</span>
          </a>
          <nav aria-label="Lectern">
            <ul class="plain-list">
              {NAVIGATION.filter(({ to }) => isServed(to, site)).map(({ label, to }) => (
                <li key={label}>
                  <a
                    class="nav-link"
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
        <main id="main" tabindex={-1}>
          {children}
        </main>
        <footer class="colophon">
          <p>Lectern {site.version}</p>
          <p>
            <a class="soft-link" href={addresses.help}>
              How to read, download and upload
            </a>
          </p>
        </footer>
      </body>
    </html>
  );
}
