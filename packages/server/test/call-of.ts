/** A call of a tool, as guards see it. */
import type { Call } from '../src/call.ts';

/** The call of `pay` by ada, with whatever else a test wants of it. */
export function callOf(init: Partial<Call> = {}): Call {
  return {
    id: 1,
    method: 'tools/call',
    name: 'pay',
    arguments: {},
    message: { jsonrpc: '2.0', id: 1, method: 'tools/call' },
    revision: '2026-07-28',
    auth: undefined,
    principal: 'ada',
    scopes: [],
    tool: { enabled: true },
    header: () => undefined,
    meta: () => undefined,
    ...init,
  };
}
