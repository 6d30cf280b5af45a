/** Takes a call along its path and answers it, whatever happens on the way. */
import { type Fault, type FaultInit, makeFault, write } from '@mayday/core';
import type { Failed } from '@mayday/policy';
import { idOf } from '../framing/ids.ts';
import { encode } from '../framing/json.ts';
import { type Answer, lost, type Wire, type WireCall, type WireHandler, type WireOutcome } from './call.ts';
import type { Delivery } from './delivery.ts';

/** Who is to be told. */
export interface AnswerOptions {
  /** The outcome, before it is answered. */
  readonly onOutcome?: ((outcome: WireOutcome) => void) | undefined;
  /** Something was thrown that should not have been: a mistake of ours, which cost this call alone. */
  readonly onBug?: ((error: unknown) => void) | undefined;
  /** The answer could not be sent. */
  readonly abort: () => void;
}

const BUG: FaultInit = {
  kind: 'internal',
  origin: 'gateway',
  executed: 'maybe',
  message: 'The gateway itself failed with this call',
};

const JSON_BODY: { readonly [name: string]: string } = { 'content-type': 'application/json' };

/** Makes the call and answers it once; what it holds counts until then. Never throws and never rejects. */
export async function answerCall(
  path: WireHandler,
  call: WireCall,
  delivery: Delivery,
  options: AnswerOptions,
): Promise<void> {
  let outcome: WireOutcome;
  const letGo = call.room?.hold();
  try {
    outcome = await path(call);
  } catch (error) {
    options.onBug?.(error);
    outcome = lost(call, BUG);
  }
  letGo?.();
  try {
    options.onOutcome?.(outcome);
    const { value } = outcome;
    delivery.conclude(value?.type === 'answer' ? value : plainAnswer(call, outcome as Failed<Wire>));
  } catch (error) {
    options.onBug?.(error);
    options.abort();
  }
}

/** A failure that nobody has put into words, in those of `mayday`. */
function plainAnswer(call: WireCall, { fault, value }: Failed<Wire>): Answer {
  const status = value?.type === 'nothing' ? (value.status ?? 200) : 200;
  return {
    type: 'answer',
    body: plainWords(asked(call), fault),
    status,
    headers: JSON_BODY,
    isStream: false,
  };
}

function plainWords({ id, method, revision }: Asked, fault: Fault): Buffer {
  return encode(write(fault, 'mayday', { ...(id === undefined ? {} : { id }), method, revision }).wire);
}

/** What of a request decides how it is answered. */
interface Asked {
  readonly id: string | number | undefined;
  readonly method: string;
  readonly revision: WireCall['revision'];
}

function asked({ body, peek, revision }: Pick<WireCall, 'body' | 'peek' | 'revision'>): Asked {
  return { id: idOf(body, peek), method: peek.method, revision };
}

/** What a client is told that asks for an answer again which could not be kept; nothing of the request is held for it. */
export function lostAnswer(request: Pick<WireCall, 'body' | 'peek' | 'revision'>): () => Buffer {
  const of = asked(request);
  return () => plainWords(of, LOST);
}

const LOST = makeFault({
  kind: 'disconnected',
  origin: 'gateway',
  executed: 'maybe',
  message: 'The answer came while nobody read it, and there was no room to keep it',
});
