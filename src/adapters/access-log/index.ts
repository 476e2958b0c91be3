export { AccessLog } from './access-log.js';
