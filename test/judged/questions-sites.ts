import type { JudgedSite } from './sites.js';

/** A version of a project that is asked about. */
export interface AskedSite extends JudgedSite {
  readonly version: string;
}

/**
 * The sites of a project: of Debian 12, which is this machine's release, and of Debian 13.
 * @param name of the package; `*` there and in the path means the version without its last number
 */
function sites(
  project: string,
  versions: readonly [bookworm: string, trixie?: string],
  name: string,
  path: string,
): readonly AskedSite[] {
  return versions.flatMap((version, at) => {
    if (version === undefined) return [];
    const numbered = (text: string) => text.replaceAll('*', version.replace(/\.\d+$/, ''));
    const site = { project, version, package: numbered(name), path: numbered(path) };
    return [at === 0 ? site : { ...site, release: 'trixie' as const }];
  });
}

/** The sites of the questions, each in two versions where two releases have it. */
export const ASKED_SITES: readonly AskedSite[] = [
  sites('borg', ['1.2.4', '1.4.0'], 'borgbackup-doc', 'usr/share/doc/borgbackup/html'),
  sites('click', ['8.1.3', '8.1.8'], 'python-click-doc', 'usr/share/doc/python-click-doc/html'),
  sites('cppreference', ['20170409'], 'cppreference-doc-en-html', 'usr/share/cppreference/doc/html'),
  sites('django', ['3.2.25', '4.2.28'], 'python-django-doc', 'usr/share/doc/python-django-doc/html'),
  sites('doxygen', ['1.9.4', '1.9.8'], 'doxygen-doc', 'usr/share/doc/doxygen/html'),
  sites('eigen', ['3.4.0'], 'libeigen3-doc', 'usr/share/doc/libeigen3-dev/html'),
  sites('flask', ['2.2.2', '3.1.1'], 'python-flask-doc', 'usr/share/doc/python-flask-doc/html'),
  sites('git', ['2.39.5', '2.47.3'], 'git-doc', 'usr/share/doc/git-doc'),
  sites('gtk3', ['3.24.38', '3.24.49'], 'libgtk-3-doc', 'usr/share/gtk-doc/html'),
  sites('gtk4', ['4.8.3', '4.18.6'], 'libgtk-4-doc', 'usr/share/doc/libgtk-4-doc'),
  sites('jinja2', ['3.1.2', '3.1.6'], 'python-jinja2-doc', 'usr/share/doc/python-jinja2-doc/html'),
  sites('mkdocs', ['1.4.2', '1.6.1'], 'mkdocs-doc', 'usr/share/doc/mkdocs/html'),
  sites('nodejs', ['18.20.4', '20.19.2'], 'nodejs-doc', 'usr/share/doc/nodejs'),
  sites('openjdk', ['17', '21'], 'openjdk-*-doc', 'usr/share/doc/openjdk-*-jre-headless'),
  sites('postgres', ['15.20', '17.11'], 'postgresql-doc-*', 'usr/share/doc/postgresql-doc-*/html'),
  sites('pytest', ['7.2.1', '8.3.5'], 'python-pytest-doc', 'usr/share/doc/python-pytest-doc/html'),
  sites('python', ['3.11.2', '3.13.5'], 'python*-doc', 'usr/share/doc/python*/html'),
  sites('qt', ['5.15.8', '5.15.15'], 'qtbase5-doc-html', 'usr/share/qt5/doc'),
  sites('requests', ['2.28.1', '2.32.3'], 'python-requests-doc', 'usr/share/doc/python-requests-doc/html'),
  sites('rust', ['1.63.0', '1.85.1'], 'rust-doc', 'usr/share/doc/rust-doc/html'),
  sites(
    'sqlalchemy',
    ['1.4.46', '2.0.40'],
    'python-sqlalchemy-doc',
    'usr/share/doc/python-sqlalchemy-doc/html',
  ),
  sites('sqlite', ['3.40.1', '3.46.1'], 'sqlite3-doc', 'usr/share/doc/sqlite3'),
  sites('werkzeug', ['2.2.2', '3.1.3'], 'python-werkzeug-doc', 'usr/share/doc/python-werkzeug-doc/html'),
].flat();
