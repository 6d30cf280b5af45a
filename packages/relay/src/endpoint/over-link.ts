/** The end of the path: a call over a conversation with a server. */

import type { FaultInit } from '@mayday/core';
import { type Peek, peek } from '../framing/peek.ts';
import type { Cancel, HowAnswered, HttpHead, Link, Outgoing } from '../links/link.ts';
import { isPacked } from '../links/packed.ts';
import { withSilence } from '../links/silent-start.ts';
import { isEventStream, responseHeaders } from '../protocol/headers.ts';
import { wrongProtocol } from '../protocol/opening-answer.ts';
import { tellsOfWork } from '../protocol/tells-of-work.ts';
import { keepingBusy } from './busy.ts';
import {
  answered,
  cannotGoOn,
  endOf,
  type Hear,
  inDoubt,
  isRefusalOfWork,
  lost,
  nameOf,
  refusedBy,
  type WireCall,
  type WireHandler,
  type WireOutcome,
} from './call.ts';
import { asksForStreams } from './media-types.ts';
import { noResult } from './no-result.ts';
import { noteSilence, overhear } from './overheard.ts';
import { noteStart } from './starting.ts';
import { attempted, insteadOfAnother, lateFor, lookBeforeAnother, takeBack } from './taken-back.ts';

const JSON_BODY: { readonly [name: string]: string } = { 'content-type': 'application/json' };

/** Asks over this link. */
export function overLink(link: Link, hear: Hear): WireHandler {
  // One for all calls: what is noted beside a call and holds it keeps it from being collected early.
  const isStarting = (): boolean => link.silence !== undefined;
  return keepingBusy(link, (call) => {
    const read = (bytes: Buffer): WireOutcome => outcomeOf(call, bytes, hear);
    const doubted = insteadOfAnother(call, read);
    if (doubted !== undefined) return Promise.resolve(doubted);
    noteStart(call, isStarting);
    return ask(link, hear, call).then((outcome) => attempted(call, outcome, read));
  });
}

function ask(link: Link, hear: Hear, call: WireCall): Promise<WireOutcome> {
  return new Promise<WireOutcome>((resolve) => {
    let over = false;
    let cancel: Cancel | undefined;
    let catchingUp: Promise<void> | undefined;
    let hasToldIt = false;
    let hadBegun = false;
    const told = link.told;
    const settle = (outcome: () => WireOutcome): void => {
      if (over) return;
      over = true;
      call.signal.removeEventListener('abort', onAbort);
      const hasBegun = hasToldIt || link.told !== told;
      resolve(hasBegun ? inDoubt(outcome()) : outcome());
    };
    const onAbort = (): void => {
      const { fault, ended, reason } = endOf(call);
      const silence = fault.kind === 'timeout' ? link.silence : undefined;
      noteSilence(call, silence);
      const isUnsent = cancel?.(reason ?? fault.message) === 'unsent';
      // Of several attempts at once, one that was sent is enough.
      call.progress.began = !isUnsent || hadBegun;
      settle(() => ({ ...lost(call, withSilence(fault, silence)), ended }));
    };
    if (call.signal.aborted) {
      onAbort();
      return;
    }
    const message = outgoing(call);
    if (call.onlyGoesOn === true && link.canGoOn?.(message) !== true) {
      resolve(cannotGoOn(call));
      return;
    }
    call.signal.addEventListener('abort', onAbort);
    hadBegun = call.progress.began;
    call.progress.began = true;
    cancel = link.request(message, {
      answered: (bytes, head, how) => {
        if (!over) heardOut(call, { bytes, head, how }, hear, (outcome) => settle(() => outcome));
      },
      related: (data) => {
        hasToldIt ||= tellsOfWork(peek(data).method);
        if (over || call.back.related({ data })) return;
        // More can come before the server is held back: all of it waits for the same moment.
        catchingUp ??= whenDrained(call).then(() => {
          catchingUp = undefined;
        });
      },
      told: () => {
        hasToldIt = true;
      },
      overheard: (words) => overhear(call, words),
      hold: () => call.room?.hold(),
      receive: (flow) => call.room?.receive(flow),
      drained: () => catchingUp,
      lost: (fault, original, head) =>
        settle(() => {
          const canGoOn = link.canGoOn?.(message);
          return (
            refusedUnder(call, head, { body: original }, hear) ??
            givenUp(lost(call, fault, { original, canGoOn }), fault)
          );
        }),
      late: () => lateFor(call),
      refused: (fault, original) => settle(() => ({ ...lost(call, fault, { original }), answered: true })),
    });
  });
}

/** An answer, and how it came. */
interface CameOver {
  readonly bytes: Buffer;
  readonly head: HttpHead | undefined;
  readonly how: HowAnswered | undefined;
}

