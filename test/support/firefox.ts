import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { MAX_SHOWING_MS } from './max-showing-ms.js';

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const isInstalled = existsSync(FIREFOX);
const reason = isInstalled || process.env.CI === 'true' ? false : `there is no Firefox at ${FIREFOX}`;

/** Firefox, driven by WebDriver BiDi. */
export class TestFirefox {
  private browser: Browser | undefined;

  async open(): Promise<void> {
    this.browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: FIREFOX,
      timeout: MAX_SHOWING_MS,
      protocolTimeout: MAX_SHOWING_MS,
    });
  }

  async close(): Promise<void> {
    await this.browser?.close();
  }

  /** Opens a page, hands it over, and checks at the end that its scripts had no error. */
  async see(
    url: string,
    { width = 1280 }: { readonly width?: number },
    look: (page: Page) => Promise<void>,
  ): Promise<void> {
    assert.ok(this.browser !== undefined, 'Firefox is open');
    const page = await this.browser.newPage();
    const errors: unknown[] = [];
    page.on('pageerror', (error) => errors.push(error));
    page.setDefaultTimeout(MAX_SHOWING_MS);
    try {
      await page.setViewport({ width, height: 800 });
      await page.goto(url);
      await look(page);
      assert.deepEqual(errors, []);
    } finally {
      await page.close();
    }
  }
}

/** Tests in Firefox. Without it they are skipped, and say so; never where CI is `true`. */
export function describeInFirefox(title: string, tests: (firefox: TestFirefox) => void): void {
  describe(title, { skip: reason }, () => {
    const firefox = new TestFirefox();
    before(async () => {
      assert.ok(isInstalled, `there is no Firefox at ${FIREFOX}`);
      await firefox.open();
    });
    after(() => firefox.close());
    tests(firefox);
  });
}
