/** What workers behind one port mean for a request at the door: where it is answered, and how its session is named. */
import type { Entry, RequestHead } from '@mayday/relay';
import { untilIdle } from '@mayday/relay';
import { ADMIN_BODY_BYTES } from '../admin/over-http.ts';
import type { Setup } from '../setup.ts';
import { conversationIn } from '../sse/conversations.ts';
import type { Crew } from './crew.ts';
import { commonAt, needsCommon } from './owner-of.ts';
import { createPassOn, type Passed, type PassOn } from './pass-on.ts';
import { taggedIn, taggedWith, untagged, workerIn } from './session-tag.ts';

/** A call that was let in. */
interface Arrived extends Omit<Passed, 'otherwise'> {
  /** The name of its endpoint. */
  readonly name: string;
  readonly setup: Setup;
  /** Its sender only speaks the transport of 2024-11-05: a conversation is with the worker that its stream has come to. */
  readonly isLegacy: boolean;
  /** Answers it here, as the request that it is for whoever keeps its session. */
  readonly here: (request: RequestHead) => void;
}

/** Where requests go. */
export interface Hop {
  /** Has a call answered, here or by another worker. */
  call(arrived: Arrived): void;
  /** Who takes an operator's request; `undefined`, if that is this worker. One has all of them, and counts them. */
  admin(passed: Omit<Passed, 'body' | 'otherwise'>, here: () => Entry | undefined): Entry | undefined;
}

/** The ways of one worker. */
export interface Hops {
  /** Where callers come in. */
  readonly outer: Hop;
  /** Where other workers do: what has come here is answered here. */
  readonly inner: Hop;
  /** Resolves when all that was passed on is answered, or a little after this time. */
  close(graceMs: number): Promise<void>;
}

/** Those that answer give up when their time is over; what they say then has to come back through here. */
const LAST_WORDS_MS = 3000;

/** The ways to the others. */
export function createHops(crew: Crew): Hops {
  const passOn = createPassOn();
  const answer = answerHere(crew);
  return {
    inner: { call: answer, admin: (_, here) => here() },
    outer: { call: (arrived) => answerWhere(arrived, crew, passOn, answer), admin: toLead(crew, passOn) },
    async close(graceMs) {
      if (passOn.size > 0) await untilIdle(() => passOn.size === 0, graceMs + LAST_WORDS_MS);
      passOn.close();
    },
  };
}

/** Under ids that name this worker. */
function answerHere({ worker }: Crew): (arrived: Arrived) => void {
  const mark = taggedWith(worker);
  return ({ request, reply, here }) => {
    const tagged = taggedIn(request);
    reply.onHead(mark);
    here(tagged === undefined ? request : untagged(request, tagged));
  };
}

function answerWhere(arrived: Arrived, crew: Crew, passOn: PassOn, answer: (arrived: Arrived) => void): void {
  const worker = ownerOf(arrived, crew);
  if (worker === undefined || worker === crew.worker) answer(arrived);
  else passOn.to(crew.socketOf(worker, 'calls'), { ...arrived, otherwise: () => answer(arrived) });
}

/** The session of a worker that is gone is as good as none: whoever keeps the endpoint here says so. */
function ownerOf(arrived: Arrived, crew: Crew): number | undefined {
  const { request, body, name, setup, isLegacy } = arrived;
  const owner = isLegacy ? workerIn(conversationIn(request)) : taggedIn(request)?.worker;
  if (owner !== undefined) return crew.living().some(({ worker }) => worker === owner) ? owner : undefined;
  const isCommon = !isLegacy && needsCommon(commonAt(name, setup), request.method, body);
  return isCommon ? crew.keeperOf(name) : undefined;
}

function toLead(crew: Crew, passOn: PassOn): Hop['admin'] {
  return (passed, here) => {
    const lead = Math.min(...crew.living().map(({ worker }) => worker));
    if (!Number.isFinite(lead) || lead === crew.worker) return here();
    return {
      maxBodyBytes: ADMIN_BODY_BYTES,
      handle: (body) =>
        passOn.to(crew.socketOf(lead, 'calls'), { ...passed, body, otherwise: () => here()?.handle(body) }),
    };
  };
}
