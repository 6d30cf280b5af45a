/**
 * How far a call has come that takes several rounds. One with a key is repeated at the round where it was lost: its user is
 * not asked twice, and what an attempt may have done is said of the round that it was made in.
 */
import { createHash } from 'node:crypto';
import type { Executed } from '@mayday/core';
import { EXECUTED_KEY, IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { setLast, worse } from '@mayday/policy';
import { decode, encode, type Members } from '../../framing/json.ts';
import { shortKey } from '../../framing/short-key.ts';
import { metaOf } from '../../protocol/params.ts';
import type { Outgoing } from '../link.ts';

/** So many calls are remembered; the oldest are forgotten. */
const MAX_CALLS = 1000;
/** So much of what clients have said in all of them. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The rounds of one call. */
export class Rounds {
  /** 1 for the first. */
  number = 1;
  /** What the client has said when it was asked before this round. */
  answers: Members | undefined;
  /** How much that is. */
  bytes = 0;
  /** A digest of what was asked. */
  readonly asked: string;
  /** Were all attempts made here? Otherwise nobody knows which rounds there were. */
  readonly #isWhole: boolean;
  #executed: Executed = 'no';
  /** The last that became of it. */
  #isRefused = false;

  constructor(asked: string, isWhole: boolean) {
    this.asked = asked;
    this.#isWhole = isWhole;
  }

  /** What is to be said of earlier attempts at this round; `undefined` where that stands in the request. */
  get executed(): Executed | undefined {
    return this.number > 1 && this.#isWhole ? this.#executed : undefined;
  }

  /** Was every attempt at this round refused, and is none under way? Then the call can go on with it. */
  get canGoOn(): boolean {
    return this.#isRefused && this.executed === 'no';
  }

  /** An attempt at this round is made. */
  began(): void {
    this.#isRefused = false;
  }

  /** An attempt at this round has failed. */
  failed(executed: Executed = 'maybe'): void {
    this.#executed = worse(this.#executed, executed);
    this.#isRefused = this.#executed === 'no';
  }

  /** It was answered with a question, and the question by the client. */
  next(answers: Members): void {
    this.number += 1;
    this.answers = answers;
    this.bytes = encode(answers).length;
    this.#executed = 'no';
  }
}

/** The rounds of calls that are not over, by their keys. */
export class RoundsByKey {
  readonly #calls: Map<string, Rounds> = new Map();

  /** Those of this call; of one without a key, those that begin with it. */
  of(message: Outgoing): Rounds {
    const meta = metaOf(decode(message.body));
    const key = keyOf(message, meta);
    if (key === undefined) return new Rounds('', true);
    const asked = digestOf(message);
    const known = this.#calls.get(key);
    if (known?.asked === asked) return known;
    const rounds = new Rounds(asked, !['maybe', 'yes'].includes(meta?.[EXECUTED_KEY] as string));
    if (known !== undefined) return rounds;
    setLast(this.#calls, key, rounds, MAX_CALLS);
    return rounds;
  }

  /** Those of a call that began here. */
  find(message: Outgoing): Rounds | undefined {
    const key = keyOf(message, metaOf(decode(message.body)));
    const known = key === undefined ? undefined : this.#calls.get(key);
    return known?.asked === digestOf(message) ? known : undefined;
  }

  /** The client has answered, and its call goes on with the next round. */
  next(rounds: Rounds, answers: Members): void {
    rounds.next(answers);
    let bytes = 0;
    for (const known of this.#calls.values()) bytes += known.bytes;
    for (const [key, known] of this.#calls) {
      if (bytes <= MAX_BYTES) return;
      bytes -= known.bytes;
      this.#calls.delete(key);
    }
  }

  /** The call has its answer. */
  over(message: Outgoing, rounds: Rounds): void {
    const key = keyOf(message, metaOf(decode(message.body)));
    if (key !== undefined && this.#calls.get(key) === rounds) this.#calls.delete(key);
  }
}

/** By its bytes: numbers that a parser would round are told apart. */
function digestOf({ body, peek: { method, deciding } }: Outgoing): string {
  const hash = createHash('sha256').update(method);
  for (const range of [deciding.name, deciding.arguments])
    hash.update('\0').update(range === undefined ? '' : body.subarray(range.start, range.end));
  return hash.digest('base64');
}

function keyOf({ caller }: Outgoing, meta: Members | undefined): string | undefined {
  const key = meta?.[IDEMPOTENCY_KEY];
  return key === undefined ? undefined : shortKey(JSON.stringify([caller, key]));
}
