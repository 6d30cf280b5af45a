/** Subscriptions to what a caller may hear of; of the rest its server hears nothing. */
import type { FaultInit } from '@mayday/core';
import {
  encode,
  idOf,
  isMembers,
  lost,
  peek,
  type WireCall,
  type WireHandler,
  type WireOutcome,
} from '@mayday/relay';
import { denied, unavailable } from './refusals.ts';
import type { Rules } from './rules.ts';

/** Listens to what is left. A server acknowledges what it will tell, so that the caller learns what is missing. */
export function listenWithin(
  call: WireCall,
  next: WireHandler,
  rules: Rules,
  upstream: string,
): Promise<WireOutcome> {
  const asked = call.params()?.['notifications'];
  const uris = isMembers(asked) ? asked['resourceSubscriptions'] : undefined;
  if (!isMembers(asked) || uris === undefined) return next(call);
  if (!isTexts(uris)) return Promise.resolve(lost(call, noTexts('resourceSubscriptions')));
  const verdicts = uris.map((name) => rules.verdict(call.by, upstream, { type: 'resource', name }));
  const refused = verdicts.findIndex(({ isAllowed }) => !isAllowed);
  const verdict = verdicts[refused];
  if (verdict === undefined || verdict.isAllowed) return next(call);
  const left = uris.filter((_uri, i) => verdicts[i]?.isAllowed === true);
  const listened = listening(call, { resourceSubscriptions: left });
  if (listened === undefined) {
    const use = { type: 'resource', name: uris[refused] ?? '', isCall: false } as const;
    const isOpaque = rules.isOpaqueFor(call);
    return Promise.resolve(isOpaque ? unavailable(use, 'denied') : denied(use, verdict, call.by));
  }
  return next(listened);
}

const TASKS: Buffer = Buffer.from('taskIds');

/** The tasks that a subscription is to tell of; nothing where it names none. */
export function tasksListenedTo(call: WireCall): readonly string[] | 'unreadable' | undefined {
  // A name that is spelt with escapes means the same to its server.
  if (!call.body.includes(TASKS) && !call.body.includes(ESCAPE)) return undefined;
  const asked = call.params()?.['notifications'];
  const tasks = isMembers(asked) ? asked['taskIds'] : undefined;
  if (tasks === undefined) return undefined;
  return isTexts(tasks) ? tasks : 'unreadable';
}

const ESCAPE = 0x5c;

/** The same subscription to other things of a kind; to nothing of it where they are none. Nothing, where it would be to nothing at all. */
export function listening(
  call: WireCall,
  to: { readonly [kind: string]: readonly string[] },
): WireCall | undefined;
export function listening(
  call: WireCall,
  to: { readonly [kind: string]: readonly string[] },
  what: 'also nothing',
): WireCall;
export function listening(
  call: WireCall,
  to: { readonly [kind: string]: readonly string[] },
  what?: 'also nothing',
): WireCall | undefined {
  const asked = call.params()?.['notifications'];
  const others = Object.entries(isMembers(asked) ? asked : {}).filter(([kind]) => !Object.hasOwn(to, kind));
  const left = Object.entries(to).filter(([, { length }]) => length > 0);
  if (others.length + left.length === 0 && what === undefined) return undefined;
  const params = { ...call.params(), notifications: Object.fromEntries([...others, ...left]) };
  const body = encode({ jsonrpc: '2.0', id: idOf(call.body, call.peek), method: call.method, params });
  return { ...call, body, peek: peek(body), params: () => params };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** What fits no rule is nobody's to guess. */
export function noTexts(kind: string): FaultInit {
  return {
    kind: 'invalid_arguments',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'message' },
    message: `params.notifications.${kind}: It is not a list of texts`,
  };
}
