/** Subscriptions to resources that a caller may read; of the others its server hears nothing. */
import {
  encode,
  idOf,
  isMembers,
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
  if (!isMembers(asked) || !Array.isArray(uris)) return next(call);
  const verdicts = uris.map((uri: unknown) => rules.verdict(call.by, upstream, String(uri)));
  const refused = verdicts.findIndex(({ isAllowed }) => !isAllowed);
  const verdict = verdicts[refused];
  if (verdict === undefined || verdict.isAllowed) return next(call);
  const { resourceSubscriptions: _, ...others } = asked;
  const left = uris.filter((_uri, i) => verdicts[i]?.isAllowed === true);
  const notifications = left.length === 0 ? others : { ...others, resourceSubscriptions: left };
  if (Object.keys(notifications).length === 0) {
    const use = { type: 'resource', name: String(uris[refused]), isCall: false } as const;
    const isOpaque = rules.isOpaqueFor(call);
    return Promise.resolve(isOpaque ? unavailable(use, 'denied') : denied(use, verdict, call.by));
  }
  const params = { ...call.params(), notifications };
  const body = encode({ jsonrpc: '2.0', id: idOf(call.body, call.peek), method: call.method, params });
  return next({ ...call, body, peek: peek(body), params: () => params });
}
