import type { Candidate, FoundPage, OpenedPage } from '../../../application/search/index.js';
import type { PageRow } from '../databases/page-rows.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import type { DatabaseReader } from './database-reader.js';
import type { FoundRow } from './revision-search.js';

/** A page of a database that may answer. */
export class FoundCandidate implements Candidate {
  readonly page: FoundPage;
  private readonly row: PageRow;

  constructor(
    readonly revision: string,
    { row, ...found }: FoundRow,
    wanted: Pick<FoundPage, 'words' | 'pieces'>,
    private readonly reader: DatabaseReader,
  ) {
    const { path, title, kind, language } = row;
    this.page = { path, title, kind, language, ...found, ...wanted };
    this.row = row;
  }

  open(): OpenedPage | undefined {
    return this.reader.read(this.revision, 1, openedPage, this.page, this.row);
  }
}

function openedPage(database: RevisionDatabase, page: FoundPage, row: PageRow): OpenedPage {
  return { ...page, content: database.contentOf(row), way: database.wayOf(row) };
}
