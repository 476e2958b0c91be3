/** A program that builds documentation: what in its pages is no content, and which of its pages are mere lists. */
interface Builder {
  readonly name: string;
  /**
   * Elements that are left out, separated by spaces: `.class`, `tag.class`, `#id`, or `parent>element`. They are left
   * out of the pages of all builders, so a name that another builder gives to content needs a tag or a parent.
   */
  readonly leftOut: string;
  /**
   * Pages that list what other pages explain, separated by spaces: names without `.html`, or `folder/`. `*` stands for
   * any part of a name.
   */
  readonly lists?: string;
  /** Pages with the source text of programs, written as `lists` are. */
  readonly sources?: string;
  /** `<meta name=generator>` of the builder, or its name where `PageHead` knows its scripts. Given where `lists` or `sources` would match pages that people wrote. */
  readonly generator?: RegExp;
}

export const BUILDERS: readonly Builder[] = [
  {
    name: 'any',
    leftOut:
      'div.toc .footer #footer .breadcrumb .breadcrumbs .pagination .skip-link .sr-only .visually-hidden ' +
      // Banners that say of every page of a version that there is a newer one.
      '#outdated-warning #dev-warning .version-warning .version-banner .outdated-banner .unsupported-version',
    lists: 'search sitemap 404',
  },
  {
    name: 'Sphinx',
    leftOut: `
      .headerlink .toctree-wrapper div.related .sphinxsidebar .linenos .lineno .viewcode-link .viewcode-back
      .wy-nav-side .wy-nav-top .wy-breadcrumbs .rst-versions .rst-footer-buttons
      .sidebar-drawer .toc-drawer .mobile-header .back-to-top .content-icon-container .related-pages .announcement
      .bd-sidebar .bd-header .bd-header-article .bd-header-version-warning .bd-header-announcement .prev-next-area
    `,
    lists: 'genindex genindex-* *-modindex',
    sources: '_modules/',
  },
  {
    name: 'Javadoc',
    leftOut: `
      .top-nav .sub-nav .bottom-nav .skip-nav .legal-copy .topNav .subNav .bottomNav .skipNav
      .legalCopy .aboutLanguage .navPadding
    `,
    lists: `
      allclasses allclasses-* allpackages-index index-all index-files/ overview-frame overview-tree package-frame
      package-tree package-use class-use/ constant-values deprecated-list serialized-form system-properties
      help-doc
    `,
    sources: 'src-html/',
  },
  {
    name: 'MkDocs',
    leftOut: '.navbar .bs-sidebar .modal #toc-collapse .wy-side-nav-search',
  },
  {
    name: 'Material for MkDocs',
    leftOut: `
      .md-header .md-sidebar .md-tabs .md-footer .md-skip .md-banner .md-announce .md-search
      .md-dialog .md-top .md-content__button .md-source-file .md-feedback
    `,
  },
  {
    name: 'Doxygen',
    leftOut: `
      #titlearea #main-nav #side-nav #page-nav #nav-path .navpath #navrow1 #navrow2 #navrow3 #navrow4 #navrow5
      #MSearchBox #MSearchSelectWindow #MSearchResultsWindow
      div.header>div.summary div.directory>div.levels div.ingroups div.qindex div.ttc p.definition .permalink
    `,
    generator: /doxygen/i,
    lists: `
      *-members annotated classes hierarchy inherits namespaces namespacemembers namespacemembers_*
      functions functions_* globals globals_* files dir_* pages modules topics graph_legend search/
    `,
    sources: '*_source',
  },
  {
    name: 'rustdoc',
    leftOut: `
      section.sidebar .mobile-topbar .sub-container .rustdoc-breadcrumbs .out-of-band .rightside summary.hideme
      a.src a.srclink a.anchor a.doc-anchor a.test-arrow #copy-path .src-line-numbers
    `,
    generator: /^rustdoc/i,
    lists: 'all help settings implementors/',
    sources: 'src/',
  },
  {
    name: 'DocBook',
    leftOut: `
      .navheader .navfooter .docnav .list-of-tables .list-of-figures .list-of-examples .list-of-equations
      .list-of-procedures
    `,
    generator: /docbook/i,
    lists: 'bookindex ix*',
  },
  {
    name: 'GTK-Doc',
    leftOut: 'table.navigation .shortcuts .lineart .listing_lines',
    generator: /gtk-doc/i,
    lists: 'api-index-* annotation-glossary object-tree ix*',
  },
  {
    name: 'AsciiDoc and Asciidoctor',
    leftOut: '#footer-text #footer-badges #toc #toctitle',
  },
  {
    name: 'Docusaurus',
    leftOut: `
      .navbar .hash-link .theme-doc-toc-mobile .theme-doc-toc-desktop .table-of-contents
      .theme-doc-sidebar-container .theme-doc-footer .theme-doc-breadcrumbs .pagination-nav
      .theme-doc-version-badge .theme-doc-version-banner .theme-edit-this-page .theme-last-updated
    `,
    generator: /docusaurus/i,
    lists: 'tags tags/ archive',
  },
  {
    name: 'VitePress',
    leftOut: `
      .header-anchor .VPNav .VPLocalNav .VPSidebar .VPDocAside .VPDocFooter .VPFooter .VPSkipLink
      .vp-code-group-tabs .line-numbers-wrapper div>span.lang
    `,
  },
  {
    name: 'TypeDoc',
    leftOut: `
      .tsd-page-toolbar .tsd-breadcrumb .tsd-navigation .tsd-filter-visibility .tsd-generator .tsd-theme-toggle
      .col-sidebar .site-menu .page-menu .tsd-index-group .tsd-sources .tsd-anchor-icon .tsd-tag
    `,
    generator: /typedoc/i,
    lists: 'modules hierarchy',
  },
  {
    name: 'mdBook',
    leftOut: '#menu-bar #menu-bar-hover-placeholder .nav-wrapper .nav-wide-wrapper',
    lists: 'print toc',
  },
  {
    name: 'Node.js',
    leftOut: '#column2 #gtoc',
  },
  {
    name: 'Haddock',
    leftOut: 'div#package-header details#synopsis .src>a.link .src>a.selflink',
    generator: /^Haddock$/,
    lists: 'doc-index doc-index-*',
    sources: 'src/',
  },
  {
    name: 'texinfo',
    leftOut: '.nav-panel a.copiable-link a.copiable-anchor',
  },
  {
    name: 'GAPDoc',
    leftOut: '.chlinktop .ChapSects p.foot',
  },
  {
    name: 'MediaWiki',
    leftOut: '.mw-editsection .mw-jump-link .printfooter .catlinks #mw-navigation #jump-to-nav #siteSub',
  },
  {
    name: 'QDoc',
    leftOut: '.navigationbar #sidebar-content .wip',
    lists: '*-members',
  },
];
