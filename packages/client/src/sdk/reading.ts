/** What a call's answers and exceptions are read as, given what went out with it. */
import { type Fault, FaultError, makeFault } from '@mayday/core';
import { type Clock, type RunOptions, type Settled, sleep, worse } from '@mayday/policy';
import { isObject, refusalInResult } from '../http/reply.ts';
import type { AnnotationBook } from './annotations.ts';
import type { CallFacts } from './call.ts';
import type { ClockTrust, Told } from './clock-trust.ts';
import type { Connection } from './connection.ts';
import {
  answersForTask,
  faultInResult,
  faultInSdkError,
  isAnswer,
  isServersAnswer,
  refusalBehind,
} from './read-failure.ts';
import { mistakenIn } from './start-failure.ts';
import { type Relied, takenBack } from './taken-back.ts';
import { toolIn } from './task-book.ts';
import type { SdkRequest } from './types.ts';
import { unsendableIn } from './unsendable.ts';

/** What went out with the last attempt of a call. */
export interface Sent extends Relied {
  session?: string | undefined;
  told?: Told;
  /** Of the book, when it was sent. */
  edition?: number;
  /** What was met on the way to a connection, before anything could be sent. */
  before?: { readonly thrown: unknown };
  /** What kept a session that has expired from being opened anew. */
  unopened?: { readonly thrown: unknown };
  /** Of the connection, when it was sent. */
  tellings?: number;
  strays?: number;
  ends?: number;
  /** What the connection had told when it failed: whatever it tells from then on counts, until the call is made again. */
  toldBefore?: number;
  /** When it failed. */
  failedAt?: number;
}

/** Who reads: what one client knows of its server. */
export interface Reader {
  readonly clock: Clock;
  readonly clockTrust: ClockTrust;
  readonly connection: Connection;
  readonly book: Pick<AnnotationBook, 'isListed'>;
  readonly trustDeclarations: boolean | undefined;
}

/** What is asked, and what it has begun, if it asks about that. */
interface Asked {
  readonly request: SdkRequest;
  readonly began: SdkRequest | undefined;
}

/** What answers and exceptions mean, and how an expired session is mended. */
export function readingOf(
  { method, target }: CallFacts,
  sent: Sent,
  { request, began }: Asked,
  { clock, clockTrust, connection, book, trustDeclarations }: Reader,
): Pick<RunOptions<unknown>, 'faultIn' | 'faultInThrown' | 'isAnswer' | 'recover'> {
  const isTool = method === 'tools/call';
  const tool = isTool ? target : toolIn(began);
  // A list may come while the call is under way.
  const asCalled = () =>
    tool === undefined ? undefined : { type: 'tool', id: tool, isListed: book.isListed(tool) };
  const learned = <F extends Fault | undefined>(fault: F, now: number): F => {
    if (fault === undefined) return fault;
    if (sent.told !== undefined) clockTrust.learn(fault, sent.told, now);
    // Whose work it has told of is not always said, so that speaks against all that is under way.
    const hasTold = connection.tellings !== sent.tellings || connection.ends !== sent.ends;
    const hasBegun = hasTold || connection.isSayingMore;
    sent.toldBefore = connection.tellings;
    sent.failedAt = now;
    const learnt = hasBegun ? { ...fault, executed: worse('maybe', fault.executed) } : fault;
    sent.fault = learnt;
    return learnt;
  };
  return {
    faultIn: isTool
      ? (value) => {
          const now = clock.now();
          sent.refusal = refusalInResult(value);
          return learned(faultInResult(value, { now, trustDeclarations, called: asCalled() }), now);
        }
      : undefined,
    faultInThrown: (thrown, now) => {
      const { session } = sent;
      const hadSession = session !== undefined;
      const from = { now, hadSession, session, began: false, trustDeclarations, called: asCalled() };
      const fault = faultInSdkError(thrown, from);
      if (sent.before?.thrown === thrown) return { ...(mistakenIn(thrown) ?? fault), executed: 'no' };
      const unsendable = unsendableIn(thrown, request.params);
      if (unsendable !== undefined) return unsendable;
      sent.refusal = refusalBehind(thrown);
      return learned(isTool || tool === undefined ? fault : onceGiven(thrown, fault), now);
    },
    isAnswer: began === undefined ? isAnswer : answersForTask,
    recover: (fault) =>
      connection.recover(fault, sent.session).catch((thrown: unknown) => {
        sent.unopened = { thrown };
        throw thrown;
      }),
  };
}

