export type { DeadLink, LinkReport, PageOfDeadLinks } from '../../formats/links/link-report.js';
