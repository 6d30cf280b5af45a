/**
 * What the gateway tells whoever it asks, in the request's `_meta`: that attempts are counted here, so that nobody below
 * repeats them as well, which call of a tool it is an attempt at, and of a repeated call with a key that an earlier attempt may
 * have been executed.
 */
import { randomUUID } from 'node:crypto';
import { ATTEMPT_KEY, CALL_KEY, EXECUTED_KEY } from '@mayday/core/protocol';
import { passing } from '@mayday/policy';
import { locate, movedBy, peek, skipSpace, splice, type WireCall, type WirePolicy } from '@mayday/relay';
import { besideCalls } from './beside.ts';

/** Their answers decide how client and server speak: they go out as they came. */
const NEGOTIATION: readonly string[] = ['initialize', 'server/discover'];

/** One more member of `_meta`. */
export interface MetaMember {
  /** In plain letters, like its value. */
  readonly key: string;
  /** As JSON. */
  readonly value: string;
  /** What stands there already stays. */
  readonly isKept?: boolean | undefined;
}

/** Tells the count, unless somebody above counts already or nothing is repeated here, and `more` where there is more. */
export function tellServer(
  { attempts }: { readonly attempts: number },
  more?: (call: WireCall) => readonly MetaMember[],
): WirePolicy {
  const told = (call: WireCall): WireCall => {
    const { attempt, above, method, idempotencyKey, progress } = call;
    const isOurs = !NEGOTIATION.includes(method);
    const members: MetaMember[] = more !== undefined && isOurs ? [...more(call)] : [];
    const counts = attempts > 1 && above?.attempt === undefined && isOurs;
    if (counts) members.push({ key: ATTEMPT_KEY, value: String(attempt) });
    if (counts && (idempotencyKey !== undefined || method === 'tools/call'))
      members.push({ key: CALL_KEY, value: JSON.stringify(nameOf(call)) });
    if (idempotencyKey !== undefined && progress.executed !== 'no')
      members.push({ key: EXECUTED_KEY, value: JSON.stringify(progress.executed) });
    return members.length === 0 ? call : withMeta(call, members);
  };
  return passing({ before: told });
}

const names = besideCalls<string>('name');

/** All attempts of a call have one. */
function nameOf(call: WireCall): string {
  const name = names.of(call) ?? randomUUID();
  names.note(call, name);
  return name;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;

/** The same call with more members in its `_meta`; everything else in it stays to the letter. */
export function withMeta(call: WireCall, members: readonly MetaMember[]): WireCall {
  const { body, peek: seen } = call;
  const { paramsStart, deciding } = seen;
  const meta = deciding._meta;
  if (paramsStart < 0)
    return lookedAtAgain(
      call,
      withMember(body, body.indexOf(OPEN), `"params":{"_meta":{${joined(members)}}}`),
    );
  if (body[paramsStart] !== OPEN) return call; // no object: the server says what it thinks of that
  if (meta === undefined) return withFirstMeta(call, joined(members));
  if (body[meta.start] !== OPEN) return call;
  return lookedAtAgain(call, withinMeta(body, meta.start, members));
}

function joined(members: readonly MetaMember[]): string {
  let text = '';
  for (const { key, value } of members) text += `${text === '' ? '' : ','}"${key}":${value}`;
  return text;
}

/** What stands in it already is changed in its place. */
function withinMeta(body: Buffer, meta: number, members: readonly MetaMember[]): Buffer {
  let changed = body;
  const added: MetaMember[] = [];
  for (const member of members) {
    const known = locate(changed, meta, member.key);
    if (known === undefined) added.push(member);
    else if (member.isKept !== true) changed = splice(changed, [known], Buffer.from(member.value));
  }
  return added.length === 0 ? changed : withMember(changed, meta, joined(added));
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
