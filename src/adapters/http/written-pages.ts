import type { Context } from 'koa';
import { newNonce, setOwnPageHeaders } from './own-page.js';
import { Written } from './written.js';

interface Kept {
  readonly page: Written;
  readonly nonce: string;
}

/** The address is a part of some pages, and anybody can ask under any. */
const MOST_VARIANTS = 8;

/**
 * Pages that are written once for each state of what they show, then sent from memory. The nonce of a page's
 * scripts is kept with it: whoever publishes something new that is shown cannot know the nonce that comes with it.
 */
export class WrittenPages {
  private readonly kept = new WeakMap<object, Map<string, Kept>>();

  /**
   * @param shown what the page shows: immutable, and another object when it changes
   * @param variant tells apart the pages that show the same
   */
  async send(ctx: Context, shown: object, variant: string, write: (nonce: string) => string): Promise<void> {
    const variants = this.kept.get(shown) ?? new Map<string, Kept>();
    this.kept.set(shown, variants);
    let kept = variants.get(variant);
    if (kept === undefined) {
      const nonce = newNonce();
      kept = { page: new Written(write(nonce), 'text/html; charset=utf-8'), nonce };
      if (variants.size >= MOST_VARIANTS) variants.clear();
      variants.set(variant, kept);
    }
    const { page, nonce } = kept;
    await page.send(ctx, () => setOwnPageHeaders(ctx, nonce));
  }
}
