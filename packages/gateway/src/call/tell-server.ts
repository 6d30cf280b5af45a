/**
 * What the gateway tells whoever it asks, in the request's `_meta`: that attempts are counted here, so that nobody below
 * repeats them as well, and of a repeated call with a key that an earlier attempt may have been executed.
 */
import { ATTEMPT_KEY, EXECUTED_KEY } from '@mayday/core/protocol';
import { encode, locate, type Peek, peek, splice, type WireCall, type WirePolicy } from '@mayday/relay';

/** Their answers decide how client and server speak: they go out as they came. */
const NEGOTIATION: readonly string[] = ['initialize', 'server/discover'];

/** Tells the count, unless somebody above counts already or nothing is repeated here. */
export function tellServer({ attempts }: { readonly attempts: number }): WirePolicy {
  return (next) => (call) => {
    const { attempt, above, method, idempotencyKey, progress } = call;
    const told: { [key: string]: string | number } = {};
    if (attempts > 1 && above?.attempt === undefined && !NEGOTIATION.includes(method))
      told[ATTEMPT_KEY] = attempt;
    if (idempotencyKey !== undefined && progress.executed !== 'no') told[EXECUTED_KEY] = progress.executed;
    return next(Object.keys(told).length === 0 ? call : withMeta(call, told));
  };
}

/** The same call with more in its `_meta`; everything else in it stays to the letter. */
function withMeta(call: WireCall, told: { readonly [key: string]: string | number }): WireCall {
  let { body, peek: seen } = call;
  for (const [key, value] of Object.entries(told)) {
    body = withMember(body, seen, key, encode(value));
    seen = peek(body);
  }
  return { ...call, body, peek: seen };
}

const OPEN = 0x7b;
const CLOSE = 0x7d;

function withMember(body: Buffer, { paramsStart, deciding }: Peek, key: string, value: Buffer): Buffer {
  const meta = deciding._meta;
  if (paramsStart < 0)
    return inserted(body, body.indexOf(OPEN), `"params":{"_meta":{${JSON.stringify(key)}:${value}}}`);
  if (body[paramsStart] !== OPEN) return body; // no object: the server says what it thinks of that
  if (meta === undefined) return inserted(body, paramsStart, `"_meta":{${JSON.stringify(key)}:${value}}`);
  if (body[meta.start] !== OPEN) return body;
  const known = locate(body, meta.start, key);
  return known === undefined
    ? inserted(body, meta.start, `${JSON.stringify(key)}:${value}`)
    : splice(body, [known], value);
}

/** The first member of the object that begins there. */
function inserted(body: Buffer, object: number, member: string): Buffer {
  const next = body
    .subarray(object + 1)
    .toString('latin1', 0, 64)
    .trimStart()
    .charCodeAt(0);
  const at = { start: object + 1, end: object + 1 };
  return splice(body, [at], Buffer.from(next === CLOSE ? member : `${member},`));
}
