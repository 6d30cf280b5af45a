/** Which failures are the protocol finding common ground, and must keep their form. */
import { type Fault, type Language, language } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import { decode, idOf, type Said, type WireCall } from '@mayday/relay';
import { hasDocument } from './in-document.ts';

/** -32020, -32021, -32022 decide the revision (2026-07-28); -32042 asks the user to visit a page (2025-11-25). */
const NEGOTIATION: ReadonlySet<number> = new Set([-32020, -32021, -32022, -32042]);
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Would another form of this failure break the conversation? */
export function isNegotiation(call: WireCall, said: Said, spoken: Language): boolean {
  const code = errorCode(said);
  if (code === undefined) return false;
  if (OPENINGS.has(call.method) && code >= -32768 && code <= -32000) return true;
  return NEGOTIATION.has(code) && !isOfAnotherSystem(said, spoken);
}

/** Do its words or its data say that the number has the meaning that some other system gives it? */
function isOfAnotherSystem({ heard }: Said, spoken: Language): boolean {
  const id = heard?.dialect ?? null;
  return id !== null && hasDocument(spoken.dialect(id));
}

/** Such a failure in words of the gateway's own, as the specification has it; `undefined` where it is another. */
export function ownNegotiation(
  call: WireCall,
  fault: Fault,
  said: Said | undefined,
): JsonRpcWire | undefined {
  if (said !== undefined && said.type !== 'nothing') return undefined;
  const { wire } = language.write(fault, 'mcp', {
    id: call.peek.kind === 'notification' ? undefined : idOf(call.body, call.peek),
    method: '',
    placement: 'protocol',
    revision: call.revision,
    redact: false, // it is already
  });
  return 'http' in wire || !NEGOTIATION.has(wire.error?.code ?? 0) ? undefined : wire;
}

function errorCode(said: Said): number | undefined {
  if (said.type === 'nothing') return undefined;
  const message = said.type === 'message' ? said.message : decode(said.body);
  const code = (message as { error?: { code?: unknown } } | null | undefined)?.error?.code;
  return typeof code === 'number' ? code : undefined;
}
