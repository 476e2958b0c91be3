/** Files of sites that a script draws, as their builders write them, without the scripts. */

const ENTRY = { importPath: './src/Button.stories.js', tags: ['dev', 'test', 'manifest', 'stable'] };

/** Site of Storybook 10, whose front page loads `sb-manager/runtime.js`. */
export const STORYBOOK: Readonly<Record<string, string>> = {
  'index.html':
    '<!DOCTYPE html><title>storybook - Storybook</title><link href="./sb-manager/runtime.js" rel="modulepreload" />',
  'iframe.html': '<!DOCTYPE html><title>Storybook</title><h1>No Preview</h1>',
  'index.json': JSON.stringify({
    v: 5,
    entries: {
      'introduction--docs': {
        ...{ id: 'introduction--docs', title: 'Introduction', name: 'Docs', type: 'docs' },
        ...{ importPath: './src/Intro.mdx', tags: ['dev', 'unattached-mdx'] },
      },
      'components-button--docs': {
        ...{
          id: 'components-button--docs',
          title: 'Components/Button',
          name: 'Docs',
          type: 'docs',
          ...ENTRY,
        },
      },
      'components-button--with-spout': {
        ...{ id: 'components-button--with-spout', title: 'Components/Button', name: 'With a spout' },
        ...{ type: 'story', ...ENTRY, tags: ['dev', 'experimental'] },
      },
      'kettle--empty': {
        ...{ id: 'kettle--empty', title: 'Kettle', name: 'Empty', type: 'story' },
        importPath: './src/Kettle.stories.js',
      },
    },
  }),
};

export const DOCSIFY: Readonly<Record<string, string>> = {
  'index.html':
    '<!DOCTYPE html><title>Teapot</title><div id="app"></div><script>window.$docsify = { name: "Teapot" }</script><script src="docsify.min.js"></script>',
  'README.md': '# The teapot\n\nPorcelain, of all things.\n',
  'guide.md': '# Pouring\n\nSlowly.\n\n## Drip and drop!\n\nA *napkin* helps.\n\n```js\npour();\n```\n',
  'a folder/README.md': '# Folder\n\nInside.\n',
  '_sidebar.md': '* [Pouring](guide.md)\n',
};

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Samovar API', description: 'Boils **much** water.' },
  tags: [{ name: 'Hot Water', description: 'All about boiling.' }],
  paths: {
    '/samovars/{id}/boil': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      post: {
        ...{ operationId: 'boilSamovar', summary: 'Boil a samovar', tags: ['Hot Water'] },
        description: 'Waits for the *whistle*.',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Boiling' } } },
        },
        responses: { 202: { description: 'It is heating.' } },
      },
    },
    '/samovars': { get: { responses: {} } },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, description: 'Which samovar.' } },
    schemas: { Boiling: { properties: { degrees: { description: 'At most 100.' } } } },
  },
};
export const OPENAPI_JSON = JSON.stringify(DESCRIPTION);

export const REDOC: Readonly<Record<string, string>> = {
  'index.html':
    '<!DOCTYPE html><title>Samovar</title><redoc spec-url="./api/openapi.json"></redoc><script src="redoc.standalone.js"></script>',
  'api/openapi.json': OPENAPI_JSON,
};