/** Tells what an answer means: at once, or when all was heard that follows, where that could take it back. */
function heardOut(
  call: WireCall,
  { bytes, head, how: { isGuess, isNameless, rest } = {} }: CameOver,
  hear: Hear,
  tell: (outcome: WireOutcome) => void,
): void {
  const under = (all: HttpHead | undefined, isSure: boolean): WireOutcome => {
    const outcome = outcomeUnder(call, bytes, hear, { head: all, isNameless });
    return asItCame(call, all, isSure && isGuess !== true ? outcome : inDoubt(outcome));
  };
  const outcome = under(head, true);
  if (rest === undefined || !isRefusalOfWork(call, outcome)) tell(outcome);
  else {
    rest.whenTakenBack(() => takeBack(call, under(head, false)));
    lookBeforeAnother(call, () => rest.lookAgain());
    rest.whenOver((isAll, all = head) => tell(under(all, isAll)));
  }
}

/** A server that was waited for in vain when it was opened: nobody waits for that a second time. */
function givenUp(outcome: WireOutcome, { kind, origin, executed }: FaultInit): WireOutcome {
  const isOpening = kind === 'timeout' && origin === 'gateway' && executed === 'no';
  return isOpening && !outcome.ok ? { ...outcome, ended: 'attempt_timeout' } : outcome;
}

/** The same as `outcomeOf`; under a failing status of HTTP, what that and the words beside it say. */
export function outcomeUnder(
  call: WireCall,
  bytes: Buffer,
  hear: Hear,
  { head, isNameless }: Pick<CameOver, 'head'> & Pick<HowAnswered, 'isNameless'>,
): WireOutcome {
  return (
    refusedUnder(call, head, { body: bytes, isNameless }, hear) ?? outcomeOf(call, bytes, hear, { head })
  );
}

/** How an answer came. */
interface Came {
  /** Under which status a failure in it goes on; 200, if absent. */
  readonly status?: number | undefined;
  /** What HTTP said around it. */
  readonly head?: HttpHead | undefined;
  /** What is known of its bytes. */
  readonly seen?: Peek | undefined;
}

/** An answer as it came, or the failure in it, or that it is none. */
export function outcomeOf(
  call: WireCall,
  bytes: Buffer,
  hear: Hear,
  { status = 200, head, seen }: Came = {},
): WireOutcome {
  if (hear.isOwn?.(bytes) === true) return passed(bytes);
  const message = hear.failureIn(bytes, seen);
  if (message !== undefined) return refusedBy(call, { type: 'message', message, bytes, status, head }, hear);
  if (call.method === 'initialize') {
    const wrong = wrongProtocol(bytes);
    if (wrong !== undefined) return lost(call, wrong, { original: bytes });
  }
  const wrong = noResult(call.method, bytes);
  return wrong === undefined ? passed(bytes) : { ...lost(call, wrong, { original: bytes }), answered: true };
}

function passed(body: Buffer): WireOutcome {
  return answered({ body, status: 200, headers: JSON_BODY, isStream: false });
}

/** An answer that came as a stream goes on as one, to whoever takes streams. A failure may still be asked again. */
function asItCame(call: WireCall, head: HttpHead | undefined, outcome: WireOutcome): WireOutcome {
  if (outcome.ok && head !== undefined && isEventStream(head.headers) && asksForStreams(call.headers))
    call.back.open();
  return outcome;
}

/** What an HTTP server said under a failing status: who asked at another endpoint of ours learns the same. */
function refusedUnder(
  call: WireCall,
  head: HttpHead | undefined,
  { body, isNameless }: { readonly body: Buffer | undefined } & Pick<HowAnswered, 'isNameless'>,
  hear: Hear,
): WireOutcome | undefined {
  if (head === undefined || head.status < 300 || (body === undefined && !isPacked(head))) return undefined;
  const { 'mcp-session-id': another, ...headers } = responseHeaders(head.headers);
  const said = { type: 'http', status: head.status, head, headers, isOurs: true, isNameless } as const;
  const outcome = refusedBy(call, { ...said, body: body ?? NOTHING }, hear);
  return another === undefined ? outcome : inDoubt(outcome);
}

const NOTHING: Buffer = Buffer.alloc(0);

function whenDrained(call: WireCall): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      call.signal.removeEventListener('abort', done);
      resolve();
    };
    call.back.onDrain(done);
    call.signal.addEventListener('abort', done);
  });
}

function outgoing(call: WireCall): Outgoing {
  return {
    body: call.body,
    peek: call.peek,
    revision: call.revision,
    headers: carriedAlong(call),
    caller: call.by.isKnown ? call.by.id : undefined,
    callerName: nameOf(call.by),
  };
}

const CARRIED: readonly string[] = ['authorization', 'mcp-method', 'mcp-name', 'traceparent', 'tracestate'];

function carriedAlong(call: WireCall): { [name: string]: string } {
  const headers: { [name: string]: string } = {};
  for (const name of CARRIED) {
    const value = call.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  for (const name in call.headers) {
    const value = call.headers[name];
    if (name.startsWith('mcp-param-') && typeof value === 'string') headers[name] = value;
  }
  return headers;
}
