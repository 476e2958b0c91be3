// The API reference: Swagger UI shows the server's API description. Its title, choice of servers and token dialog are
// replaced by this page's.

const api = document.querySelector('#api');
const token = document.querySelector('#token');
const plainHttp = document.querySelector('#plain-http');
const SECURITY_SCHEME = 'token';
const TOKEN_HEADER = 'X-Token';

const lectern = ({ React: { createElement } }) => ({
  components: {
    LecternLayout: ({ getComponent }) =>
      createElement(
        'div',
        { className: 'swagger-ui' },
        createElement(getComponent('errors', true)),
        createElement(getComponent('operations', true)),
      ),
  },
  wrapComponents: {
    // Operations are not grouped.
    OperationTag:
      () =>
      ({ children }) =>
        createElement(
          'div',
          null,
          createElement('h2', { className: 'visually-hidden' }, 'Operations'),
          children,
        ),
    OperationSummary: (Summary) => (props) =>
      createElement('div', { role: 'heading', 'aria-level': 3 }, createElement(Summary, props)),
    // Request headers such as If-None-Match are for programs; the description has them.
    parameterRow: (Row) => (props) =>
      props.rawParam?.get('in') === 'header' ? null : createElement(Row, props),
    CopyToClipboardBtn: () => () => null,
    // People copy the command into tickets, so it must not contain the token.
    curl: (Curl) => (props) => {
      const header = ['headers', TOKEN_HEADER];
      const request = props.request.hasIn(header)
        ? props.request.setIn(header, '<your token>')
        : props.request;
      return createElement(Curl, { ...props, request });
    },
    authorizeOperationBtn: () => () => null,
    // Without a title the collapse button would have no accessible name.
    ModelCollapse: (Collapse) => (props) =>
      props.title ? createElement(Collapse, props) : createElement('span', null, props.children),
    JsonSchema_string: labelled(createElement),
    JsonSchema_boolean: labelled(createElement),
  },
});

/** Swagger UI gives form fields no label. */
function labelled(createElement) {
  return (Field) => (props) =>
    createElement(
      'label',
      null,
      createElement('span', { className: 'visually-hidden' }, props.description || 'File'),
      createElement(Field, props),
    );
}

const ui = window.SwaggerUIBundle({
  domNode: api,
  url: api.dataset.specification,
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [lectern],
  layout: 'LecternLayout',
  docExpansion: 'list',
  defaultModelExpandDepth: 4,
  tryItOutEnabled: true,
  supportedSubmitMethods: isSecureContext ? ['get', 'post', 'delete'] : ['get'],
  // Its inline colours suit only one background.
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  persistAuthorization: false,
});

// Scrollable elements must be focusable by keyboard.
const makeReachable = () => {
  for (const code of api.querySelectorAll('pre:not([tabindex])')) code.tabIndex = 0;
};
new MutationObserver(makeReachable).observe(api, { childList: true, subtree: true });

token?.addEventListener('input', () => {
  if (token.value === '') ui.authActions.logout([SECURITY_SCHEME]);
  else ui.preauthorizeApiKey(SECURITY_SCHEME, token.value);
});
// Over plain HTTP the scripts of hosted sites can access this page.
if (token !== null) token.disabled = !isSecureContext;
if (plainHttp !== null) plainHttp.hidden = isSecureContext;
