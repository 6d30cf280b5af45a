/** Is there no such tool, prompt or resource? */
import type { WireCall, WireOutcome } from '@mayday/relay';
import { namedAs } from '../call/refusal-of.ts';

/** Whoever says so: its server, or the gateway in its place. A tool that did not find something of its own is there. */
export function isUnknown(call: WireCall, outcome: WireOutcome): boolean {
  if (outcome.ok || outcome.fault.kind !== 'not_found') return false;
  return call.method !== 'tools/call' || namedAs(call, outcome.fault) !== undefined;
}
