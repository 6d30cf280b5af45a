/** What the tests of links and endpoints share. */
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../../test/compile-cache.ts';
import { decode, encode, type Link, type Outgoing, peek } from '../src/index.ts';

/** The command line of the test server. */
export const STDIO_SERVER: { command: string; args: string[]; env: typeof COMPILE_CACHE } = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./stdio-server.ts', import.meta.url))],
  env: COMPILE_CACHE,
};

/** A request. */
export function request(method: string, params?: object, id: string | number = 1): Outgoing {
  const body = encode({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
  return { body, peek: peek(body), revision: '2025-11-25' };
}

/** A notification, or anything else that has no answer. */
export function message(value: object): Outgoing {
  const body = encode({ jsonrpc: '2.0', ...value });
  return { body, peek: peek(body), revision: '2025-11-25' };
}

/** What came back for one request. */
export interface Outcome {
  readonly answer?: {
    readonly id?: unknown;
    readonly result?: { readonly [key: string]: unknown };
    readonly error?: { readonly code?: unknown };
  };
  readonly lost?: {
    readonly kind: string;
    readonly origin?: string | undefined;
    readonly message?: string | undefined;
    readonly executed?: string | undefined;
  };
  readonly related: readonly unknown[];
  readonly isGuess?: boolean | undefined;
}

/** Sends a request and waits for what becomes of it. */
export function ask(link: Link, sent: Outgoing): Promise<Outcome> {
  return new Promise((resolve) => {
    const related: unknown[] = [];
    link.request(sent, {
      answered: (bytes, _head, { isGuess } = {}) =>
        resolve({ answer: decode(bytes) as NonNullable<Outcome['answer']>, related, isGuess }),
      related: (bytes) => related.push(decode(bytes)),
      lost: (fault) => resolve({ lost: fault, related }),
    });
  });
}
