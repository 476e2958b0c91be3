export { readYamlDocinfo } from './yaml-docinfo.js';
