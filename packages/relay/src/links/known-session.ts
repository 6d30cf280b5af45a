/** Asks a server whether it still knows a session, with a question that does no harm. */
import { encode } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import { AnswerReader } from './http-answer.ts';
import type { HttpClient, HttpRequest } from './http-client.ts';
import { type HttpHead, NO_HEAD } from './link.ts';
import { isSessionLost, maySessionBeLost } from './lost-session.ts';

/** Where it is asked, as whom. */
export interface KnownSessionOptions extends Pick<HttpRequest, 'path' | 'headers' | 'callerName'> {
  readonly client: HttpClient;
  readonly session: string;
}

/** Whoever waits for it has an answer already that it is not given before. */
export const PATIENCE_MS = 1000;
const READ_AT_MOST = 64 * 1024;

/** No client names a request like this. */
export const KNOWN_ID = 'mayday-known';

/** The question. */
export const PING: Buffer = encode({ jsonrpc: '2.0', id: KNOWN_ID, method: 'ping' });

/** Is the session lost? Who does not say so, or nothing in time, may know it. */
export function isLostWhenAsked({ client, session, ...request }: KnownSessionOptions): Promise<boolean> {
  return new Promise((resolve) => {
    let head: HttpHead = NO_HEAD;
    let abort = (): void => {};
    const settle = (isLost: boolean): void => {
      clearTimeout(late);
      resolve(isLost);
    };
    const isDenied = (said: Buffer): boolean =>
      isSessionLost(head, said, { session, id: KNOWN_ID }) || maySessionBeLost(head, said, session);
    const late = setTimeout(() => {
      settle(false);
      abort();
    }, PATIENCE_MS).unref();
    const reader = new AnswerReader({
      maxBytes: READ_AT_MOST,
      expectsAnswer: true,
      onStart: (started) => {
        head = started;
      },
      denies: (body) => {
        settle(isDenied(body));
        return false;
      },
      onMessage: (said) => {
        // What stands before the answer tells nothing.
        if (isDenied(said)) settle(true);
        else if (peek(said).kind === 'response') settle(false);
      },
      onOver: () => settle(false),
    });
    abort = client.send(
      { ...request, session, method: 'POST', body: PING, headersTimeoutMs: PATIENCE_MS },
      reader,
    );
  });
}
