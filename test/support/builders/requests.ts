import assert from 'node:assert/strict';
import type { Page, Request, Response } from 'playwright-core';
import { until } from '../until.js';

/**
 * Runs a task, and asserts that every request that the page made meanwhile succeeded. Requests that the browser gives up do not
 * count: it does so with icons and with what a page prefetches when another one is opened.
 * @param task gets a function that waits until no request is pending
 * @param mayFail tells by its address whether a request may fail
 */
export async function withoutFailures(
  seen: Page,
  task: (isSilent: () => Promise<void>) => Promise<void>,
  mayFail: (url: string) => boolean = () => false,
): Promise<void> {
  const pending = new Set<Request>();
  const failures: string[] = [];
  const fail = (url: string, reason: unknown) => {
    if (!mayFail(url)) failures.push(`${url}: ${reason}`);
  };
  const onRequest = (request: Request) => pending.add(request);
  const onFinished = (request: Request) => pending.delete(request);
  const onFailed = (request: Request) => {
    pending.delete(request);
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') fail(request.url(), reason);
  };
  const onResponse = (response: Response) => {
    if (response.status() >= 400) fail(response.url(), response.status());
  };
  seen.on('request', onRequest).on('requestfinished', onFinished);
  seen.on('requestfailed', onFailed).on('response', onResponse);
  try {
    await task(() => until(async () => pending.size === 0));
    assert.deepEqual(failures, []);
  } finally {
    seen.off('request', onRequest).off('requestfinished', onFinished);
    seen.off('requestfailed', onFailed).off('response', onResponse);
  }
}
