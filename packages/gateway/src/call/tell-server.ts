/**
 * What the gateway tells whoever it asks, in the request's `_meta`: that attempts are counted here, so that nobody below
 * repeats them as well, and of a repeated call with a key which call it is, and that an earlier attempt may have been
 * executed.
 */
import { randomUUID } from 'node:crypto';
import { ATTEMPT_KEY, CALL_KEY, EXECUTED_KEY } from '@mayday/core/protocol';
import { locate, movedBy, peek, skipSpace, splice, type WireCall, type WirePolicy } from '@mayday/relay';

/** Their answers decide how client and server speak: they go out as they came. */
const NEGOTIATION: readonly string[] = ['initialize', 'server/discover'];

/** Tells the count, unless somebody above counts already or nothing is repeated here. */
export function tellServer({ attempts }: { readonly attempts: number }): WirePolicy {
  return (next) => (call) => {
    const { attempt, above, method, idempotencyKey, progress } = call;
    const counts = attempts > 1 && above?.attempt === undefined && !NEGOTIATION.includes(method);
    const counted = counts ? withMeta(call, ATTEMPT_KEY, String(attempt)) : call;
    if (idempotencyKey === undefined) return next(counted);
    const named = counts ? withMeta(counted, CALL_KEY, JSON.stringify(nameOf(progress))) : counted;
    const isDoubtful = progress.executed !== 'no';
    return next(isDoubtful ? withMeta(named, EXECUTED_KEY, JSON.stringify(progress.executed)) : named);
  };
}

const names = new WeakMap<WireCall['progress'], string>();

/** All attempts of a call share its progress. */
function nameOf(progress: WireCall['progress']): string {
  const name = names.get(progress) ?? randomUUID();
  names.set(progress, name);
  return name;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;

/** The same call with one more member in its `_meta`; everything else in it stays to the letter. */
function withMeta(call: WireCall, key: string, value: string): WireCall {
  const { body, peek: seen } = call;
  const { paramsStart, deciding } = seen;
  const meta = deciding._meta;
  const member = `"${key}":${value}`;
  if (paramsStart < 0)
    return lookedAtAgain(call, withMember(body, body.indexOf(OPEN), `"params":{"_meta":{${member}}}`));
  if (body[paramsStart] !== OPEN) return call; // no object: the server says what it thinks of that
  if (meta === undefined) return withFirstMeta(call, member);
  if (body[meta.start] !== OPEN) return call;
  const known = locate(body, meta.start, key);
  const changed =
    known === undefined ? withMember(body, meta.start, member) : splice(body, [known], Buffer.from(value));
  return lookedAtAgain(call, changed);
}

function lookedAtAgain(call: WireCall, body: Buffer): WireCall {
  return { ...call, body, peek: peek(body) };
}

/** Most calls have no `_meta`: what is known about them only moves. */
function withFirstMeta(call: WireCall, member: string): WireCall {
  const { body, peek: seen } = call;
  const longer = withMember(body, seen.paramsStart, `"_meta":{${member}}`);
  const at = seen.paramsStart + 1;
  const start = at + '"_meta":'.length;
  const _meta = { start, end: start + member.length + 2 };
  const moved = movedBy(seen, at, longer.length - body.length);
  return { ...call, body: longer, peek: { ...moved, deciding: { ...moved.deciding, _meta } } };
}

/** The message with this text as the first member of the object that begins there. */
function withMember(body: Buffer, object: number, member: string): Buffer {
  const at = object + 1;
  const text = body[skipSpace(body, at)] === CLOSE ? member : `${member},`;
  const longer = Buffer.allocUnsafe(body.length + text.length);
  body.copy(longer, 0, 0, at);
  longer.write(text, at, 'latin1');
  body.copy(longer, at + text.length, at);
  return longer;
}
