/** Names that stand in the arguments of a call: whoever gives one has it from a search, which finds what is listed. */
import type { WireCall } from '@mayday/relay';
import { besideCalls } from '../call/beside.ts';

const found = besideCalls<true>('found');

/** Only what is on the caller's list is called by this. */
export function callOnlyListed(call: WireCall): void {
  found.note(call, true);
}

/** Is it refused by the gateway where the list has no such name? */
export function mustBeListed(call: WireCall): boolean {
  return found.of(call) === true;
}
