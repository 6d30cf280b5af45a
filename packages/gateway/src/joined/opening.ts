/** How the conversation with one upstream of many is opened, and what becomes of calls where it is not. */
import { type Fault, type FaultInit, makeFault } from '@mayday/core';
import type { Refusal, Started } from '@mayday/policy';
import {
  endOf,
  type HowAnswered,
  type HttpHead,
  type Limit,
  type Link,
  limitDetails,
  lost,
  noteStart,
  notOpened,
  type Outgoing,
  outcomeUnder,
  spelt,
  type WireCall,
  type WireOutcome,
  withSilence,
  wrongProtocol,
} from '@mayday/relay';
import { withReason } from '../call/tell-why.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { ofAnotherRevision, refusedToOpen } from './opening-faults.ts';
import { codeIn } from './telling.ts';

/** How opening an upstream went. */
export type Opened =
  | { readonly ok: true; readonly answer: Buffer }
  | {
      readonly ok: false;
      readonly outcome: (call: WireCall) => WireOutcome;
      /** Nothing came in time. */
      readonly isSilent?: boolean;
      /** It has ended over what it was told. */
      readonly hasEnded?: boolean;
    };

interface OpeningOptions {
  readonly link: Link;
  readonly upstream: Pick<Upstream, 'name' | 'hear'>;
  readonly limitMs: number;
}

/** Asks the upstream to open a conversation. */
export function requestOpening(opening: Outgoing, options: OpeningOptions): Promise<Opened> {
  const { link, upstream, limitMs } = options;
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      const fault = ofUpstream(upstream.name, notOpened(link.silence, undefined, upstream.name));
      cancel();
      resolve({ ...failedWith(fault), isSilent: true });
    }, limitMs);
    const settle = (opened: Opened): void => {
      clearTimeout(late);
      resolve(opened);
    };
    const cancel = link.request(opening, {
      answered: (answer, head, how) =>
        settle(openedBy({ answer, head, isNameless: how?.isNameless }, upstream)),
      related: () => {
        // Nobody has asked for what a server says before it is open.
      },
      lost: (fault, answer, head) =>
        settle(
          isSilence(fault)
            ? silent(ofUpstream(upstream.name, fault))
            : {
                ok: false,
                hasEnded: fault.mayBeOwn === true,
                outcome: (call) =>
                  isFailing(head) && answer !== undefined
                    ? refused(call, { answer, head }, upstream)
                    : lost(call, { ...fault, executed: 'no' }, { original: answer }),
              },
        ),
    });
  });
}

function openedBy(came: Came, upstream: OpeningOptions['upstream']): Opened {
  const { answer } = came;
  if (upstream.hear.failureIn(answer) !== undefined)
    return { ok: false, outcome: (call) => refused(call, came, upstream) };
  const wrong = wrongProtocol(answer);
  return wrong === undefined ? { ok: true, answer } : failedWith(wrong);
}

/** What somebody who waits for an opening is told when that takes too long. */
interface Waiting {
  readonly leftMs: number;
  readonly gaveUp: () => FaultInit;
}

/** The opening, for one call: as long as somebody waits for that, and no longer than this. */
export function whileWanted(
  opening: Promise<Opened>,
  call: WireCall,
  { leftMs, gaveUp }: Waiting,
): Promise<Opened> {
  const { progress, signal } = call;
  const hadBegun = progress.began;
  const started = noteWait(call);
  return new Promise((resolve, reject) => {
    const settle = (opened: Opened): void => {
      started();
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
      progress.began = hadBegun;
      resolve(opened);
    };
    const late = setTimeout(() => {
      const fault = gaveUp();
      settle({ ok: false, outcome: () => ({ ...lost(call, fault), ended: 'attempt_timeout' }) });
    }, leftMs);
    const onAbort = (): void => {
      const { fault, ended } = endOf(call);
      settle({ ok: false, outcome: () => ({ ...lost(call, { ...fault, executed: 'no' }), ended }) });
    };
    // Whoever ends the call sees by it that it was not sent, and never will be.
    progress.began = true;
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    opening.then(settle, reject);
  });
}

