/** Log of a server; pino's loggers are such. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether lines of a level are written; without it, all are. */
  isLevelEnabled?(level: string): boolean;
}
