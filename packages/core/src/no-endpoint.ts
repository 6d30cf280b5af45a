/** An address of MCP at which no server of MCP answers: a proxy without its backend, a closed tunnel, a wrong path. */
import { saysAbsence } from './absent-endpoint.ts';
import { type Fault, isOfProtocol, makeFault, type Origin } from './fault.ts';
import { own, ownString, parseJson } from './json.ts';
import { type Executed, isKind, type Kind } from './kinds.ts';
import { inOneLine } from './page-text.ts';

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

/** A router names what was asked of it, and where: whatever its words are read as, it is about an address. */
const OF_ROUTER = /\b(?:cannot |route )[A-Z]{3,10}[ :]\//i;

/** Statuses that may also tell how the work ended. */
const OF_WORK = 410;

/** A failing answer of an endpoint of MCP, and how it was read without knowing that it is one. */
interface EndpointSaid {
  readonly status: number;
  readonly statusText?: string | undefined;
  /** Absent where nobody has seen them: then nothing is proven. */
  readonly headers?: unknown;
  readonly body: string;
  readonly fault: Fault;
  /** The URL that was asked; an answer that names another one may be that of somebody whom the server has asked. */
  readonly askedAt?: string | undefined;
  /** Whose form it was read in: a document in somebody's form keeps its word. */
  readonly dialect: string | null;
  /** The server is known to speak that form. */
  readonly isNamed?: boolean | undefined;
  /** How whoever asks calls the server. */
  readonly origin: Origin;
}

/**
 * What a status of HTTP says where an endpoint of MCP was asked: a 404 without a message of JSON-RPC is no tool's word
 * about an argument. `undefined` where it says something else: of a session, a tool, or with a message.
 */
export function endpointGone(said: EndpointSaid): Fault | undefined {
  const { status, body, fault, origin } = said;
  const of = OF_ENDPOINT[status];
  if (of === undefined || isOfProtocol(fault.subject)) return undefined;
  if (fault.kind !== of.readAs && !OF_ROUTER.test(body)) return undefined;
  if (fault.native !== undefined || isMessage(body) || isDocument(said) || isOfThing(fault)) return undefined;
  const words = body.trim() === '' ? '' : `: ${inOneLine(fault.message)}`;
  return makeFault({
    kind: of.kind,
    origin,
    executed: executedOf(said),
    correlationId: fault.correlationId,
    message: `The endpoint of the server ${of.says} (HTTP ${status}${words})`,
    advice: of.advice,
  });
}

/** What platforms and tunnels call that which they are to serve at an address. */
const SERVED =
  /^(?:app|application|container|deployment|domain|endpoint|file|function|host|instance|page|project|route|server|service|site|tunnel|worker|zone)$/;

/** Is it said of a thing that somebody deals with, a customer or an order? Whoever says so is there, and knows of it. */
function isOfThing({ kind, subject, executed }: Fault): boolean {
  return kind === 'not_found' && executed !== 'no' && subject !== undefined && !SERVED.test(subject.type);
}

/** A refusal that may be asked again has to say nothing but that: a complaint about the request would not do. */
function executedOf({ status, statusText, headers, body, fault, askedAt }: EndpointSaid): Executed {
  if (headers === undefined || fault.executed === 'yes') return fault.executed;
  return status !== OF_WORK && saysAbsence({ status, statusText, headers, body, askedAt }) ? 'no' : 'maybe';
}

/**
 * Is it in somebody's form? Routers and proxies put a status into a problem document as well; only with members of a fault,
 * or with an application's own code, is it the word of somebody behind them.
 */
function isDocument({ dialect, isNamed, body, fault }: EndpointSaid): boolean {
  if (dialect === null) return false;
  const document = parseJson(body);
  if (!['type', 'title', 'detail'].some((name) => ownString(document, name) !== undefined)) return true;
  const isFault = isKind(own(document, 'kind')) && ownString(document, 'reaction') !== undefined;
  return isNamed === true || isFault || fault.name !== undefined || fault.issues.length > 0;
}

function isMessage(body: string): boolean {
  return /"jsonrpc"\s*:/.test(body);
}
