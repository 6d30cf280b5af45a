/** A fault as an HTTP problem (RFC 9457): the REST twin of what an MCP server says. */
import { randomUUID } from 'node:crypto';
import { type Fault, FaultError, type JsonObject, write } from '@mayday/core';
import { expect, expectFunction } from '../options-check.ts';
import { type Logger, privateCause } from '../report/report.ts';

/** How problems are written. */
export interface ProblemOptions {
  /** Where the pages of the problem types live; `serveFaultPages` can serve them. */
  readonly typeBase?: string;
  /** The `WWW-Authenticate` challenge of a 401, and of a 403 that names missing scopes; `Bearer`. */
  readonly challenge?: string;
  readonly logger?: Logger;
  readonly correlationId?: () => string;
}

/** An HTTP response, for any framework. */
export interface Problem {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: JsonObject;
}

/** Checks options once, and gives the function that turns anything thrown into a problem. */
export function problemWriter(options: ProblemOptions = {}): (reason: unknown) => Problem {
  const { typeBase, challenge = 'Bearer', logger, correlationId = randomUUID } = options;
  expect(typeBase === undefined || URL.canParse(typeBase), 'typeBase', 'an absolute URL', typeBase);
  expect(/^[\w-]+(?: [^\r\n]+)?$/.test(challenge), 'challenge', 'an authentication challenge', challenge);
  expectFunction(options.correlationId, 'correlationId');
  const base = typeBase?.endsWith('/') === false ? `${typeBase}/` : typeBase;
  return (reason) => {
    const thrown = FaultError.from(reason, { correlationId: correlationId() });
    const { fault } = thrown;
    logger?.error(
      { err: privateCause(thrown), correlationId: fault.correlationId, kind: fault.kind },
      fault.message,
    );
    return writeProblem(fault, base, challenge);
  };
}

function writeProblem(fault: Fault, base: string | undefined, challenge: string): Problem {
  const { wire } = write(fault, 'problem');
  if (!('http' in wire)) throw new TypeError('Expected an HTTP form of the problem dialect');
  const { status, headers, body } = wire.http;
  const typed = base === undefined ? {} : { type: `${base}${fault.kind}` };
  return {
    status,
    headers: { ...headers, 'cache-control': 'no-store', ...challengeFor(fault, status, challenge) },
    body: { ...(body as JsonObject), ...typed },
  };
}

/** A 401 must say how to authenticate; a 403 for want of scopes says which ones to ask for. */
function challengeFor(fault: Fault, status: number, challenge: string): { [name: string]: string } {
  if (status === 401) return { 'www-authenticate': challenge };
  const scopes = fault.details?.['required_scopes'];
  if (status !== 403 || !Array.isArray(scopes)) return {};
  const scope = scopes.filter((item) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(String(item))).join(' ');
  const separator = challenge.includes(' ') ? ', ' : ' ';
  return { 'www-authenticate': `${challenge}${separator}error="insufficient_scope", scope="${scope}"` };
}
