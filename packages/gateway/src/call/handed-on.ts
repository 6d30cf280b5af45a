/** Openings that are put to the server once more, in another way: what it has answered first was found out, and failed nobody. */
import type { WireCall } from '@mayday/relay';
import { besideCalls } from './beside.ts';

const handedOn = besideCalls<true>('handed on');

/** What is answered to it is kept back. */
export function handOn(call: WireCall): void {
  handedOn.note(call, true);
}

/** Is somebody else to answer it? Then nothing is told of it here. */
export function isHandedOn(call: WireCall): boolean {
  return handedOn.of(call) === true;
}
