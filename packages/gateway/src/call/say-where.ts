/**
 * A server over HTTP that cannot be used: where it was looked for, and what to do about it. Of its address only what
 * names the machine is told: a path, a query or a password may be what keeps strangers out.
 */
import { type Fault, type FaultInit, makeFault } from '@mayday/core';
import { after, type Failed } from '@mayday/policy';
import type { Wire, WireCall, WirePolicy } from '@mayday/relay';
import type { UrlSettings } from '../settings/settings.ts';

type Where = Pick<UrlSettings, 'url' | 'headers' | 'callerCredentials' | 'proxy'>;

/** Adds it to whatever failed for the sake of the server's address, its certificate or the proxy before it; what to do, to a sign-in too. */
export function sayWhere(settings: Where, proxy?: URL): WirePolicy {
  return after((outcome, call) => {
    if (outcome.ok || outcome.refused !== undefined) return outcome;
    const { fault, value } = outcome;
    const told = (about: Partial<Fault> = {}): typeof outcome => ({
      ...outcome,
      fault: { ...at(settings.url, fault), ...about },
    });
    if (isUnreached(fault, value))
      return isOfProxy(fault) ? { ...outcome, fault: atProxy(settings, proxy, fault) } : told();
    if (isNoMessage(fault, value, call)) return told({ executed: 'no', advice: WRONG_ADDRESS });
    const refused = brokenOpening(settings, fault, value, call) ?? refusedOpening(fault, value, call);
    if (refused !== undefined) return told(at(settings.url, refused));
    const advice = isSignIn(value) ? signIn(settings, call) : undefined;
    // Its own words to whoever has shown no credential: where it is, is for those whom it knows.
    return advice === undefined || fault.advice !== undefined
      ? outcome
      : { ...outcome, fault: { ...fault, advice } };
  });
}

/**
 * Above what ends calls: one that has not answered when it was opened. Whoever has answered before has its own reasons to be
 * late.
 */
export function saySilent({ url }: Pick<Where, 'url'>): WirePolicy {
  return after((outcome, call) => {
    if (outcome.ok || !isSilent(outcome, call)) return outcome;
    const { details } = outcome.fault;
    return { ...outcome, fault: { ...at(url, outcome.fault), advice: silent(details?.['setting']) } };
  });
}

function isSilent({ fault, value, ended }: Failed<Wire>, { method }: WireCall): boolean {
  const { kind, origin, executed, subject, advice } = fault;
  const isWaitedFor = subject?.type === 'upstream' || ended === 'attempt_timeout';
  const isOpening = method === 'initialize' || method === 'server/discover' || isWaitedFor;
  const isOurs = origin === 'gateway' && value?.type === 'nothing' && advice === undefined;
  return kind === 'timeout' && executed === 'no' && isOpening && isOurs;
}

/** More time is given by what has ended the wait. */
function silent(setting: unknown): string {
  const by = typeof setting === 'string' ? setting : 'open_timeout_ms';
  return `Check that this server runs and can be reached from the gateway, and that its \`url\` is the endpoint of MCP; one that needs longer is given it by \`${by}\`.`;
}

function at({ origin }: URL, fault: Fault): Fault {
  const message = `${fault.message}; its address is ${origin}`;
  return { ...fault, message, details: { ...fault.details, address: origin } };
}

/** Could no connection be made, or not securely? Then the words are our own, and so is the code in them. */
function isUnreached({ executed, details }: Fault, value: Wire | undefined): boolean {
  return value?.type === 'nothing' && executed === 'no' && typeof details?.['code'] === 'string';
}

/** Is it the proxy that it failed at? */
function isOfProxy({ details }: Fault): boolean {
  return String(details?.['code']).startsWith('ERR_PROXY_');
}

function atProxy({ proxy: said }: Where, proxy: URL | undefined, fault: Fault): Fault {
  // One that has answered was found, and its answer says what it wants.
  const hasAnswered = /_\d+$/.test(String(fault.details?.['code']));
  const place = said === undefined ? PROXY_OF_ENVIRONMENT : PROXY_OF_FILE;
  const advice = hasAnswered ? (fault.advice ?? place) : place;
  return { ...(proxy === undefined ? fault : at(proxy, fault)), advice };
}

