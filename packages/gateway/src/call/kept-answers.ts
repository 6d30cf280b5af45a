/** How answers are kept under a key. */
import type { AnswerCodec, Outcome, Rounds } from '@mayday/policy';
import {
  type Answer,
  decode,
  isMembers,
  peek,
  resultOf,
  splitEvents,
  type Wire,
  type WireCall,
} from '@mayday/relay';
import { type Answers, answersIn, isSameRound } from './later-round.ts';

/** What was said, and what the user had answered in the round that it was said in. */
export type Kept = Wire & {
  /** Absent in a first round. */
  readonly answers?: Answers | undefined;
  /** A repeat was not made, because nobody here had heard of its first call: nothing that was said by anybody. */
  readonly unheard?: boolean | undefined;
};

/** An answer that came as an event, as the message in it. */
export function plain(answer: Answer): Answer {
  if (!answer.isStream) return answer;
  const message = splitEvents(answer.body).findLast(({ data }) => peek(data).kind === 'response');
  const headers = { 'content-type': 'application/json' };
  return { type: 'answer', body: message?.data ?? answer.body, status: 200, headers, isStream: false };
}

/** Is the call at its end? One that asks for input goes on in another round. */
export function isOver({ ok, value }: Outcome<Wire>): boolean {
  if (!ok || value.type !== 'answer' || !value.body.includes('input_required')) return true;
  const result = resultOf(decode(plain(value).body));
  return result?.['resultType'] !== 'input_required';
}

/** Does the answer name a task, whose result is asked for by itself? */
export function isTask({ ok, value }: Outcome<Wire>): boolean {
  if (!ok || value.type !== 'answer' || !value.body.includes('"task"')) return false;
  return isMembers(resultOf(decode(plain(value).body))?.['task']);
}

/** A question is kept for the round that was asked it. */
export const WIRE_ROUNDS: Rounds<Kept, WireCall> = {
  isLater: (call) => answersIn(call) !== undefined,
  goesOn: (kept, call) => !isOver(kept) && !isSameRound(kept.value?.answers, answersIn(call)),
};

/** Bytes are kept as the text they are. */
export const WIRE_ANSWERS: AnswerCodec<Kept> = {
  encode(outcome) {
    const { ok, value } = outcome;
    const { answers, unheard } = value ?? {};
    if (ok) {
      if (value.type !== 'answer') return undefined;
      const { body, status } = plain(value);
      return JSON.stringify({ ok, body: body.toString('utf8'), status, answers });
    }
    const said = value?.type === 'message' ? value.bytes.toString('utf8') : undefined;
    const heard = value?.type === 'message' ? value.heard : undefined;
    const { fault, answered } = outcome;
    return JSON.stringify({ ok, fault, answered, said, heard, answers, unheard });
  },
  decode(text) {
    const kept = decode(Buffer.from(text)) as Written | undefined;
    if (kept === undefined) return undefined;
    const { answers } = kept;
    if (kept.ok) {
      const headers = { 'content-type': 'application/json' };
      const value = { type: 'answer', status: kept.status, headers, isStream: false } as const;
      return { ok: true, value: { ...value, body: Buffer.from(kept.body), answers } };
    }
    const { fault, answered, said, heard, unheard } = kept;
    if (said === undefined) {
      const isBare = answers === undefined && unheard === undefined;
      return {
        ok: false,
        fault,
        answered,
        value: isBare ? undefined : { type: 'nothing', answers, unheard },
      };
    }
    const bytes = Buffer.from(said);
    const value = { type: 'message', message: decode(bytes), bytes, status: 200, heard, answers } as const;
    return { ok: false, fault, answered, value };
  },
};

type Written = { readonly answers?: Answers } & (
  | { readonly ok: true; readonly body: string; readonly status: number }
  | {
      readonly ok: false;
      readonly fault: Extract<Outcome<Wire>, { ok: false }>['fault'];
      readonly answered?: boolean;
      readonly said?: string;
      readonly unheard?: boolean;
      readonly heard?: Extract<Wire, { type: 'message' }>['heard'];
    }
);
