/** Which failures are the protocol finding common ground, and must keep their form. */
import { type Dialect, type Fault, type Language, language } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import { negotiated } from '@mayday/core/forms';
import { type Revision, STATELESS_REVISION } from '@mayday/core/protocol';
import { decode, idOf, type Said, type WireCall } from '@mayday/relay';
import { hasDocument } from './in-document.ts';
import { isLater } from './later-round.ts';
import { misshapen } from './malformed.ts';

/** -32020, -32021, -32022 decide the revision (2026-07-28); -32042 asks the user to visit a page (2025-11-25). */
const PAGE = -32042;
const NEGOTIATION: ReadonlySet<number> = new Set([-32020, -32021, -32022, PAGE]);
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Do the two sides of a conversation agree by errors of this code? */
export function isCodeOfNegotiation(code: number): boolean {
  return NEGOTIATION.has(code);
}

/** Clients send the same call again by themselves when they are told so: with other headers, or in another revision. */
const SENT_AGAIN: ReadonlySet<number> = new Set([-32020, -32022]);

/** What SDKs, and the specification, say of headers and revisions that they refuse: nothing that a tool has done. */
const OF_DOOR =
  /^(?:(?:Bad Request: |Header mismatch\b|Unsupported (?:MCP )?protocol version\b)[^;]*|[^;.]*\bMcp-\w[^;]*)$/i;

/**
 * Has a tool that may have done its work ended with an error that makes clients send its call again? Then there is nothing to agree
 * on: it is the tool's failure, and said as one. Whoever agrees says so under HTTP 400, before a tool is asked.
 */
export function isEndOfTool(call: WireCall, fault: Fault, said: Said | undefined, spoken: Language): boolean {
  if (call.method !== 'tools/call' || call.revision !== STATELESS_REVISION || fault.executed === 'no')
    return false;
  const code = said === undefined ? undefined : errorCode(said);
  const isOfCode = code !== undefined && SENT_AGAIN.has(code) && !isOfAnotherSystem(said as Said, spoken);
  return (isOfCode || isOfHeaders(fault)) && !isOfDoor(call, fault, said);
}

/** The specification's own dialect has such a code for these, whatever a server has called them. */
function isOfHeaders({ kind, subject }: Fault): boolean {
  return subject?.type === (kind === 'unsupported' ? 'protocol_version' : 'header');
}

/** Was it refused before a tool was asked, as those do who look for common ground? */
export function isOfDoor(call: WireCall, { message }: Fault, said: Said | undefined): boolean {
  return said?.type === 'http' && said.status === 400 && OF_DOOR.test(message) && !isLater(call);
}

/** Would another form of this failure break the conversation? One that has nothing to agree on is said in the document of a dialect. */
export function isNegotiation(call: WireCall, said: Said, spoken: Language, dialect?: Dialect): boolean {
  const code = errorCode(said);
  if (code === undefined) return false;
  const isOpening = OPENINGS.has(call.method) && code >= -32768 && code <= -32000;
  if (isOpening && !(dialect !== undefined && hasDocument(dialect) && isMisshapen(call))) return true;
  return NEGOTIATION.has(code) && !isOfAnotherSystem(said, spoken);
}

function isMisshapen({ method, params }: WireCall): boolean {
  return misshapen(method, params()) !== undefined;
}

/** Do its words or its data say that the number has the meaning that some other system gives it? */
function isOfAnotherSystem({ heard }: Said, spoken: Language): boolean {
  const id = heard?.dialect ?? null;
  return id !== null && hasDocument(spoken.dialect(id));
}

/** Such a failure in words of the gateway's own, under the name that the specification has; `undefined` where it is another. */
export function ownNegotiation(
  call: WireCall,
  fault: Fault,
  said: Said | undefined,
  dialect: Dialect,
): JsonRpcWire | undefined {
  if (said !== undefined && said.type !== 'nothing') return undefined;
  const { wire } = language.write(fault, 'mcp', {
    id: call.peek.kind === 'notification' ? undefined : idOf(call.body, call.peek),
    method: '',
    placement: 'protocol',
    revision: call.revision,
    redact: false, // it is already
  });
  if ('http' in wire || wire.error === undefined || !isOf(call.revision, wire.error.code)) return undefined;
  return { ...wire, error: negotiated(wire.error, fault.kind, dialect) };
}

/** Has the revision this code for it? */
function isOf(revision: Revision, code: number): boolean {
  return NEGOTIATION.has(code) && (code === PAGE || revision === STATELESS_REVISION);
}

function errorCode(said: Said): number | undefined {
  if (said.type === 'nothing') return undefined;
  const message = said.type === 'message' ? said.message : decode(said.body);
  const code = (message as { error?: { code?: unknown } } | null | undefined)?.error?.code;
  return typeof code === 'number' ? code : undefined;
}