/** The end of a call, told by what keeps its session from being opened anew: that it has expired is not all that is wrong. */
export function toldByOpening<T>(done: Settled<T>, { unopened }: Sent, now: number): Settled<T> {
  const { outcome } = done;
  if (outcome.ok || unopened === undefined || outcome.fault.subject?.type !== 'session') return done;
  const { executed, details } = outcome.fault;
  const met = faultInSdkError(unopened.thrown, { now, hadSession: false, began: false });
  const fault = {
    ...met,
    executed,
    ...(details !== undefined && { details: { ...met.details, ...details } }),
  };
  return { ...done, outcome: { ...outcome, fault } };
}

/** What a server says behind a refusal within this time, it says along with it. */
const AT_ONCE_MS = 10;

/** The answer, once all was heard that comes along with it: no stream of messages says that a refusal was all. */
export async function heardOut(
  asked: Promise<unknown>,
  { faultIn, faultInThrown, isAnswer: isSaid }: ReturnType<typeof readingOf>,
  clock: Clock,
): Promise<unknown> {
  const isRefused = await asked.then(
    (value) => isObject(value) && value['isError'] === true && faultIn?.(value)?.executed === 'no',
    (thrown: unknown) => {
      const fault = faultInThrown?.(thrown, clock.now());
      return fault?.executed === 'no' && isSaid?.(thrown, fault) !== false;
    },
  );
  if (isRefused) {
    await sleep(clock, AT_ONCE_MS);
    await clock.caughtUp?.();
  }
  return asked;
}

/**
 * What becomes of a call, without another attempt, where its server has taken the refusal back that this would rely on.
 * `reliesOnIt`: without a refusal it could not be made again.
 */
export function insteadOfAnother(
  sent: Sent,
  connection: Connection,
  reliesOnIt: boolean,
): (() => unknown) | undefined {
  const { strays, tellings, isSayingMore } = connection;
  const { toldBefore = tellings } = sent;
  const hasSaidMore = toldBefore !== tellings || isSayingMore || hasEndedOfIt(sent, connection);
  const isTold = sent.strays !== strays || (reliesOnIt && hasSaidMore);
  sent.strays = strays;
  const before = takenBack(sent, isTold);
  if (before === undefined) return undefined;
  const { late, fault } = before;
  return () => {
    if (late !== undefined) return late.result;
    throw new FaultError(fault);
  };
}

/** What becomes of a call that is not made again after all: the failure that it would have been made again for. */
export function notAgain({ fault }: Sent): Fault {
  return fault === undefined ? makeFault(IN_ANOTHER) : { ...fault, executed: worse('maybe', fault.executed) };
}

const IN_ANOTHER = {
  kind: 'disconnected',
  origin: 'local',
  executed: 'maybe',
  retryable: false,
  message: 'Not sent: another session has been opened since, and it could happen twice',
} as const;

/** A process that ends within this time behind a refusal may have ended of what it has refused. */
const ENDS_OF_IT_MS = 1000;

function hasEndedOfIt({ ends, failedAt }: Sent, connection: Connection): boolean {
  if (failedAt === undefined || ends === connection.ends) return false;
  return connection.endedAt - failedAt <= ENDS_OF_IT_MS;
}

/**
 * The door was passed when the task was given: no number and no words refuse its work any more, whatever a document says
 * of them. Only our own form, which has no code, can declare that nothing was done.
 */
function onceGiven(thrown: unknown, fault: Fault): Fault {
  const isRefused = fault.executed === 'no' && fault.native !== undefined && isServersAnswer(thrown, fault);
  return isRefused ? { ...fault, executed: 'maybe' } : fault;
}
