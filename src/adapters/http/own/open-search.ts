import type { Middleware } from 'koa';
import type { AppParts } from '../app-parts.js';
import { sendText, Text } from '../response/send-text.js';

const TYPE = 'application/opensearchdescription+xml; charset=utf-8';

/** `/-/opensearch.xml`: how browsers search here. Its addresses have to be absolute, so there is none without `--public-url`. */
export function sendOpenSearch({ pages, at: { fixed } }: AppParts): Middleware {
  return async (ctx, next) => {
    if (fixed === undefined) return next();
    await sendText(ctx, new Text(pages.openSearch({ address: fixed }), TYPE));
  };
}
