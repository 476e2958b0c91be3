/** Debian's packages with the sites of the judged queries. */
export interface JudgedSite {
  readonly project: string;
  readonly package: string;
  /** Where the site is, below the root of the file system. */
  readonly path: string;
  /** Debian release of the package. @default that of this machine */
  readonly release?: 'trixie';
}

const site = (project: string, name: string, path: string): JudgedSite => ({ project, package: name, path });

export const JUDGED_SITES: readonly JudgedSite[] = [
  site('apache', 'apache2-doc', 'usr/share/doc/apache2-doc/manual'),
  site('borg', 'borgbackup-doc', 'usr/share/doc/borgbackup/html'),
  site('click', 'python-click-doc', 'usr/share/doc/python-click-doc/html'),
  site('commons-lang', 'libcommons-lang3-java-doc', 'usr/share/doc/libcommons-lang3-java/api'),
  site('cppreference', 'cppreference-doc-en-html', 'usr/share/cppreference/doc/html'),
  site('debref-de', 'debian-reference-de', 'usr/share/debian-reference'),
  site('debref-ja', 'debian-reference-ja', 'usr/share/debian-reference'),
  site('debref-zh-cn', 'debian-reference-zh-cn', 'usr/share/debian-reference'),
  site('django', 'python-django-doc', 'usr/share/doc/python-django-doc/html'),
  site('eigen', 'libeigen3-doc', 'usr/share/doc/libeigen3-dev/html'),
  site('flask', 'python-flask-doc', 'usr/share/doc/python-flask-doc/html'),
  site('git', 'git-doc', 'usr/share/doc/git-doc'),
  site('gtk', 'libgtk-3-doc', 'usr/share/gtk-doc/html'),
  site('handbook-de-de', 'debian-handbook', 'usr/share/doc/debian-handbook/html/de-DE'),
  site('handbook-en-us', 'debian-handbook', 'usr/share/doc/debian-handbook/html/en-US'),
  site('handbook-fr-fr', 'debian-handbook', 'usr/share/doc/debian-handbook/html/fr-FR'),
  site('handbook-ja-jp', 'debian-handbook', 'usr/share/doc/debian-handbook/html/ja-JP'),
  site('handbook-ru-ru', 'debian-handbook', 'usr/share/doc/debian-handbook/html/ru-RU'),
  site('handbook-zh-cn', 'debian-handbook', 'usr/share/doc/debian-handbook/html/zh-CN'),
  site('jinja2', 'python-jinja2-doc', 'usr/share/doc/python-jinja2-doc/html'),
  site('mkdocs', 'mkdocs-doc', 'usr/share/doc/mkdocs/html'),
  site('nodejs', 'nodejs-doc', 'usr/share/doc/nodejs'),
  site('openjdk', 'openjdk-17-doc', 'usr/share/doc/openjdk-17-jre-headless'),
  site('postgres', 'postgresql-doc-15', 'usr/share/doc/postgresql-doc-15/html'),
  site('pytest', 'python-pytest-doc', 'usr/share/doc/python-pytest-doc/html'),
  site('python', 'python3.11-doc', 'usr/share/doc/python3.11/html'),
  site('qt', 'qtbase5-doc-html', 'usr/share/qt5/doc'),
  site('requests', 'python-requests-doc', 'usr/share/doc/python-requests-doc/html'),
  site('rust', 'rust-doc', 'usr/share/doc/rust-doc/html'),
  site('sphinx', 'sphinx-doc', 'usr/share/doc/sphinx-doc/html'),
  site('sqlalchemy', 'python-sqlalchemy-doc', 'usr/share/doc/python-sqlalchemy-doc/html'),
  site('sqlite', 'sqlite3-doc', 'usr/share/doc/sqlite3'),
];
