/** An address of MCP at which no server of MCP answers: a proxy without its backend, a closed tunnel, a wrong path. */
import { type Fault, makeFault, type Origin } from './fault.ts';
import type { Kind } from './kinds.ts';

/** What a status says of the whole endpoint, where no message of MCP stands under it. */
interface OfEndpoint {
  /** What the status alone reads as. Words that say something else are about something else. */
  readonly readAs: Kind;
  readonly kind: Kind;
  readonly says: string;
  readonly advice: string;
}

const LATER =
  'Try again later. If it stays so, whoever set this server up has to check its `url`, which often ends in /mcp.';
const CHECK =
  'Whoever set this server up has to check its `url`: it has to name the endpoint of MCP, which often ends in /mcp.';

// biome-ignore format: a table
const OF_ENDPOINT: { readonly [status: number]: OfEndpoint } = {
  404: { readAs: 'not_found', kind: 'unavailable', says: 'is not there', advice: LATER },
  405: { readAs: 'unsupported', kind: 'misconfigured', says: 'does not take messages', advice: CHECK },
  410: { readAs: 'expired', kind: 'unavailable', says: 'is gone', advice: LATER },
};

/** A failing answer of an endpoint of MCP, and how it was read without knowing that it is one. */
interface EndpointSaid {
  readonly status: number;
  readonly body: string;
  readonly fault: Fault;
  /** Whose form it was read in: a document in somebody's form keeps its word. */
  readonly dialect: string | null;
  /** How whoever asks calls the server. */
  readonly origin: Origin;
}

/**
 * What a status of HTTP says where an endpoint of MCP was asked: a 404 without a message of JSON-RPC is no tool's word
 * about an argument. `undefined` where it says something else: of a session, a tool, or with a message.
 */
export function endpointGone({ status, body, fault, dialect, origin }: EndpointSaid): Fault | undefined {
  const of = OF_ENDPOINT[status];
  if (of === undefined || fault.kind !== of.readAs || fault.subject !== undefined) return undefined;
  if (dialect !== null || fault.native !== undefined || isMessage(body)) return undefined;
  const { executed, correlationId } = fault;
  const words = body.trim() === '' ? '' : `: ${fault.message.trim()}`;
  const message = `The endpoint of the server ${of.says} (HTTP ${status}${words})`;
  // Not by itself: a refusal that is asked again has to prove more than this status does.
  const retryable = false;
  return makeFault({ kind: of.kind, origin, executed, retryable, correlationId, message, advice: of.advice });
}

function isMessage(body: string): boolean {
  return /"jsonrpc"\s*:/.test(body);
}
