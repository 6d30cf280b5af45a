/**
 * What tools say of themselves, as far as it decides whether a call is made again. What one has said in a session that is gone
 * is not the word of the server behind the next one, which may be another: that is asked for its list before it gets the call.
 */
import { isRepeatable } from '@mayday/core/plan';
import { isObject } from '../http/reply.ts';
import type { AnnotationBook } from './annotations.ts';
import { annotationsOf, type CallFacts, keepsKey, type RoundedCall } from './call.ts';
import type { ResilientOptions } from './options.ts';
import type { SdkOptions, SdkRequest } from './types.ts';

/** What was known when the call was made. */
type Before = Pick<RoundedCall, 'changes' | 'sessions' | 'isKeyMade' | 'tookKey'>;

/** What was found out for a call since. */
export interface Found {
  /** The session whose server was asked for it, whatever came of that. */
  askedIn?: number;
}

/** The word of all tools of one server. */
export interface ToolWords {
  /** The call with what its tool says of itself by now, if that may be something else than it was. */
  asKnown<C extends CallFacts>(call: C, before: Before): C;
  /** The same, for as long as another session has not been asked: it will be before the call goes out again. */
  asFarAsKnown<C extends CallFacts>(call: C, before: Before, found: Found): C;
  /** May what may have been executed be made again in the session that is open now? Asks its server for its tools where that depends on it. */
  stillHold(call: CallFacts, before: Before, found: Found): Promise<boolean>;
}

/** Whom to ask, and for how long. */
export interface ToolWordsContext<Transport> {
  readonly book: AnnotationBook;
  readonly options: ResilientOptions<Transport>;
  /** Sends a request as it is, outside of all policies: it is nobody's call. */
  readonly ask: (request: SdkRequest, options: SdkOptions) => Promise<unknown>;
  readonly patienceMs: number;
}

const MAX_PAGES = 50;

/** Knows what the book knows. */
export function createToolWords<Transport>(context: ToolWordsContext<Transport>): ToolWords {
  const { book, options } = context;
  /** One list for all who wait for it. */
  let asking: { readonly session: number; readonly listed: Promise<void> } | undefined;
  const listed = (): Promise<void> => {
    if (asking?.session !== book.sessions) {
      const begun = { session: book.sessions, listed: learnAll(context) };
      asking = begun;
      void begun.listed.then(() => {
        if (asking === begun) asking = undefined;
      });
    }
    return asking.listed;
  };
  const asKnown = <C extends CallFacts>(call: C, before: Before): C => {
    const isOther = before.sessions !== book.sessions;
    if (call.method !== 'tools/call' || call.target === undefined) return call;
    if (!isOther && before.changes === book.changes) return call;
    const onItsWord = before.isKeyMade === true || (isOther && before.tookKey);
    const isKept = keepsKey(call.target, book, options, onItsWord);
    return {
      ...call,
      ...annotationsOf(call.target, book, options),
      idempotencyKey: isKept ? call.idempotencyKey : undefined,
    };
  };
  return {
    asKnown,
    asFarAsKnown(call, before, { askedIn }) {
      const isSame = before.sessions === book.sessions || before.changes !== book.changes;
      const isAsked = isSame || askedIn === book.sessions || book.knows(call.target ?? '');
      return isAsked ? asKnown(call, before) : call;
    },
    async stillHold(call, before, found) {
      const holds = (): boolean => isRepeatable(asKnown(call, before));
      if (call.method !== 'tools/call' || before.sessions === book.sessions || holds()) return true;
      if (!book.knows(call.target ?? '')) await listed();
      found.askedIn = book.sessions;
      return holds();
    },
  };
}

/** Learns the whole list, as far as it comes. */
async function learnAll<Transport>({ book, ask, patienceMs }: ToolWordsContext<Transport>): Promise<void> {
  const { edition } = book;
  const seen = new Set<unknown>();
  let params: { readonly cursor?: unknown } = {};
  try {
    for (let page = 0; page < MAX_PAGES && !seen.has(params.cursor); page++) {
      const request = { method: 'tools/list', params };
      const result = await ask(request, { timeout: patienceMs });
      book.learn(request, result, edition);
      seen.add(params.cursor);
      const cursor = isObject(result) ? result['nextCursor'] : undefined;
      if (typeof cursor !== 'string') return;
      params = { cursor };
    }
  } catch {
    // A tool that is not in what has come is not called again.
  }
}
