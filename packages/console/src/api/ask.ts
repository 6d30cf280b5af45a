/** Questions to the gateway: with the key of the operator in a header, never in an address. */

import { hear } from './skew.ts';

/** Beside the console, wherever that is. */
const ADMIN: URL = new URL('../admin/v1/', globalThis.location?.href ?? 'http://localhost/-/console/');
const MEMORY: URL = new URL('../../faults', ADMIN);

/** What went wrong with a question, and what to do about it. */
export interface Trouble {
  /** 0: nobody answered. */
  readonly status: number;
  readonly what: string;
  readonly advice: string;
}

/** An answer, or why there is none. */
export type Answer<T> = { readonly ok: T } | { readonly trouble: Trouble };

/** How a question is asked. */
export interface Question {
  readonly key: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Makes a change. */
  readonly isChange?: boolean | undefined;
  readonly query?: { readonly [name: string]: string | undefined } | undefined;
}

const UNREACHABLE: Trouble = {
  status: 0,
  what: 'The gateway does not answer.',
  advice: 'See whether it runs and can be reached from here; the console tries again by itself.',
};

const NO_KEY: Trouble = {
  status: 401,
  what: 'This key has characters that no key has.',
  advice: 'Copy it again: something that cannot be seen may have come along.',
};

/** Asks the admin API; a path begins without a slash. */
export function ask<T>(path: string, question: Question): Promise<Answer<T>> {
  return answered(new URL(path, ADMIN), question);
}

/** Asks for what the gateway has in memory of its last failures. */
export function askMemory<T>(question: Question): Promise<Answer<T>> {
  return answered(MEMORY, question);
}

async function answered<T>(url: URL, question: Question): Promise<Answer<T>> {
  const response = await send(url, question);
  if ('trouble' in response) return response;
  try {
    const body: unknown = await response.ok.json();
    return { ok: body as T };
  } catch {
    return { trouble: UNREACHABLE };
  }
}

/** Sends a question; what is not a success is a trouble. */
async function send(url: URL, { key, signal, isChange, query = {} }: Question): Promise<Answer<Response>> {
  // The browser would refuse to send it, and not say why.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) return { trouble: NO_KEY };
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(isChange === true ? { 'content-type': 'application/json' } : {}),
    'mayday-dialect': 'problem',
  };
  const more = isChange === true ? { method: 'POST', body: '{}' } : {};
  try {
    const response = await fetch(url, {
      headers,
      cache: 'no-store',
      credentials: 'omit',
      signal: signal ?? null,
      ...more,
    });
    hear(response.headers.get('date'));
    return response.ok ? { ok: response } : { trouble: await troubleOf(response, isChange === true) };
  } catch {
    return { trouble: UNREACHABLE };
  }
}

/** Opens the stream of failures. */
export function openStream(after: string, question: Question): Promise<Answer<Response>> {
  return send(new URL('faults/stream', ADMIN), { ...question, query: { after } });
}

async function troubleOf(response: Response, isChange: boolean): Promise<Trouble> {
  const said = (await response.json().catch(() => ({}))) as {
    readonly detail?: unknown;
    readonly advice?: unknown;
  };
  const { detail, advice } = said;
  return {
    status: response.status,
    what: typeof detail === 'string' ? sentence(detail) : `The gateway answered ${response.status}.`,
    advice: response.status === 429 ? tooMany(isChange) : typeof advice === 'string' ? advice : '',
  };
}

/** What the gateway advises there is for programs. */
function tooMany(isChange: boolean): string {
  return isChange
    ? 'Nothing was changed; try again in a minute.'
    : 'The console waits, and asks again by itself.';
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
