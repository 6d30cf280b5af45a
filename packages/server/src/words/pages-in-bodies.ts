/** The page that somebody has to open first, where an exception's words, its members or a backend's answer name it. */
import { FaultError, KINDS, type Kind, makeFault } from '@mayday/core';
import { answerBehind, bodiesOf, dataOf } from './bodies.ts';
import { describe } from './describe.ts';
import { undumped } from './dumps.ts';
import type { ExceptionContext, FromException } from './exception.ts';
import { isRecord, look } from './look.ts';
import { saidIn } from './said-in-bodies.ts';
import { hasPage, isPage, withoutAddresses } from './server-addresses.ts';
import { isStatusAlone } from './status-phrases.ts';

const DEEPEST = 3;
const MOST = 50;
const LONGEST_WORDS = 4000;

/** What speaks of signing in, or of an account that is to be connected. */
const SIGNS_IN =
  /\b(?:sign(?:ed)?[ -]?in|log(?:ged)?[ -]?in|(?:re-?)?auth(?:enticat|ori[sz])\w*|auth_url|(?:re-?)?connect(?:ed)? (?:your|the|an?|my)|consent)\b/i;

/** What the server itself is refused with: nobody else can sign in for it. */
const OF_SERVER = /\binvalid_(?:client|grant)\b/;

/** The same with the page told. Whoever is sent to one has to sign in there, or to pay; nobody else can. */
export function withPage(
  told: FromException,
  reason: unknown,
  context: ExceptionContext,
  safely: (text: string) => string,
): FromException {
  const { fault } = told.thrown;
  const isServers = fault.kind === 'internal' || fault.kind === 'misconfigured';
  if (isServers) {
    const text = describe(undumped(reason, context.arguments)).message.trim();
    if (text.length <= LONGEST_WORDS && sendsToSignIn(text))
      return saying(told, reason, 'unauthenticated', safely(withoutAddresses(text, context)));
    if (!told.masked && sendsToSignIn(fault.message))
      return saying(told, reason, 'unauthenticated', fault.message);
  }
  const page = !OUTAGES.has(fault.kind) && isForCallers(reason) ? pageOf(reason) : undefined;
  if (page === undefined || (isServers && PAYS.test(page.name)) || fault.message.includes(page.address))
    return told;
  const kind = isServers ? 'unauthenticated' : fault.kind;
  const isBare = told.masked || isStatusAlone(fault.message);
  const own = told.masked ? undefined : sentenceIn(reason);
  const words = isBare ? (own ?? (isServers ? KINDS[kind].title : fault.message)) : fault.message;
  return saying(
    told,
    reason,
    kind,
    safely(`${words.replace(/[.:\s]{1,5}$/, '')}: ${page.name}: ${page.address}`),
  );
}

function sendsToSignIn(words: string): boolean {
  return SIGNS_IN.test(words) && hasPage(words);
}

function saying(told: FromException, reason: unknown, kind: Kind, message: string): FromException {
  const { fault } = told.thrown;
  const base = kind === fault.kind ? fault : { kind, executed: fault.executed };
  const thrown = new FaultError(makeFault({ ...base, message }), { cause: reason });
  return { ...told, thrown, masked: false };
}

const PAYS = /checkout|pay|invoice|billing|top[-_]?up|subscribe|upgrade/i;

/** What no page helps against. */
const OUTAGES: ReadonlySet<Kind> = new Set<Kind>([
  'timeout',
  'unavailable',
  'disconnected',
  'upstream_failed',
]);

/** Statuses under which somebody is sent elsewhere first. */
const SENDS: readonly unknown[] = [401, 402, 403];

/** Is it what a backend says to whoever has to do something first? Programming errors and outages bring addresses, too. */
function isForCallers(reason: unknown): boolean {
  if (!isRecord(reason)) return false;
  const status = answerBehind(reason)?.status;
  const bodies = [...bodiesOf(reason), reason].map((body) =>
    typeof body === 'string' ? body : look(body, 'error'),
  );
  if (bodies.some((said) => typeof said === 'string' && OF_SERVER.test(said))) return false;
  return status === undefined
    ? !(reason instanceof Error) || reason.name === 'Error'
    : SENDS.includes(status);
}

interface Page {
  readonly name: string;
  readonly address: string;
}

function pageOf(reason: unknown): Page | undefined {
  if (!isRecord(reason)) return undefined;
  const isError = reason instanceof Error || look(reason, 'response') !== undefined;
  const bodies = [...bodiesOf(reason).map(dataOf), look(reason, 'error')];
  return pageIn(reason, isError ? 1 : DEEPEST) ?? bodies.map((body) => pageIn(body, DEEPEST)).find(Boolean);
}

/** What a body says in words, though that be no more than its status or its kind. */
function sentenceIn(reason: unknown): string | undefined {
  return bodiesOf(reason)
    .map((body) => saidIn(dataOf(body)).words)
    .find((said) => said !== undefined && /^.{1,299}$/.test(said));
}

function pageIn(body: unknown, depth: number): Page | undefined {
  if (!isRecord(body) || depth === 0) return undefined;
  const members = Object.keys(body)
    .slice(0, MOST)
    .map((name) => [name, look(body, name)] as const);
  for (const [name, value] of members) {
    if (typeof value === 'string' && isPage(name, value)) return { name, address: value };
  }
  return members.map(([, value]) => pageIn(value, depth - 1)).find((page) => page !== undefined);
}
