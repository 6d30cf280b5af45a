/** A fault as an HTTP problem (RFC 9457): the REST twin of what an MCP server says. */
import { randomUUID } from 'node:crypto';
import {
  type DialectId,
  type Fault,
  FaultError,
  faultOf,
  type JsonObject,
  type Language,
  language,
  makeFault,
  write,
} from '@mayday/core';
import { isOfHttp } from '@mayday/core/dialects';
import { toSeconds } from '@mayday/core/http';
import { correlationIdFor } from '../boundary/correlate.ts';
import {
  expect,
  expectChallenge,
  expectFunction,
  expectKnown,
  expectLanguage,
  expectPositive,
} from '../options-check.ts';
import { quietly } from '../report/hooks.ts';
import { type Logger, privateCause } from '../report/report.ts';
import { type ExceptionContext, faultFromException, type Messages } from '../words/exception.ts';
import { tidy } from '../words/tidy.ts';
import { refusalIn } from './refusals.ts';
import { spokenStatus } from './spoken-status.ts';

/** How problems are written. */
export interface ProblemOptions {
  /** Whose problem documents: `problem` (RFC 9457 with our members), or a dialect that has its own; `problem`. */
  readonly dialect?: DialectId | undefined;
  /** The dialects there are; all that come with `@mayday/core`. */
  readonly language?: Language | undefined;
  /** Labels of identifiers, as for `guard`. */
  readonly keep?: readonly string[] | undefined;
  /** Where the pages of the problem types live; `faultPages` can serve them. */
  readonly typeBase?: string | undefined;
  /** The `WWW-Authenticate` challenge of a 401, and of a 403 that names missing scopes; `Bearer`. */
  readonly challenge?: string | undefined;
  /** Whose words go out when a plain exception is thrown; as for `guard`. */
  readonly messages?: Messages | undefined;
  /** How long a text may be, in characters; 100,000. */
  readonly maxTextLength?: number | undefined;
  readonly logger?: Logger | undefined;
  readonly correlationId?: (() => string) | undefined;
}

/** An HTTP response, for any framework. */
export interface Problem {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: JsonObject;
}

const OPTIONS = [
  'dialect',
  'language',
  'keep',
  'typeBase',
  'challenge',
  'messages',
  'maxTextLength',
  'logger',
  'correlationId',
];
const MAX_TEXT_LENGTH = 100_000;

/** What is known about something thrown, for writing it. */
interface Thrown {
  readonly thrown: FaultError;
  /** A route had begun to work. */
  readonly began: boolean;
  /** The status that its thrower chose. */
  readonly status?: number | undefined;
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** Checks options once, and gives the function that turns anything thrown into a problem. */
export function problemWriter(options: ProblemOptions = {}): (reason: unknown) => Problem {
  check(options);
  const { typeBase, challenge = 'Bearer', logger, correlationId = randomUUID } = options;
  const {
    messages = 'actionable',
    maxTextLength = MAX_TEXT_LENGTH,
    dialect = 'problem',
    language: spoken = language,
    keep = [],
  } = options;
  const { problem } = spoken.dialect(dialect);
  const redaction = { keep };
  const base = typeBase?.endsWith('/') === false ? `${typeBase}/` : typeBase;
  const problemOf = (reason: unknown): Problem => {
    const said = judge(reason, { messages, maxTextLength, redaction, language: spoken });
    const { thrown, began } = said;
    const id = correlationIdFor(thrown.fault, correlationId);
    const fault = tidy(thrown, { began, correlationId: id, maxTextLength, redaction });
    const err = privateCause(thrown);
    quietly('logger', () => logger?.error({ err, correlationId: id, kind: fault.kind }, fault.message));
    return problem === undefined
      ? writeProblem(fault, base, challenge, said)
      : ownProblem(fault, problem(fault, Date.now()), challenge, said);
  };
  return (reason) => {
    try {
      return problemOf(reason);
    } catch (bug) {
      const err = new AggregateError([reason, bug]);
      quietly('logger', () => logger?.error({ err }, 'A problem could not be told'));
      const fault = makeFault({ kind: 'internal', correlationId: randomUUID() });
      return writeProblem(fault, base, challenge, { thrown: new FaultError(fault), began: true });
    }
  };
}

function check(options: ProblemOptions): void {
  expectKnown(options, OPTIONS, 'problems');
  const { typeBase, challenge, messages, maxTextLength, dialect, language: spoken = language } = options;
  expectLanguage(spoken);
  const isOwn = (id: DialectId): boolean =>
    isOfHttp(spoken.dialect(id)) || spoken.dialect(id).problem !== undefined;
  expect(dialect === undefined || isOwn(dialect), 'dialect', '"problem" or a dialect that has one', dialect);
  expect(typeBase === undefined || URL.canParse(typeBase), 'typeBase', 'an absolute URL', typeBase);
  expectChallenge(challenge);
  const isMessages = messages === undefined || ['actionable', 'none', 'all'].includes(messages);
  expect(isMessages, 'messages', '"actionable", "none" or "all"', messages);
  if (maxTextLength !== undefined) expectPositive(maxTextLength, 'maxTextLength');
  expectFunction(options.correlationId, 'correlationId');
}

function judge(reason: unknown, context: ExceptionContext): Thrown {
  if (faultOf(reason) !== undefined) return { thrown: FaultError.from(reason), began: true };
  const refusal = refusalIn(reason);
  if (refusal !== undefined) return { thrown: refusal, began: false };
  const spoken = spokenStatus(reason, Date.now());
  if (spoken !== undefined) return { ...spoken, began: true };
  return { thrown: faultFromException(reason, context).thrown, began: true };
}

function writeProblem(fault: Fault, base: string | undefined, challenge: string, said: Thrown): Problem {
  const { wire } = write(fault, 'problem', { redact: false });
  if (!('http' in wire)) throw new TypeError('Expected an HTTP form of the problem dialect');
  const { headers, body } = wire.http;
  const { status = wire.http.status } = said;
  const document: { [name: string]: JsonObject[string] } = { ...(body as JsonObject), status };
  if (base !== undefined) document['type'] = `${base}${fault.kind}`;
  const own = { ...headers, 'cache-control': 'no-store', ...challengeFor(fault, status, challenge) };
  return { status, headers: { ...own, ...said.headers }, body: document };
}

/** A dialect's own document: its members are the dialect's, and the status among them is the answer's. */
function ownProblem(fault: Fault, body: JsonObject, challenge: string, said: Thrown): Problem {
  const { status: usual } = body;
  const status = said.status ?? (typeof usual === 'number' ? usual : 500);
  const headers: { [name: string]: string } = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...challengeFor(fault, status, challenge),
  };
  if (fault.retryable && fault.retry.afterMs !== undefined)
    headers['retry-after'] = String(toSeconds(fault.retry.afterMs));
  return { status, headers: { ...headers, ...said.headers }, body: { ...body, status } };
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
