// The token of the pages that take one, and requests with it. No token is put into an address.
import { at } from './elements.js';

/** A request that the server, or something in front of it, has refused. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Encodes a token as UTF-8 bytes, which is how the server reads the header. */
export const headerText = (token) => String.fromCharCode(...new TextEncoder().encode(token));

/**
 * Returns the body of an answer of the API.
 * @throws Refused for one that is no success, or does not come from Lectern
 */
export const answerIn = ({ ok, status, statusText, text }) => {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    // It is explained below.
  }
  if (ok && body !== undefined) return body;
  if (typeof body?.error === 'string') throw new Refused(body.error, body.message);
  if (status === 413) {
    throw new Refused('upload_too_large', 'A proxy in front of the server refuses uploads of this size');
  }
  throw new Refused('unknown', `The answer did not come from Lectern: ${status} ${statusText}`.trim());
};

/** Returns a function that sends requests with a token: method, path without `/` in front, and a body for JSON. */
export const serverWith = (token) => async (method, path, body) => {
  const headers = { 'X-Token': headerText(token) };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const to = new URL(`../../${path}`, import.meta.url);
  const request = { method, headers, body: body && JSON.stringify(body), cache: 'no-store' };
  const answer = await fetch(to, request)
    .then(async (response) => ({ response, text: await response.text() }))
    .catch(() => {
      throw new Refused('lost', 'The connection was lost. Load this page again to see what has changed');
    });
  const { ok, status, statusText } = answer.response;
  return answerIn({ ok, status, statusText, text: answer.text });
};

const KEY = 'lectern.token';
/** The choice to keep the token for the tab. It is there only where no hosted site shares the origin. */
const box = isSecureContext ? at('keep') : null;

/** Returns the token that is kept for this tab; undefined without one. */
export const keptToken = () => {
  try {
    return (box && sessionStorage.getItem(KEY)) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Keeps a token that the server has accepted, where the box is checked. Returns whether it is kept. */
export const keepToken = (secret) => {
  if (!box?.checked) return false;
  try {
    sessionStorage.setItem(KEY, secret);
    return true;
  } catch {
    return false;
  }
};

export const forgetToken = () => {
  if (box === null) return;
  box.checked = false;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // A browser without storage has kept none.
  }
};

box?.addEventListener('change', () => box.checked || forgetToken());