const PROXY_OF_FILE = 'Look at the proxy, or correct `proxy` of this server.';
const PROXY_OF_ENVIRONMENT =
  'Look at the proxy, or correct the variable that names it, such as `HTTPS_PROXY`; `proxy` of this server goes first.';

/** A page, mostly, in the place of the first answer. Whoever has answered before has had another reason. */
function isNoMessage(fault: Fault, value: Wire | undefined, { method }: WireCall): boolean {
  if (!isOpening(fault, method) || fault.kind !== 'invalid_output') return false;
  return value?.type === 'nothing' && value.original !== undefined;
}

/** Was it to be opened, by the caller or for the call that is at hand? */
function isOpening({ executed }: Fault, method: string): boolean {
  return method === 'initialize' || method === 'server/discover' || executed === 'no';
}

const WRONG_ADDRESS =
  'Correct `url` of this server: it has to name the endpoint of MCP, which often ends in /mcp.';

/**
 * The first connection without TLS ends before an answer, or the answer says why: many servers that speak TLS alone end it
 * without a word.
 */
function brokenOpening(
  { url }: Where,
  fault: Fault,
  value: Wire | undefined,
  { method }: WireCall,
): Fault | undefined {
  if (url.protocol !== 'http:' || !isOpening(fault, method)) return undefined;
  if (value?.type === 'http' && TO_TLS.test(value.body.toString('utf8', 0, 2000)))
    return makeFault({ ...NOT_PLAIN, correlationId: fault.correlationId });
  const isBroken = fault.kind === 'disconnected' || fault.kind === 'upstream_failed';
  const isUnanswered = value?.type === 'nothing' && value.original === undefined && isBroken;
  return isUnanswered && fault.advice === undefined
    ? { ...fault, executed: 'no', advice: MAY_BE_TLS }
    : undefined;
}

/** What servers that speak TLS say to those who do not. */
const TO_TLS = /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/i;
const NOT_PLAIN: FaultInit = {
  kind: 'misconfigured',
  origin: 'upstream',
  executed: 'no',
  message: 'The server speaks TLS alone, and was asked without it',
  advice: 'Let `url` of this server begin with https://.',
};
const MAY_BE_TLS =
  'Check that an MCP server listens there; if it speaks TLS, `url` of this server has to begin with https://.';

/** The whole endpoint refuses to be opened: under which status, and where to look. `undefined` for a message of MCP. */
function refusedOpening(fault: Fault, value: Wire | undefined, { method }: WireCall): Fault | undefined {
  if (value?.type !== 'http' || (method !== 'initialize' && method !== 'server/discover')) return undefined;
  const { status } = value;
  const advice = fault.advice ?? (status >= 500 ? BEHIND_IT : status === 403 ? SHUT_OUT : undefined);
  if (advice === undefined || value.body.includes('"jsonrpc"')) return undefined;
  const words = fault.message.replace(` (HTTP ${status})`, '');
  const isNamed = words.includes(`HTTP ${status}`) || fault.message.startsWith('The endpoint of the server');
  const message = isNamed ? fault.message : `The server answered with HTTP ${status}: ${words}`;
  // Nothing was asked of it yet.
  return { ...fault, message, advice, executed: 'no' };
}

const BEHIND_IT =
  'Look at the server, and at the proxy before it; if both are well, correct `url` of this server.';
const SHUT_OUT =
  'Whoever guards this address lets the gateway not in: correct `url` or the credential under `headers` of this server.';

function isSignIn(value: Wire | undefined): boolean {
  return value?.type === 'http' && value.status === 401;
}

/** Whoever brought a credential of their own knows what to do. */
function signIn({ headers, callerCredentials }: Where, call: WireCall): string | undefined {
  if (call.headers['authorization'] !== undefined || callerCredentials.header !== undefined) return undefined;
  return Object.keys(headers).some((name) => /^authorization$|key|token/i.test(name))
    ? 'Correct the credential under `headers` of this server.'
    : 'It wants to be signed in to, which the gateway does not do: put a credential under `headers` of this server in `mayday.yaml` (`mayday wrap` takes none; `mayday gateway --stdio --config mayday.yaml` does), or leave the server to a client that signs in by itself.';
}
