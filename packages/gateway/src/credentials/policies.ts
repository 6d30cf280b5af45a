/** Credentials of callers on the path of a call: needed before anything is done, and hidden in what comes back. */
import { makeFault } from '@mayday/core';
import { refuse } from '@mayday/policy';
import { type Given, nameOf, type WireOutcome, type WirePolicy } from '@mayday/relay';
import { type Hide, hideGiven } from '../call/hide-given.ts';
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

/** Hides what the server was given, by the settings and in the name of a caller. */
export function hidingOf(hide: Hide | undefined, giving: Giving | undefined): readonly WirePolicy[] {
  return [
    ...(hide === undefined ? [] : [hideGiven(hide)]),
    ...(giving === undefined ? [] : [hideCredential(giving)]),
  ];
}

/** Takes both out of words that belong to nobody's call, or to a server's own success. */
export function hiderOfAll(hide: Hide | undefined, giving: Giving | undefined): Hide | undefined {
  return giving === undefined ? hide : (words) => giving.hideAll(hide?.(words) ?? words);
}

/** Hides what was given in the name of the caller, as `hideGiven` hides what the settings give. */
function hideCredential({ hiderOf }: Giving): WirePolicy {
  return (next) => (call) => {
    const before = hiderOf(nameOf(call.by));
    // It may have been exchanged while the call was under way.
    const hide = (words: string): string => (hiderOf(nameOf(call.by)) ?? before)?.(words) ?? words;
    return hideGiven(hide)(next)(call);
  };
}
