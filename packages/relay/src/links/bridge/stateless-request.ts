/** A request of a conversation as the stateless revision has it: whatever was agreed on once stands in every one. */
import type { Executed } from '@mayday/core';
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  EXECUTED_KEY,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
  STATELESS_REVISION,
} from '@mayday/core/protocol';
import { encode, type Members } from '../../framing/json.ts';
import { locate, splice } from '../../framing/members.ts';
import { type Peek, peek } from '../../framing/peek.ts';
import { skipSpace } from '../../framing/scan.ts';
import type { Outgoing } from '../link.ts';

/** What a client has said about itself, and what it wants to hear of the log. */
export interface Agreed {
  readonly clientInfo: unknown;
  readonly capabilities: unknown;
  readonly logLevel: unknown;
}

/** The same request for a server that keeps nothing; `more` are members of its `params`. The rest stays to the letter. */
export function statelessly(message: Outgoing, agreed: Agreed, more?: Members): Outgoing {
  const enveloped = withMeta(message.body, message.peek, membersOf(envelopeOf(agreed)));
  const body = more === undefined ? enveloped : into(enveloped, peek(enveloped).paramsStart, membersOf(more));
  return { ...message, body, peek: peek(body), revision: STATELESS_REVISION };
}

/** The same request with this said of earlier attempts; nothing is to be said of what was not executed. */
export function sayingExecuted(message: Outgoing, executed: Executed): Outgoing {
  const meta = message.peek.deciding._meta;
  if (meta === undefined) return message;
  const said = locate(message.body, meta.start, EXECUTED_KEY);
  if (said === undefined && executed === 'no') return message;
  const body =
    said === undefined
      ? into(message.body, meta.start, membersOf({ [EXECUTED_KEY]: executed }))
      : splice(message.body, [said], encode(executed));
  return { ...message, body, peek: peek(body) };
}

/** A request of the bridge's own. */
export function ownRequest(id: string, method: string, params: Members, agreed: Agreed): Outgoing {
  const body = encode({ jsonrpc: '2.0', id, method, params: { ...params, _meta: envelopeOf(agreed) } });
  return { body, peek: peek(body), revision: STATELESS_REVISION };
}

function envelopeOf({ clientInfo, capabilities, logLevel }: Agreed): Members {
  return {
    [PROTOCOL_VERSION_KEY]: STATELESS_REVISION,
    ...(clientInfo === undefined ? {} : { [CLIENT_INFO_KEY]: clientInfo }),
    [CLIENT_CAPABILITIES_KEY]: capabilities ?? {},
    ...(logLevel === undefined ? {} : { [LOG_LEVEL_KEY]: logLevel }),
  };
}

const OPEN = 0x7b;
const CLOSE = 0x7d;

function withMeta(body: Buffer, seen: Peek, members: string): Buffer {
  const meta = seen.deciding._meta;
  if (meta !== undefined && body[meta.start] === OPEN) return into(body, meta.start, members);
  if (seen.paramsStart >= 0) return into(body, seen.paramsStart, `"_meta":{${members}}`);
  return into(body, skipSpace(body, 0), `"params":{"_meta":{${members}}}`);
}

function membersOf(members: Members): string {
  return JSON.stringify(members).slice(1, -1);
}

/** Members in front of those of the object that begins here. */
function into(body: Buffer, start: number, members: string): Buffer {
  const isEmpty = body[skipSpace(body, start + 1)] === CLOSE;
  const inserted = Buffer.from(isEmpty || members === '' ? members : `${members},`, 'utf8');
  return Buffer.concat([body.subarray(0, start + 1), inserted, body.subarray(start + 1)]);
}
