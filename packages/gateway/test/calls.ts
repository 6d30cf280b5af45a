/** Calls without a door: what policies are tested with. */
import { type Call, startCall } from '@mayday/policy';
import { ANYBODY, type Back, encode, peek, type Related, type WireCall } from '@mayday/relay';

/** What reached the caller of a call. */
export interface Heard {
  readonly related: Related[];
}

/** A call of a tool, as the door would make it. */
export function wireCall(
  params: { readonly [key: string]: unknown } = { name: 'pay' },
  more: Partial<Omit<WireCall, keyof Call>> & {
    readonly signal?: AbortSignal;
    readonly method?: string;
  } = {},
): WireCall & { readonly heard: Heard } {
  const method = more.method ?? 'tools/call';
  const body = encode({ jsonrpc: '2.0', id: 7, method, params });
  const heard: Heard = { related: [] };
  const back: Back = {
    get isStream() {
      return heard.related.length > 0;
    },
    get committed() {
      return heard.related.length > 0;
    },
    open: () => {},
    related: (message) => {
      heard.related.push(message);
      return true;
    },
    onDrain: () => {},
  };
  const meta = params['_meta'] as WireCall['meta'];
  return startCall<WireCall & { readonly heard: Heard }>({
    body,
    peek: peek(body),
    params: () => params,
    meta,
    target: typeof params['name'] === 'string' ? params['name'] : undefined,
    revision: '2025-11-25',
    headers: {},
    rawHeaders: [],
    by: ANYBODY,
    upstream: 'shop',
    startedAt: 0,
    signal: new AbortController().signal,
    back,
    heard,
    ...more,
    method,
  });
}
