import type { Context } from 'koa';
import { newNonce, setOwnPageHeaders } from './own-page.js';
import { Written } from './written.js';
import type { Kept } from './written-cache.js';

/**
 * A page of the server's own that is written once and sent often. The nonce of its scripts is kept with it: whoever
 * publishes something new that is shown cannot know the nonce that comes with it.
 */
export class WrittenPage implements Kept {
  private constructor(
    private readonly html: Written,
    private readonly nonce?: string,
  ) {}

  static withScripts(write: (nonce: string) => string): WrittenPage {
    const nonce = newNonce();
    return new WrittenPage(new Written(write(nonce), 'text/html; charset=utf-8'), nonce);
  }

  static withoutScripts(html: string): WrittenPage {
    return new WrittenPage(new Written(html, 'text/html; charset=utf-8'));
  }

  get weight(): number {
    return this.html.weight;
  }

  send(ctx: Context): Promise<void> {
    return this.html.send(ctx, () => setOwnPageHeaders(ctx, this.nonce));
  }
}
