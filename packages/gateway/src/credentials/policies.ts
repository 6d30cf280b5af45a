/** Credentials of callers on the path of a call: needed before anything is done. */
import { makeFault } from '@mayday/core';
import { refuse } from '@mayday/policy';
import { type Given, nameOf, type WireOutcome, type WirePolicy } from '@mayday/relay';
import type { Giving } from './giving.ts';

/** Refuses calls whose caller has no credential, where one is needed. What is sent is looked up again when it goes out. */
export function needCredential({ give, concerns }: Giving): WirePolicy {
  return (next) => (call) => {
    if (!concerns(call.method)) return next(call);
    const goOn = async (given: Given): Promise<WireOutcome> =>
      'refused' in given ? refuse({ fault: makeFault(given.refused), by: 'caller_credentials' }) : next(call);
    const given = give(nameOf(call.by));
    return given instanceof Promise ? given.then(goOn) : goOn(given);
  };
}