/** Notes that the call waits for its server; what it gives ends that. A note that held the call would keep it from being collected early. */
function noteWait(call: WireCall): () => void {
  let isOver = false;
  noteStart(call, () => !isOver);
  return () => {
    isOver = true;
  };
}

/** An upstream that was waited for as long as a client that speaks to it alone would wait. */
export function gaveUp(name: string, limit: Limit, silence: Link['silence']): FaultInit {
  const message = `${name} did not answer within ${spelt(limit)}`;
  const details = limitDetails(limit);
  const fault: FaultInit = { kind: 'timeout', origin: 'gateway', executed: 'no', message, details };
  return ofUpstream(name, withSilence(fault, silence));
}

function ofUpstream(name: string, fault: FaultInit): FaultInit {
  return { ...fault, subject: { type: 'upstream', id: name } };
}

function failedWith(fault: FaultInit): Extract<Opened, { ok: false }> {
  return { ok: false, outcome: (call) => lost(call, { ...fault, executed: 'no' }) };
}

/** What an opening proves about whether its server can be started. */
export function startedBy(opened: Opened | undefined): Started | undefined {
  if (opened === undefined || opened.ok) return opened && 'works';
  return opened.hasEnded === true ? 'ended' : undefined;
}

/** One that is left alone for now, because of this. */
export function leftAlone({ fault, by }: Refusal, why: Fault | undefined): Opened {
  const told = why === undefined ? fault : withReason(fault, why);
  return { ok: false, outcome: (call) => ({ ...lost(call, told), refused: { by } }) };
}

/** Has its link waited in vain for it to begin? */
function isSilence({ kind, origin, executed }: FaultInit): boolean {
  return kind === 'timeout' && origin === 'gateway' && executed === 'no';
}

/** Nobody waits for it a second time. */
function silent(fault: FaultInit): Opened {
  const outcome = (call: WireCall): WireOutcome => ({ ...lost(call, fault), ended: 'attempt_timeout' });
  return { ok: false, isSilent: true, outcome };
}

/** What the server said to the opening. */
interface Came extends Pick<HowAnswered, 'isNameless'> {
  readonly answer: Buffer;
  readonly head: HttpHead | undefined;
}

/**
 * It has refused to be opened: nothing of the call was sent, so that it says nothing of the tool. Of revisions it speaks with
 * us, and not with the client.
 */
function refused(
  call: WireCall,
  { answer, head, isNameless }: Came,
  { name, hear }: OpeningOptions['upstream'],
): WireOutcome {
  const outcome = outcomeUnder(call, answer, hear, { head, isNameless });
  if (outcome.ok) return outcome;
  if (codeIn(outcome) === UNSUPPORTED_REVISION) return lost(call, ofAnotherRevision(name, call.revision));
  const { fault } = outcome;
  const isWrong = fault.reaction === 'validation' || fault.reaction === 'terminal';
  // What its words would say of a call cannot be true of one that it was never sent. What it says besides stays. A status
  // that blames the server, or asks to wait, says more than they do.
  if (isWrong && codeIn(outcome) !== undefined && !blamesServer(head))
    return {
      ...outcome,
      answered: false,
      reached: true,
      fault: { ...fault, ...makeFault(refusedToOpen(name, fault)) },
    };
  return { ...outcome, reached: true, fault: { ...fault, executed: 'no' } };
}

function isFailing(head: HttpHead | undefined): boolean {
  return head !== undefined && head.status >= 300;
}

function blamesServer(head: HttpHead | undefined): boolean {
  return head !== undefined && (head.status >= 500 || head.status === 429 || head.status === 408);
}

const UNSUPPORTED_REVISION = -32022;
