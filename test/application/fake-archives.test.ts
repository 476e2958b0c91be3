import { refuse } from '../../src/domain/index.js';
import { archivesContract } from '../contracts/archives.js';
import { FakeArchives, fakeArchiveOf } from '../support/fake-archives.js';

archivesContract('FakeArchives', (files) => ({
  archives: new FakeArchives(files ?? refuse.invalidArchive('it is not a zip file')),
  bytes: fakeArchiveOf(files ?? {}),
}));
