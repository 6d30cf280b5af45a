/**
 * The v2 transport knows at once when a response stream ends without an answer, and tells whoever asks; the
 * SDK's own requests do not ask. Ours do, and get an error in the answer's place.
 */
import { setLast } from '@mayday/policy';
import { streamLost } from '../http/answer.ts';
import { errorReply, isObject, type RequestId } from '../http/reply.ts';
import { saysToolsChanged, tellsOfWork } from '../http/standing-stream.ts';
import { type HearLate, lateOf } from './late-answers.ts';
import { leaveHalfClosed } from './leave-half-closed.ts';
import { leavingOnce } from './leave-once.ts';
import { watchLostStream } from './lost-stream.ts';
import { type LastLine, mendLines } from './mend-lines.ts';
import { type Take, takerOf } from './rounds.ts';
import type { SdkTransport } from './types.ts';

const watched = new WeakMap<SdkTransport, LastLine>();

/** What is told of a connection. */
interface Listener {
  /** The server says that its tools have changed. */
  toolsChanged(): void;
  /** It asks or tells something about its work. */
  began(): void;
  /** It answers a request a second time, or one that was never asked. */
  strayed(): void;
  /** While one request alone was open, it said something that names none. */
  hear(words: string): void;
  /** Its process says no more. */
  ended(): void;
  /** The stream that was the whole session has broken. */
  lost(): void;
  /** The transport has got another one in its place by itself. */
  replaced(): void;
}

/** Watches the response streams of a transport; given is what it knows of the line that has not ended yet. */
export function watchStreams(
  transport: SdkTransport,
  { toolsChanged, began, strayed, hear, ended, lost, replaced }: Listener,
): LastLine {
  const before = watched.get(transport);
  if (before !== undefined) return before;
  const open = new Set<RequestId>();
  const taken = new Set<RequestId>();
  const asked = new AskedIds();
  // These reach nobody, but what they tell of work counts as if each had come by itself.
  const dropped = (messages: readonly unknown[]): void => {
    if (messages.some(isResponse)) strayed();
    else if (messages.some(tellsOfWork)) began();
    if (messages.some(saysToolsChanged)) toolsChanged();
  };
  const lastLine = mendLines(transport, open, { hear, dropped, broken: strayed });
  watched.set(transport, lastLine);
  leaveHalfClosed(transport, ended);
  watchLostStream(transport, { lost, replaced });
  const send = transport.send.bind(transport);
  const listening = transport.onmessage as ((...args: unknown[]) => void) | undefined;

  transport.onmessage = (message: unknown, ...rest: unknown[]) => {
    if (isResponse(message)) {
      const id = message['id'] as RequestId | null | undefined;
      if (id !== undefined && id !== null && !asked.answered(id, message['result'])) strayed();
      open.delete(id as RequestId);
    } else if (tellsOfWork(message)) began();
    if (saysToolsChanged(message)) toolsChanged();
    listening?.(message, ...rest);
  };
  const answer = (reply: unknown): void => {
    (transport.onmessage as ((reply: unknown) => void) | undefined)?.(reply);
  };
  transport.send = async (message, options) => {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) open.delete(cancelled);
    // The server has never heard of what was not sent.
    if (cancelled !== undefined && taken.delete(cancelled)) return;
    const take = takerOf(message);
    if (take !== undefined) {
      const { id, params } = message as TakenMessage;
      taken.add(id);
      asked.add(id);
      void replyOf(take, id, params).then((reply) => {
        if (taken.delete(id)) answer(reply);
      });
      return;
    }
    const id =
      isObject(message) && 'method' in message ? (message['id'] as RequestId | undefined) : undefined;
    if (id !== undefined) asked.add(id);
    if (id === undefined || hasOwnWatch(options)) return send(leavingOnce(message), options);
    open.add(id);
    signalOf(options)?.addEventListener('abort', () => open.delete(id), { once: true });
    const onRequestStreamEnd = (): void => {
      if (!open.delete(id)) return;
      answer(errorReply(id, streamLost()));
    };
    try {
      await send(leavingOnce(message), { ...options, onRequestStreamEnd });
    } catch (error) {
      open.delete(id);
      asked.refused(id, lateOf(message));
      throw error;
    }
  };
  return lastLine;
}

function isResponse(message: unknown): message is { readonly [member: string]: unknown } {
  return isObject(message) && ('result' in message || 'error' in message);
}

/** Of so many requests it is known whether they were answered. */
const KEPT_AT_MOST = 1000;
/** Of so many that were refused, a result is told that comes all the same. */
const LATE_AT_MOST = 100;

/** What was asked on a connection, and whether it has had its answer. Some servers give a number back as text. */
class AskedIds {
  readonly #isAnswered = new Map<string, boolean>();
  readonly #late = new Map<string, HearLate>();

  add(id: RequestId): void {
    setLast(this.#isAnswered, String(id), false, KEPT_AT_MOST);
  }

  /** The server has not taken it: it has no answer to come. */
  refused(id: RequestId, late: HearLate | undefined): void {
    this.answered(id);
    if (late !== undefined) setLast(this.#late, String(id), late, LATE_AT_MOST);
  }

  /** An answer has come, with this result if it has one: was it asked for, and is it the first? */
  answered(id: RequestId, result?: unknown): boolean {
    const isFirst = this.#isAnswered.get(String(id)) === false;
    if (isFirst) this.#isAnswered.set(String(id), true);
    else if (isObject(result)) this.#late.get(String(id))?.(result);
    return isFirst;
  }
}

interface TakenMessage {
  readonly id: RequestId;
  readonly params: { readonly [key: string]: unknown };
}

/** What the SDK is told in the place of the server's answer. */
async function replyOf(take: Take, id: RequestId, params: TakenMessage['params']): Promise<unknown> {
  try {
    return { jsonrpc: '2.0', id, result: await take(params) };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: { code: -32603, message: String(error) } };
  }
}

function cancelledId(message: unknown): RequestId | undefined {
  if (!isObject(message) || message['method'] !== 'notifications/cancelled') return undefined;
  return isObject(message['params']) ? (message['params']['requestId'] as RequestId | undefined) : undefined;
}

/** Subscriptions watch their stream themselves. */
function hasOwnWatch(options: object | undefined): boolean {
  return isObject(options) && options['onRequestStreamEnd'] !== undefined;
}

function signalOf(options: object | undefined): AbortSignal | undefined {
  const signal = isObject(options) ? options['requestSignal'] : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}
