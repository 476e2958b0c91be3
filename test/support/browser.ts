import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe } from 'node:test';
import {
  type Browser,
  type ConsoleMessage,
  chromium,
  type Frame,
  type Page,
  type Request,
  type WebError,
} from 'playwright-core';
import { MAX_SHOWING_MS } from './max-showing-ms.js';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Features that Playwright disables by default: a `--disable-features` of our own replaces its list. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
/** A host that pages come from over plain HTTP, as far as the browser knows: no secure context. */
export const PLAIN_HTTP_HOST = 'docs.test';
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The list below the address bar is a web page by now, which each new window loads: half a second of processor time.
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'].join()}`,
  // Pages of one site share a process, as they do where many are open: to start one takes as long as most of our pages do.
  '--renderer-process-limit=1',
  // A name of this machine that browsers do not trust, as they do `localhost` and 127.0.0.1.
  `--host-resolver-rules=MAP ${PLAIN_HTTP_HOST} 127.0.0.1`,
];
const isInstalled = existsSync(CHROMIUM);
const reason = isInstalled || process.env.CI === 'true' ? false : `there is no browser at ${CHROMIUM}`;

/** Settings of the browser for a page. */
export interface View {
  readonly width?: number;
  readonly dark?: boolean;
  readonly scripts?: boolean;
  /** A telephone: it has a touch screen, and zooms out of a page that is wider. */
  readonly phone?: boolean;
  /** A page of others, whose own faults and requests do not count. */
  readonly foreign?: boolean;
  /** Domain whose hosts may be asked as well. */
  readonly hosts?: string;
  /** Whether the flow has a page to itself, closed afterwards: for flows that drive the browser's devices. */
  readonly alone?: boolean;
}

export const WIDTHS = [360, 1280] as const;

/** A telephone by night and a desk by day; `LECTERN_VIEWS=all` adds the other two. */
export const VIEWS: readonly (readonly [name: string, view: View])[] = WIDTHS.flatMap((width) =>
  [width === WIDTHS[0], width !== WIDTHS[0]]
    .slice(0, process.env.LECTERN_VIEWS === 'all' ? 2 : 1)
    .map((dark): [string, View] => [`${width} px, ${dark ? 'dark' : 'light'}`, { width, dark }]),
);

/**
 * Browser of all files of a process, with one page for all flows that run scripts, and others for flows without scripts and
 * for phones: a page for each view would be a process each, which compiles axe-core again.
 */
export class TestBrowser {
  private browser: Browser | undefined;
  private readonly pages = new Map<string, Page>();

  /**
   * Opens a page, hands it over, and checks at the end that the console stayed silent, and that nothing was asked of
   * another host.
   * @param statuses of failures that belong to the flow: the browser notes them, whatever the page makes of them
   */
  async see(
    url: string,
    view: View,
    look: (page: Page) => Promise<void>,
    statuses: readonly number[] = [404],
  ): Promise<void> {
    const page = await this.page(view);
    const context = page.context();
    const { origin } = new URL(url);
    const complaints: string[] = [];
    // Events of the previous flow's page, until this page takes its place, don't belong to this flow.
    let isOpen = false;
    const onNavigated = (frame: Frame) => {
      isOpen ||= frame === page.mainFrame();
    };
    const isStatus = (text: string) =>
      text.startsWith('Failed to load resource') &&
      statuses.some((status) => text.includes(`status of ${status} `));
    const isAboutPlainHttp = (text: string) =>
      text.startsWith('The Cross-Origin-Opener-Policy header has been ignored') &&
      new URL(url).hostname === PLAIN_HTTP_HOST;
    const onConsole = (message: ConsoleMessage) => {
      if (
        isOpen &&
        message.type() === 'error' &&
        !isStatus(message.text()) &&
        !isAboutPlainHttp(message.text())
      )
        complaints.push(message.text());
    };
    const onError = (error: WebError) => {
      if (isOpen) complaints.push(String(error.error()));
    };
    const onRequest = (request: Request) => {
      if (!isOpen && !request.isNavigationRequest()) return;
      const address = new URL(request.url());
      const isOurs = address.origin === origin || `.${address.hostname}`.endsWith(`.${view.hosts}`);
      if (/^https?:$/.test(address.protocol) && !isOurs) complaints.push(request.url());
    };
    page.on('framenavigated', onNavigated);
    context.on('console', onConsole).on('weberror', onError).on('request', onRequest);
    let isLeftClean = false;
    try {
      await this.open(page, url);
      await look(page);
      if (view.foreign !== true) assert.deepEqual(complaints, []);
      await this.leave(page, view);
      isLeftClean = view.alone !== true;
    } finally {
      page.off('framenavigated', onNavigated);
      context.off('console', onConsole).off('weberror', onError).off('request', onRequest);
      if (!isLeftClean) {
        if (view.alone !== true) this.pages.delete(keyOf(view));
        await context.close();
      }
    }
  }

