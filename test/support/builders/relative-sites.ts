import assert from 'node:assert/strict';
import { BUILDERS, MATERIAL, MKDOCS } from './builders.js';
import type { Builder } from './built-sites.js';
import { HUGO } from './debian-sites.js';
import { ANTORA, DOCSIFY, HONKIT, REDOC, STORYBOOK, SWAGGER_UI, vite } from './npm-sites.js';
import type { SiteOfABuilder } from './site-of-a-builder.js';
import { FILL } from './sources.js';
import { VERSIONS } from './versions.js';

const KETTLE = { address: '', title: 'Kettle', text: FILL } as const;

const builtAs = (name: string): Builder =>
  BUILDERS.find((each) => each.name === name) ?? assert.fail(`there is no builder ${name}`);

function sphinx(name: string, theme: string, debian: Readonly<Record<string, string>>): SiteOfABuilder {
  return {
    name: `sphinx-${name}`,
    tried: `Sphinx 5.3.0, ${theme}`,
    debian: { 'python3-sphinx': '5.3.0', ...debian },
    built: builtAs(`sphinx-${name}`),
    // Furo takes the title of the site for its front page.
    front: {
      address: '',
      title: name === 'furo' ? 'Kettle documentation' : 'The kettle — Kettle documentation',
      text: FILL,
    },
    to: 'Cleaning',
    second: {
      address: 'cleaning.html',
      title: name === 'furo' ? 'Cleaning - Kettle documentation' : 'Cleaning — Kettle documentation',
      text: 'Vinegar.',
    },
    words: 'Vinegar',
    // Debian's Furo has a style of another package of Debian's, at the root of the host, and a script that is no module.
    ...(name === 'furo' ? { mayFail: /\/javascript\/normalize\.css\//, hasErrors: true } : {}),
  };
}

function mkdocs(name: string, tried: string, debian: Readonly<Record<string, string>>): SiteOfABuilder {
  return {
    name,
    tried,
    debian,
    built: name === 'mkdocs' ? MKDOCS : MATERIAL,
    front: { address: '', title: 'Kettle', text: FILL },
    to: 'Cleaning',
    second: { address: 'cleaning/', title: 'Cleaning - Kettle', text: 'Vinegar.' },
    words: 'Vinegar',
  };
}

/** Sites with relative links: one build is read at every address. */
export const RELATIVE_SITES: readonly SiteOfABuilder[] = [
  sphinx('alabaster', 'alabaster 0.7.12', { 'python3-alabaster': '0.7.12' }),
  sphinx('rtd', 'Read the Docs 1.2.0', { 'python3-sphinx-rtd-theme': '1.2.0' }),
  sphinx('pydata', 'PyData 0.7.2', { 'python3-pydata-sphinx-theme': '0.7.2' }),
  sphinx('furo', 'Furo 2022.12.07', { furo: '2022.12.07' }),
  mkdocs('mkdocs', 'MkDocs 1.4.2', { mkdocs: '1.4.2' }),
  mkdocs('mkdocs-material', 'Material 8.2.5', { mkdocs: '1.4.2', 'mkdocs-material': '8.2.5' }),
  {
    name: 'doxygen',
    tried: 'Doxygen 1.9.4',
    debian: { doxygen: '1.9.4' },
    built: builtAs('doxygen'),
    front: { address: '', title: 'Kettle: The kettle', text: FILL },
    to: 'Classes',
    second: { address: 'annotated.html', title: 'Kettle: Class List', text: 'A kettle' },
    words: 'Class List',
  },
  {
    name: 'typedoc',
    tried: `TypeDoc ${VERSIONS.typedoc}`,
    built: builtAs('typedoc'),
    front: { address: '', title: 'kettle', text: FILL },
    to: { role: 'link', name: /Kettle$/ },
    second: { address: 'classes/Kettle.html', title: 'Kettle | kettle', text: 'A kettle.' },
    words: 'boil',
  },
  {
    name: 'javadoc',
    tried: 'Javadoc of Commons Codec 1.15',
    built: builtAs('javadoc'),
    front: { address: '', title: 'Overview (Apache Commons Codec 1.15 API)', text: 'Apache Commons Codec' },
    to: 'org.apache.commons.codec.net',
    second: {
      address: 'org/apache/commons/codec/net/package-summary.html',
      title: 'org.apache.commons.codec.net (Apache Commons Codec 1.15 API)',
      text: 'Network related encoding and decoding.',
    },
    words: 'Network related encoding',
    // Javadoc's search asks for these before it knows whether there are modules and tags.
    mayFail: /(?:module|tag)-search-index\.(?:zip|js)$/,
    hasErrors: true,
  },
  {
    name: 'rustdoc',
    tried: 'rustdoc 1.63.0',
    built: builtAs('rustdoc'),
    front: { address: 'core/option/index.html', title: 'core::option - Rust', text: 'Optional values.' },
    to: 'Option',
    second: {
      address: 'core/option/enum.Option.html',
      title: 'Option in core::option - Rust',
      text: 'The Option type.',
    },
    words: 'unwrap_or_default',
  },
  {
    name: 'mdbook',
    tried: 'mdBook of Rust 1.63.0',
    built: builtAs('mdbook'),
    front: {
      address: '',
      title: 'The Rust Programming Language - The Rust Programming Language',
      text: 'by Steve Klabnik',
    },
    to: { role: 'link', name: /Installation/ },
    second: {
      address: 'ch01-01-installation.html',
      title: 'Installation - The Rust Programming Language',
      text: 'The first step is to install Rust.',
    },
    words: 'rustup',
    // Debian left out the script that copies code.
    hasErrors: true,
  },
  {
    name: 'hugo',
    tried: 'Hugo 0.111.3',
    debian: { hugo: '0.111.3' },
    built: HUGO,
    front: { address: '', title: 'Kettle | Household', text: FILL },
    to: 'cleaned',
    second: { address: 'cleaning/', title: 'Cleaning | Household', text: 'Vinegar.' },
    words: 'Vinegar',
  },
  {
    name: 'honkit',
    tried: `HonKit ${VERSIONS.honkit}`,
    built: HONKIT,
    front: { address: '', title: 'Kettle · Household', text: FILL },
    to: 'cleaned',
    second: { address: 'cleaning.html', title: 'Cleaning · Household', text: 'Vinegar.' },
    words: 'Vinegar',
  },
  {
    name: 'antora',
    tried: `Antora ${VERSIONS.antora}`,
    built: ANTORA,
    front: { address: 'kettle/index.html', title: 'Kettle :: Household', text: FILL },
    to: 'Cleaning',
    second: { address: 'kettle/cleaning.html', title: 'Cleaning :: Household', text: 'Vinegar.' },
    words: 'Vinegar',
  },
  {
    name: 'storybook',
    tried: `Storybook ${VERSIONS.storybook}`,
    built: STORYBOOK,
    front: { address: '?path=/story/kettle--filling', title: 'Kettle - Filling ⋅ Storybook', text: FILL },
    to: 'Cleaning',
    second: {
      address: '?path=/story/kettle--cleaning',
      title: 'Kettle - Cleaning ⋅ Storybook',
      text: 'Vinegar.',
    },
  },
  {
    name: 'redoc',
    tried: `Redocly CLI ${VERSIONS.redocly}`,
    built: REDOC,
    front: { ...KETTLE },
    to: { role: 'link', name: /clean/ },
    second: { ...KETTLE, address: '#/other/clean', text: 'Vinegar.' },
    // The logo of Redoc's maker.
    mayFail: /^https:\/\/cdn\.redoc\.ly\//,
    hasErrors: true,
  },
  {
    name: 'swagger-ui',
    tried: `Swagger UI ${VERSIONS.swagger}`,
    built: SWAGGER_UI,
    front: KETTLE,
    to: { role: 'button', name: /clean/ },
    second: { ...KETTLE, address: '#/default/clean', text: 'Vinegar.' },
  },
  {
    name: 'docsify',
    tried: `docsify ${VERSIONS.docsify}`,
    built: DOCSIFY,
    front: { address: '#/', title: 'Household', text: FILL },
    to: 'cleaned',
    second: { address: '#/cleaning', title: 'Household', text: 'Vinegar.' },
  },
  {
    name: 'vite',
    tried: `Vite ${VERSIONS.vite}`,
    built: vite('./'),
    forRoot: { build: vite('/'), setting: () => "base: './' in vite.config.js" },
    front: KETTLE,
    to: 'cleaned',
    second: { address: 'cleaning.html', title: 'Cleaning', text: 'Vinegar.' },
  },
];
