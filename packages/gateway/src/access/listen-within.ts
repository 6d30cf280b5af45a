/** Subscriptions to resources that a caller may read; of the others its server hears nothing. */
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
  if (!isTexts(uris)) return Promise.resolve(lost(call, NO_TEXTS));
  const verdicts = uris.map((name) => rules.verdict(call.by, upstream, { type: 'resource', name }));
  const refused = verdicts.findIndex(({ isAllowed }) => !isAllowed);
  const verdict = verdicts[refused];
  if (verdict === undefined || verdict.isAllowed) return next(call);
  const { resourceSubscriptions: _, ...others } = asked;
  const left = uris.filter((_uri, i) => verdicts[i]?.isAllowed === true);
  const notifications = left.length === 0 ? others : { ...others, resourceSubscriptions: left };
  if (Object.keys(notifications).length === 0) {
    const use = { type: 'resource', name: uris[refused] ?? '', isCall: false } as const;
    const isOpaque = rules.isOpaqueFor(call);
    return Promise.resolve(isOpaque ? unavailable(use, 'denied') : denied(use, verdict, call.by));
  }
  const params = { ...call.params(), notifications };
  const body = encode({ jsonrpc: '2.0', id: idOf(call.body, call.peek), method: call.method, params });
  return next({ ...call, body, peek: peek(body), params: () => params });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** What fits no rule is nobody's to guess. */
const NO_TEXTS: FaultInit = {
  kind: 'invalid_arguments',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'message' },
  message: 'params.notifications.resourceSubscriptions: It is not a list of texts',
};
