/** Methods that one revision of the protocol has and the other has not. */
import type { FaultInit } from '@mayday/core';
import type { Revision } from '@mayday/relay';

const ONLY_IN: { readonly [method: string]: Revision } = {
  initialize: '2025-11-25',
  ping: '2025-11-25',
  'logging/setLevel': '2025-11-25',
  'resources/subscribe': '2025-11-25',
  'resources/unsubscribe': '2025-11-25',
  'tasks/list': '2025-11-25',
  'tasks/result': '2025-11-25',
  'subscriptions/listen': '2026-07-28',
  'tasks/update': '2026-07-28',
};

/** Why a call is for nobody where its revision does not have its method: whatever it names is not looked for. */
export function foreignMethod(method: string, revision: Revision): FaultInit | undefined {
  const only = Object.hasOwn(ONLY_IN, method) ? ONLY_IN[method] : undefined;
  return only === undefined || only === revision ? undefined : unknownMethod(method);
}

/** Of what somebody else wrote, this much is repeated. */
const MAX_SHOWN = 100;

/** A method that is not there. */
export function unknownMethod(method: string): FaultInit {
  const shown = method.slice(0, MAX_SHOWN);
  return {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'method', id: shown },
    message: `Method not found: ${shown}`,
  };
}
