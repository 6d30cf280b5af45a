/**
 * Calls that carry an idempotency key are made once, whatever the server knows about keys: a repeat gets the answer
 * that the first one got, under its own id.
 */
import { type AnswerCodec, type IdempotencyStore, idempotency, type Outcome } from '@mayday/policy';
import {
  type Answer,
  decode,
  idBytes,
  peek,
  splitEvents,
  type Wire,
  type WireCall,
  type WirePolicy,
  withId,
} from '@mayday/relay';

/** `_meta` key of the idempotency key. */
const IDEMPOTENCY_KEY = 'dev.mayday/idempotency-key';

/** Honours the key of tool calls that carry one. */
export function exactlyOnce(store: IdempotencyStore): WirePolicy {
  const honour = idempotency<Wire, WireCall>({ store, codec: WIRE_ANSWERS });
  return (next) => {
    const once = honour(next);
    return async (call) => {
      const key = call.method === 'tools/call' ? call.meta?.[IDEMPOTENCY_KEY] : undefined;
      if (typeof key !== 'string') return next(call);
      const outcome = await once({ ...call, idempotencyKey: key, arguments: call.params()?.['arguments'] });
      return outcome.replayed === true ? addressedTo(call, outcome) : outcome;
    };
  };
}

/** The stored answer carries the id of the call that it was given to. */
function addressedTo(call: WireCall, outcome: Outcome<Wire>): Outcome<Wire> {
  if (!outcome.ok || outcome.value.type !== 'answer') return outcome;
  const answer = plain(outcome.value);
  const body = withId(answer.body, peek(answer.body), idBytes(call.body, call.peek));
  return { ...outcome, value: { ...answer, body } };
}

/** An answer that came as an event, as the message in it. */
function plain(answer: Answer): Answer {
  if (!answer.isStream) return answer;
  const message = splitEvents(answer.body).findLast(({ data }) => peek(data).kind === 'response');
  const headers = { 'content-type': 'application/json' };
  return { type: 'answer', body: message?.data ?? answer.body, status: 200, headers, isStream: false };
}

/** Bytes are kept as the text they are. */
const WIRE_ANSWERS: AnswerCodec<Wire> = {
  encode(outcome) {
    const { ok, value } = outcome;
    if (ok) {
      if (value.type !== 'answer') return undefined;
      const { body, status } = plain(value);
      return JSON.stringify({ ok, body: body.toString('utf8'), status });
    }
    const said = value?.type === 'message' ? value.bytes.toString('utf8') : undefined;
    const heard = value?.type === 'message' ? value.heard : undefined;
    return JSON.stringify({ ok, fault: outcome.fault, answered: outcome.answered, said, heard });
  },
  decode(text) {
    const kept = decode(Buffer.from(text)) as Kept | undefined;
    if (kept === undefined) return undefined;
    if (kept.ok) {
      const headers = { 'content-type': 'application/json' };
      const value = { type: 'answer', status: kept.status, headers, isStream: false } as const;
      return { ok: true, value: { ...value, body: Buffer.from(kept.body) } };
    }
    const { fault, answered, said, heard } = kept;
    if (said === undefined) return { ok: false, fault, answered };
    const bytes = Buffer.from(said);
    const value = { type: 'message', message: decode(bytes), bytes, status: 200, heard } as const;
    return { ok: false, fault, answered, value };
  },
};

type Kept =
  | { readonly ok: true; readonly body: string; readonly status: number }
  | {
      readonly ok: false;
      readonly fault: Extract<Outcome<Wire>, { ok: false }>['fault'];
      readonly answered?: boolean;
      readonly said?: string;
      readonly heard?: Extract<Wire, { type: 'message' }>['heard'];
    };
