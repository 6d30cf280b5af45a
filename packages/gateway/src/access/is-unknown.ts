/** Is there no such tool, prompt or resource? */
import type { Wire, WireCall, WireOutcome } from '@mayday/relay';
import { namedAs } from '../call/refusal-of.ts';

/** Whoever says so: its server, or the gateway in its place. A tool that did not find something of its own is there. */
export function isUnknown(call: WireCall, outcome: WireOutcome): boolean {
  if (outcome.ok) return false;
  const { kind, executed } = outcome.fault;
  if (kind === 'unsupported') return executed === 'no' && isOfProtocol(outcome.value);
  if (kind !== 'not_found') return false;
  return call.method !== 'tools/call' || namedAs(call, outcome.fault) !== undefined;
}

/** A server that does not even know the method has nothing that could be used by it. */
function isOfProtocol(said: Wire | undefined): boolean {
  return said?.type === 'message' && said.heard?.placement === 'protocol';
}