  private async page(view: View): Promise<Page> {
    const { width = 1280, dark = false, scripts = true, phone = false, alone = false } = view;
    const look = { colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' } as const;
    const viewport = { width, height: 800 };
    const kept = alone ? undefined : this.pages.get(keyOf(view));
    if (kept !== undefined) {
      await kept.setViewportSize(viewport);
      await kept.emulateMedia({ media: null, ...look });
      return kept;
    }
    this.browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    const context = await this.browser.newContext({
      viewport,
      ...look,
      javaScriptEnabled: scripts,
      isMobile: phone,
      hasTouch: phone,
    });
    context.setDefaultTimeout(MAX_SHOWING_MS);
    const page = await context.newPage();
    if (!alone) this.pages.set(keyOf(view), page);
    return page;
  }

  /** Opens an address anew: to another anchor of the page that is there, the browser would only scroll. */
  private async open(page: Page, url: string): Promise<void> {
    const [document, anchor] = url.split('#');
    if (anchor !== undefined && page.url().split('#')[0] === document) await page.goto('about:blank');
    await page.goto(url);
  }

  /**
   * Removes the state of a flow, so that the next one sees none. The page stays: an empty one would be a process of its own,
   * since our pages let no other page into theirs (Cross-Origin-Opener-Policy).
   */
  private async leave(page: Page, { scripts = true }: View): Promise<void> {
    if (scripts) await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    await page.context().clearCookies();
  }

  /** Ends the browser; the next page starts another one. */
  async close(): Promise<void> {
    await this.browser?.close();
    this.browser = undefined;
    this.pages.clear();
  }
}

/** Returns a key of the settings that a page cannot change once it is open. */
function keyOf({ scripts = true, phone = false }: View): string {
  return `${scripts} ${phone}`;
}

const browser = new TestBrowser();
/** Suites of this process that have not ended. The browser is closed after the last one. */
let suitesAhead = 0;

/** Tests in a real browser. Without one they are skipped, and say so; never where CI is `true`. */
export function describeInBrowser(title: string, tests: (browser: TestBrowser) => void): void {
  describe(title, { skip: reason }, () => {
    suitesAhead += 1;
    before(() => assert.ok(isInstalled, `there is no browser at ${CHROMIUM}`));
    after(async () => {
      suitesAhead -= 1;
      if (suitesAhead === 0) await browser.close();
    });
    tests(browser);
  });
}

/** Rules of axe-core that the colours of a page decide. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

let axe: Promise<string> | undefined;

/**
 * Asserts that axe-core finds nothing on the page, minor faults and its best practices included, in shadow roots too.
 * @param rules ids of those that are tried; by default all
 */
export async function assertAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Evaluated by the browser's debugger: the page's own policy lets no foreign script in.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(await axe);
  const found = await page.evaluate(`(async () => {
    const { violations } = await axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], runOnly: rules })});
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).join('; '));
  })()`);
  assert.deepEqual(found, []);
}

/** Asserts that nothing is wider than the window. */
export async function assertFits(page: Page): Promise<void> {
  const [content, room] = await page.evaluate<[number, number]>(
    'const { scrollWidth, clientWidth } = document.documentElement; [scrollWidth, clientWidth]',
  );
  assert.ok(content <= room, `the page is ${content} px wide in a window of ${room}`);
}
