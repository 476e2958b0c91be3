// Names of the package's entry point `lectern`.
export type { Logger } from '../adapters/http/server/request-log.js';
export type { TokenEntry } from '../adapters/json/index.js';
export {
  type Lectern,
  type LecternOptions,
  OpenError,
  type Tokens,
} from '../composition/embedding/lectern.js';
export { openLectern } from '../composition/embedding/open-lectern.js';
