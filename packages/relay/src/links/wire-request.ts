/** A caller's request as it goes to a server process: under an id of the link's own, on one line. */
import { idBytes, idOf } from '../framing/ids.ts';
import { decode } from '../framing/json.ts';
import { oneLine } from '../framing/lines.ts';
import { locate, type Range, splice } from '../framing/members.ts';
import { peek } from '../framing/peek.ts';
import type { Outgoing, Sink } from './link.ts';
import type { Pending } from './pending.ts';
import type { OnLost, Sent } from './stdio-process.ts';

/** A request to send, and what to remember of it. */
export interface WireRequest {
  readonly pending: Pending;
  readonly line: Buffer;
}

/**
 * Gives a request its id. Where many speak over one link its progress token is exchanged too, in place: the rest of the
 * message stays to the letter.
 */
export function toWire(message: Outgoing, wireId: number, sink: Sink, shared: boolean): WireRequest {
  const { body, peek } = message;
  const said = progressToken(message);
  const token = said === undefined ? undefined : body.subarray(said.start, said.end);
  const id: Range = { start: peek.idStart, end: peek.idEnd };
  const exchanged = shared && said !== undefined ? [said, id].sort((a, b) => a.start - b.start) : [id];
  const pending: Pending = {
    wireId,
    id: idBytes(body, peek),
    idValue: idOf(body, peek),
    token,
    tokenValue: token === undefined ? undefined : decode(token),
    caller: message.caller,
    session: message.session,
    headers: message.headers,
    method: peek.method,
    isInitialize: peek.method === 'initialize',
    names: () => namesIn(message),
    sink,
    isInDoubt: false,
    mayBeAnswered: false,
    written: false,
  };
  return { pending, line: oneLine(splice(body, exchanged, Buffer.from(String(wireId), 'latin1'))) };
}

function progressToken({ body, peek }: Outgoing): Range | undefined {
  const meta = peek.deciding._meta;
  return meta === undefined ? undefined : locate(body, meta.start, 'progressToken');
}

/** Asked for when something goes wrong, and then alone. */
function namesIn({ body, peek }: Outgoing): readonly string[] {
  const name = locate(body, peek.paramsStart, 'name');
  const called = name === undefined ? undefined : decode(body.subarray(name.start, name.end));
  return typeof called === 'string' && called !== '' ? [peek.method, called] : [peek.method];
}

/** What goes along with a line. Whoever carries a message over HTTP, and is no process, may learn that it was not taken. */
export function sentAs(
  line: Buffer,
  pending: Pending | undefined,
  lose: (lost: Pending, why: Parameters<OnLost>) => void,
): Sent {
  if (pending === undefined) return { goesFirst: peek(line).method === 'notifications/initialized' };
  const { headers, wireId: id, sink } = pending;
  return { headers, id, onLost: (...why) => lose(pending, why), onHandedOn: sink.hold?.() };
}
