import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Addresses, addressesAt } from '../addresses.js';
import type { ClientFile } from '../public-files.js';
import type { Identity } from '../site/open-site.js';

/** Facts about the server for every page. */
export interface Site {
  /** The version of Lectern. */
  readonly version: string;
  /** Whether the server has tokens, so that uploads are possible. */
  readonly uploads: boolean;
  /** Whether the pages that take a token are served where the server has tokens: `/-/upload` and `/-/manage/`. */
  readonly uploadPage: boolean;
  /** Identity of the server, if there is a site file. */
  readonly identity?: Identity | undefined;
  /** The client that the server hands out. */
  readonly client?: ClientFile | undefined;
  /** Whether pages can be searched for. @default false */
  readonly search?: boolean;
  /** Time for which what was deleted or replaced can be restored, in milliseconds. @default 0 */
  readonly keepRemovedMs?: number;
  /** Whether `/-/opensearch.xml` is served where pages can be searched for: the public address is known. @default false */
  readonly openSearch?: boolean;
  /** Public address of the server, for images in previews of links. */
  readonly origin?: string | undefined;
  /**
   * Whether no hosted site shares the origin of these pages, since its addresses redirect to hosts. Then the pages that take a token
   * may keep it for the tab. @default false
   */
  readonly hasOwnOrigin?: boolean;
  /** Whether reads are counted. @default false */
  readonly usage?: boolean;
  /** Whether coding agents can ask, at `/-/mcp`. @default false */
  readonly mcp?: boolean;
  /** Whether their users can sign in, at `/-/mcp/private`. @default false */
  readonly signIn?: boolean;
}

/** Returns whether the pages that take a token are served. */
export function takesTokens({ uploads, uploadPage }: Site): boolean {
  return uploads && uploadPage;
}

/** Facts that all components of a page share: about the server, and its addresses, which depend on the base path. */
export const PageContext = createContext<{ readonly site: Site; readonly addresses: Addresses }>({
  site: { version: 'DEV', uploads: false, uploadPage: false },
  addresses: addressesAt((path) => path),
});

/** Returns the facts about the server. */
export function useSite(): Site {
  return useContext(PageContext).site;
}

/** Returns the addresses for the page that is being rendered. */
export function useAddresses(): Addresses {
  return useContext(PageContext).addresses;
}
