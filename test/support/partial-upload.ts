import { connect, type Socket } from 'node:net';
import type { TestServer } from './server.js';
import { until } from './until.js';
import { zipOf } from './zip-writer.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** An upload that is sent bit by bit over a connection of its own. */
export class PartialUpload {
  /** End of the form. */
  static readonly end = Buffer.from('\r\n--b--\r\n');

  private readonly socket: Socket;
  private dripping: NodeJS.Timeout | undefined;
  /** Text received from the server. */
  text = '';

  constructor(server: TestServer, token: string, length = 1_000_000, headers: readonly string[] = []) {
    this.socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk) => {
      this.text += String(chunk);
    });
    this.socket.write(
      `POST /api/upload HTTP/1.1\r\nHost: x\r\nX-Token: secret-${token}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${[length, ...headers].join('\r\n')}\r\n\r\n`,
    );
  }

  static partHead(name: string): string {
    return `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}-docs.zip"\r\n\r\n`;
  }

  /** The whole form of an upload. */
  static form(name: string, archive = zipOf({ 'index.html': name })): Buffer {
    return Buffer.concat([Buffer.from(PartialUpload.partHead(name)), archive, PartialUpload.end]);
  }

  send(bytes: Buffer | string): this {
    this.socket.write(bytes);
    return this;
  }

  /** Sends the same again and again. */
  drip(bytes: Buffer | string, everyMs = 20): this {
    this.dripping = setInterval(() => this.socket.write(bytes), everyMs);
    return this;
  }

  /** Status, error and message, once they have come. */
  async answer(): Promise<[status: number, error?: string, message?: string]> {
    await until(() => /\r\n\r\n\{.*\}$/s.test(this.text));
    const answer = this.text.replace(CONTINUE, '');
    const { error, message } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    return [Number(answer.split(' ')[1]), error, message];
  }

  /** Whether the server has asked for the body, after `Expect: 100-continue`. */
  get isAskedFor(): boolean {
    return this.text.startsWith(CONTINUE);
  }

  async ended(): Promise<void> {
    await new Promise((resolve) => this.socket.once('close', resolve));
  }

  close(): void {
    clearInterval(this.dripping);
    this.socket.destroy();
  }
}
