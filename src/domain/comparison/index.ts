export { type CommonPage, isComparedPage, type MatchedPages, matchPages, movedPages } from './match-pages.js';
