import type { MarkedToken, Token } from 'marked';
import { Fragment } from 'preact';
import type { Introduction as Tokens } from '../site/introduction.js';

/** Markdown of the site file, above the list of projects. */
export function Introduction({ tokens }: { readonly tokens: Tokens }) {
  return (
    <div class="introduction prose">
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

/** Everything else was refused when the site file was read. */
function elementOf(token: MarkedToken) {
  switch (token.type) {
    case 'paragraph':
      return (
        <p>
          <Elements tokens={token.tokens} />
        </p>
      );
    case 'heading':
      return (
        <h2>
          <Elements tokens={token.tokens} />
        </h2>
      );
    case 'list': {
      const items = token.items.map((item, index) => (
        <li key={index}>
          <Elements tokens={item.tokens} />
        </li>
      ));
      return token.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'blockquote':
      return (
        <blockquote>
          <Elements tokens={token.tokens} />
        </blockquote>
      );
    case 'code':
      return (
        // Long lines scroll sideways; scrollable elements must be focusable by keyboard.
        <pre tabindex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'hr':
      return <hr />;
    case 'strong':
      return (
        <strong>
          <Elements tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Elements tokens={token.tokens} />
        </em>
      );
    case 'del':
      return (
        <del>
          <Elements tokens={token.tokens} />
        </del>
      );
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <a href={token.href} rel="external">
          <Elements tokens={token.tokens} />
        </a>
      );
    case 'text':
      if (token.tokens !== undefined) return <Elements tokens={token.tokens} />;
      return <>{token.text}</>;
    case 'escape':
      return <>{token.text}</>;
    default:
      return null;
  }
}
