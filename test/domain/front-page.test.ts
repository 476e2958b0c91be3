import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Catalogue,
  descriptionOfFrontPage,
  NO_SETTINGS,
  titleOfFrontPage,
  withDescription,
} from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

describe('The name of a project in the title of its front page', () => {
  for (const [text, title] of [
    ['Welcome to Flask — Flask Documentation (2.2.x)', 'Flask'],
    ['Django documentation — Django 3.2.18 documentation', 'Django'],
    ['SQLAlchemy Documentation — SQLAlchemy 1.4 Documentation', 'SQLAlchemy'],
    ['PostgreSQL 15.2 Documentation', 'PostgreSQL'],
    [
      'pytest: helps you write better programs — pytest documentation',
      'pytest: helps you write better programs',
    ],
    ['Index | Node.js v18.13.0 Documentation', 'Node.js'],
    ['Eigen: Main Page', 'Eigen'],
    ['SQLite Home Page', 'SQLite'],
    ['Home - MkDocs', 'MkDocs'],
    ['Overview (Apache Commons Lang 3.12.0 API)', 'Apache Commons Lang API'],
    ['Team Blue’s handbook', 'Team Blue’s handbook'],
    ['3.11.2 Documentation', undefined],
    ['Home', undefined],
    ['Index', undefined],
    ['  ', undefined],
    ['x'.repeat(61), undefined],
    ['— · —', undefined],
  ] as const) {
    it(`is ${title ?? 'none'}: ${text.slice(0, 70)}`, () => assert.equal(titleOfFrontPage(text), title));
  }
});

describe('A project without a docinfo', () => {
  const frontPage = { title: 'Flask', description: 'A web framework.', icon: 'icon.png' };
  const version = makeVersion('flask', '2.2.0', { frontPage });
  const project = Catalogue.of([version]).project('flask') ?? assert.fail();

  it('has title, description and logo of its front page on pages, and its name stays', () => {
    assert.deepEqual(
      [project.title, project.summary, project.logo],
      ['Flask', 'A web framework.', { version, path: 'icon.png' }],
    );
    assert.deepEqual([project.name, project.description], ['flask', '']);
  });

  it('is described by what was set, then by a docinfo, then by its front page', () => {
    const docinfo = { name: 'Flask (docinfo)', logo: 'logo.svg' };
    const both = makeVersion('flask', '2.2.0', { frontPage, docinfo });
    const settings = [['flask', withDescription(NO_SETTINGS, { title: 'Set' })]] as const;
    const catalogue = Catalogue.of([both]);
    const named = catalogue.project('flask');
    assert.deepEqual(
      [named?.title, named?.summary, named?.logo?.path],
      ['Flask (docinfo)', 'A web framework.', 'logo.svg'],
    );
    assert.equal(catalogue.changed({ settings }).project('flask')?.title, 'Set');
  });
});

describe('The description of a front page', () => {
  it('is one line of at most 300 characters, else none', () => {
    assert.equal(descriptionOfFrontPage(' A web\n framework. '), 'A web framework.');
    assert.equal(descriptionOfFrontPage('x'.repeat(301)), undefined);
    assert.equal(descriptionOfFrontPage(' '), undefined);
    assert.equal(descriptionOfFrontPage('package index'), undefined);
  });
});
