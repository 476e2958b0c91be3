import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Path of a program that lies beside a test, compiled if the test is: start it with `process.execArgv`.
 * @param url of the test's own module
 * @param name of the program's file, without its extension
 */
export const programBeside = (url: string, name: string) =>
  fileURLToPath(new URL(`${name}${extname(url)}`, url));
