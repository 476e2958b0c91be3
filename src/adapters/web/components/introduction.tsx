import type { MarkedToken, Token } from 'marked';
import { Fragment } from 'preact';
import type { Introduction as Tokens } from '../site/introduction.js';
import { useAddresses } from './page-context.js';

/** Markdown of the site file, above the list of projects. */
export function Introduction({ tokens }: { readonly tokens: Tokens }) {
  return (
    <div class="introduction prose measure">
      <Elements tokens={tokens} />
    </div>
  );
}

function Elements({ tokens = [] }: { readonly tokens?: readonly Token[] | undefined }) {
  return (
    <>
      {tokens.map((token, index) => (
        <Fragment key={index}>{elementOf(token as MarkedToken)}</Fragment>
      ))}
    </>
  );
}

/** Elements of the tokens that hold others, and nothing else. */
const ELEMENTS = {
  paragraph: 'p',
  heading: 'h2',
  blockquote: 'blockquote',
  strong: 'strong',
  em: 'em',
  del: 'del',
} as const;

/** Everything else was refused when the site file was read. */
function elementOf(token: MarkedToken) {
  switch (token.type) {
    case 'paragraph':
    case 'heading':
    case 'blockquote':
    case 'strong':
    case 'em':
    case 'del': {
      const Element = ELEMENTS[token.type];
      return (
        <Element>
          <Elements tokens={token.tokens} />
        </Element>
      );
    }
    case 'list': {
      const items = token.items.map((item, index) => (
        <li key={index}>
          <Elements tokens={item.tokens} />
        </li>
      ));
      return token.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'code':
      return (
        // Long lines scroll sideways; scrollable elements must be focusable by keyboard.
        <pre tabindex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'hr':
      return <hr />;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link {...token} />;
    case 'text':
      return token.tokens === undefined ? token.text : <Elements tokens={token.tokens} />;
    case 'escape':
      return token.text;
    default:
      return null;
  }
}

/** A link to another host, or to a path of this server. */
function Link({ href, tokens }: Extract<MarkedToken, { type: 'link' }>) {
  const { own } = useAddresses();
  return (
    <a href={href.startsWith('/') ? own(href) : href} rel="external">
      <Elements tokens={tokens} />
    </a>
  );
}
