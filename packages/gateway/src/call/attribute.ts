/** Whose failure it is, for whoever records it or puts it into words. */
import type { WirePolicy } from '@mayday/relay';

/** Marks the failures of calls to this upstream. What our own policies say is said in the gateway's name. */
export function attribute(upstream: string): WirePolicy {
  return (next) => async (call) => {
    const outcome = await next(call.upstream === upstream ? call : { ...call, upstream });
    if (outcome.ok || outcome.value?.type === 'answer') return outcome;
    const { fault, value } = outcome;
    return {
      ...outcome,
      fault: fault.origin === 'local' ? { ...fault, origin: 'gateway' } : fault,
      value: { ...(value ?? { type: 'nothing' }), upstream },
    };
  };
}
