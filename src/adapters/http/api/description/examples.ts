import type { Body, SchemaName } from './schemas.js';

const version: Body<'Version'> = {
  version: '1.0.0',
  directory_name: 'my-project-1.0.0',
  url: '/my-project-1.0.0/',
  download_url: '/my-project-1.0.0-docs.zip',
  published_at: '2026-03-04T05:06:07.000Z',
  stable: true,
};

const project: Body<'Project'> = {
  name: 'My Project',
  directory_name: 'my-project',
  description: 'What it is for, in a sentence.',
  group: 'Payments',
  tags: ['sdk', 'python'],
  owner: 'Team Blue',
  repository: 'https://git.example.org/my-project',
  contact: 'blue@example.org',
  versions: [version],
  latest_version_dir: 'my-project-1.0.0',
};

/** Example bodies for `/api/spec`, which the API reference shows. */
export const examples: { readonly [Name in SchemaName]?: Body<Name> } = {
  Version: version,
  Project: project,
  ProjectList: { projects: [project], count: 1 },
  VersionInfo: { product: 'lectern', version: '0.1.0' },
  ClientFile: {
    url: '/-/client.mjs',
    version: '0.1.0',
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    bytes: 330_000,
  },
  UploadResult: {
    success: true,
    message: 'my-project 1.0.0 is published, with 42 files',
    project: 'my-project',
    version: '1.0.0',
    directory: 'my-project-1.0.0',
    url: '/my-project-1.0.0/',
    files_extracted: 42,
  },
  DeleteResult: {
    success: true,
    message: 'my-project 1.0.0 is deleted',
    project: 'my-project',
    version: '1.0.0',
    directory: 'my-project-1.0.0',
  },
  TokenInfo: {
    name: 'ci',
    projects: ['my-project'],
    allow_overwrite: false,
    allow_delete: false,
    existing_projects_only: false,
    allow_manage: false,
  },
  Failure: {
    success: false,
    error: 'version_exists',
    message: "my-project 1.0.0 already exists, and token 'ci' may not overwrite it",
  },
};
