/** What an exception is: what its class, code or status proves, else what its words clearly say. */

import type { Fault, FaultInit, Kind, Reading } from '@mayday/core';
import { asksForPatience, saysNo } from '@mayday/core/prose';
import { tellsOfDone } from '@mayday/core/render';
import { isServerDown } from './addresses.ts';
import type { Answered } from './backend.ts';
import { badRequest, behindBadStatus, ownRequest, saysBadRequest } from './bad-request.ts';
import { asksForCredential } from './callers-credential.ts';
import { overCallersValue } from './callers-value.ts';
import { isChange, namesForeignFile, saysChanged } from './changed-meanwhile.ts';
import { wasStopped } from './command.ts';
import { comesOfAccount, ownCredential, quotesInterface } from './credentials.ts';
import { isOfTables } from './database-words.ts';
import type { Described } from './describe.ts';
import type { ExceptionContext } from './exception.ts';
import { foreignFile } from './files.ts';
import { FOR_CALLERS, SURE } from './for-callers.ts';
import { ofGraphql } from './graphql.ts';
import { isInsideLibrary } from './insides.ts';
import { complainsOfField, instructs, speaksOfMachines } from './instructs.ts';
import { look } from './look.ts';
import { machineIn } from './machines.ts';
import { complainsOfSent } from './names-sent.ts';
import {
  asksInSql,
  databaseKind,
  isAsserted,
  isBug,
  isDatabase,
  isLostRace,
  lacksModule,
  namesStock,
  namesTables,
  namesVersion,
  violatesKey,
} from './operator.ts';
import { isOfAnother } from './others-checked.ts';
import { isOwnLogin } from './own-logins.ts';
import { isOfPlatform } from './platform.ts';
import { isOwnCommand } from './redis-replies.ts';
import { ofResource } from './resources.ts';
import { isPlainSentence } from './rules.ts';
import { namesForeignPath } from './server-paths.ts';
import { lacksOwn } from './settings.ts';
import { isOverOwnFile } from './syntax.ts';
import { ofUnchanged, sharpened } from './two-meanings.ts';

/** Something that was thrown, and what is known beside it. */
export interface Exception {
  readonly reason: unknown;
  /** `message`: the words that would go out. */
  readonly about: Described;
  readonly answer: Answered | undefined;
  /** A program that the server ran failed, and the words are the program's. */
  readonly command: boolean;
  readonly context: ExceptionContext;
}

/** What an exception is. */
export interface HeardException {
  readonly init: FaultInit;
  /** Whether the words are for the caller, where that is not as the kind has it. */
  readonly speaks?: boolean | undefined;
  /** What is said instead of what was thrown. */
  readonly words?: string | undefined;
  /** It is over a value of the caller's. */
  readonly isProven?: boolean | undefined;
}

/** What to do where somebody who was asked has said no. */
const AFTER_NO = 'The answer was no; do not ask again unless told to.';

/** Judges an exception. Words that only an operator can act on decide the kind where they are clear, never more. */
export function hear(exception: Exception): HeardException {
  const { reason, about, answer, command, context } = exception;
  const judged = judge(exception);
  const isRefused = judged.init.kind === 'internal' && comesOfAccount(reason, context.arguments);
  const heard: HeardException = isRefused ? { init: { kind: 'misconfigured', origin: 'server' } } : judged;
  if (answer !== undefined || command || heard.isProven === true || tellsOfDone(about.message)) return heard;
  const speaks = heard.speaks ?? FOR_CALLERS.has(heard.init.kind);
  const isForeign =
    speaks && namesForeignPath(about.message, look(reason, 'dest'), [context.arguments, context.uri]);
  return isForeign ? { init: { kind: 'misconfigured', origin: 'server' }, speaks: false } : heard;
}

function judge(exception: Exception): HeardException {
  const { about } = exception;
  const reading = asChanged(sharpened(readingOf(exception), exception), exception);
  const proof = proofOf(reading);
  if (
    isWordsAlone(exception, proof) &&
    isChange(reading) &&
    namesForeignFile(about.message, sentBy(exception))
  )
    return { init: { kind: 'internal' } };
  if (isWordsAlone(exception, proof) && saysNo(about.message))
    return { init: { kind: 'cancelled', origin: 'caller', advice: AFTER_NO }, speaks: true };
  const owned = byOwner(exception, reading);
  if (owned !== undefined) return owned;
  const database = !NO_DATABASES.has(proof) && ofDatabase(exception, reading);
  if (database) return { init: { kind: database } };
  if (proof === undefined && isMistake(exception, reading)) return { init: { kind: 'internal' } };
  if (!reading.failure || reading.certainty < SURE)
    return { init: { kind: isForCaller(exception) && !isInside(exception) ? asTold(about) : 'internal' } };
  const { kind, reaction, retry, origin, retryable } = reading.fault;
  const subject = ofOthers(reading.fault.subject);
  if (kind === 'timeout' && WAITED_FOR.test(about.message))
    return { init: { kind, subject, reaction, retry, origin: 'server' }, speaks: true };
  // A status in a text is a word like others.
  const isText = proof === undefined || (proof === 'status' && exception.answer === undefined);
  if (isText && isOfStock(exception))
    return { init: { kind: 'misconfigured', origin: 'server' }, speaks: false };
  if (isText && !FOR_CALLERS.has(kind) && complainsOfField(about.message))
    return { init: { kind: 'invalid_arguments' } };
  // Somebody who was asked wants it otherwise.
  if (isText && kind === 'cancelled' && instructs(about.message)) return { init: { kind: 'unprocessable' } };
  if (isText && !FOR_CALLERS.has(kind)) return ofOperator(exception, reading.fault, byWords(reading, about));
  // The same sentence may be about an order or about a queue.
  const isInner = !(LIMITS.has(kind) && !isOfSentence(reading)) && isInside(exception);
  if (isText && (isInner || (isOfMachines(reading, about) && !isOverSent(exception)))) {
    // What passes by itself is worth another try, whatever it is that has to start.
    const passes = kind === 'not_ready' && retryable;
    return { init: passes ? { kind, retry, origin: 'server' } : { kind: 'internal' }, speaks: false };
  }
  // Nobody took the call back, or nobody would be answered: what was aborted is a wait of the handler's own.
  if (kind === 'cancelled') return { init: { kind: 'timeout', origin: 'upstream' } };
  const init = { kind, subject, reaction, retry, origin: origin === 'local' ? 'server' : origin } as const;
  // What is no JSON comes again: a page in place of an answer, a file of the server's own that is broken.
  if (kind === 'upstream_failed' && about.name === 'SyntaxError')
    return { init: { kind, origin: 'upstream', retryable: false, retry: { when: 'never' } } };
  const isOfTables = proof === 'status' && namesTables(about.message);
  return { init, speaks: isOfTables || (isText && isOfKey(exception)) ? false : undefined };
}

/** A sentence that nobody understands may be one about what has changed, but for what the caller calls it. */
function asChanged(reading: Reading, exception: Exception): Reading {
  const isSure = reading.failure && (reading.certainty >= SURE || proofOf(reading) !== undefined);
  if (isSure || !isWordsAlone(exception, undefined)) return reading;
  const { about, context } = exception;
  return saysChanged(about.message, sentBy(exception), context.language) ?? reading;
}

function sentBy({ context }: Exception): unknown {
  return [context.arguments, context.uri];
}

/** What is decided by whose it is: a credential, a query, a value, a resource, a file. */
function byOwner(exception: Exception, reading: Reading): HeardException | undefined {
  const { reason, about, context } = exception;
  const proof = proofOf(reading);
  const isAsked = isWordsAlone(exception, proof) && asksForCredential(about.message, context);
  const unauthenticated = isServersLogin(exception, reading);
  const credential = isAsked
    ? undefined
    : ownCredential(reason, about, {
        unauthenticated,
        ofDatabase: isWordsAlone(exception, proof) && (isDatabase(reason, about) || isOfStock(exception)),
        arguments: context.arguments,
      });
  if (credential !== undefined)
    return {
      init: { kind: 'misconfigured', origin: 'server' },
      // What was done before it concerns the caller, whose login it was that failed does not.
      speaks: credential === 'for the caller' ? true : undefined,
    };
  if (!exception.command && exception.answer === undefined && lacksModule(about))
    return { init: { kind: 'misconfigured', origin: 'server' }, speaks: false };
  const query = exception.command ? undefined : ofGraphql(about.message, context.arguments);
  if (query === 'server') return { init: { kind: 'internal' }, speaks: false };
  if (query === 'caller') return { init: { kind: 'invalid_arguments', origin: 'caller' }, isProven: true };
  const callers = overCallersValue(reason, about, { arguments: context.arguments, schema: context.schema });
  if (callers?.kind === 'misconfigured') return { init: { kind: callers.kind, origin: 'server' } };
  if (callers !== undefined) {
    const { kind, words, advice } = callers;
    const origin = FOR_CALLERS.has(kind) ? 'caller' : 'upstream';
    return { init: { kind, origin, advice }, words, speaks: true, isProven: true };
  }
  const resource = exception.command ? undefined : ofResource(reason, about.message, context.arguments);
  if (resource !== undefined) return withWait(resource, reading);
  if (isAsked) return { init: { kind: forCaller(reading) ?? 'invalid_arguments', origin: 'caller' } };
  if (isOfAnother(about.message, context)) return { init: { kind: 'internal' } };
  const own = isWordsAlone(exception, proof) ? ofServers(about.message, context) : undefined;
  if (own !== undefined) return { init: { kind: own, origin: 'server' }, speaks: false };
  if (isRaised(exception)) return { init: { kind: forCaller(reading) ?? 'unprocessable' } };
  const foreign = foreignFile(reason, about, [context.arguments, context.uri]);
  if (foreign !== undefined) return { init: { kind: foreign, origin: 'server' } };
  return undefined;
}

/** Has somebody refused the server, and not the caller? */
function isServersLogin(
  { reason, about: { message }, command, context }: Exception,
  reading: Reading,
): boolean {
  const proof = proofOf(reading);
  const isUnknown = isKind(reading, 'unauthenticated');
  const isTold =
    proof === undefined ? quotesInterface(message) || tellsStatus(reading, UNKNOWN_THERE) : proof !== 'class';
  const refused = { reason, message, command, arguments: context.arguments };
  return (isUnknown && isTold) || isOwnLogin({ ...refused, unauthenticated: isUnknown && proof !== 'class' });
}

/** What a backend, or a proxy before it, answers to a program that it does not know. */
const UNKNOWN_THERE: readonly string[] = ['HTTP status 401', 'HTTP status 407'];

/** Does it tell of one of these statuses, in whatever words around it? */
function tellsStatus(reading: Reading, statuses: readonly string[]): boolean {
  return (
    reading.failure && reading.evidence.some(({ by, says }) => by === 'status' && statuses.includes(says))
  );
}

/** Has nobody but the handler spoken, or a library in it, and nothing but words? */
function isWordsAlone({ answer, command }: Exception, proof: string | undefined): boolean {
  return answer === undefined && !command && proof === undefined;
}

/** What no caller has to do with: a mistake in the use of a library, something that the server itself lacks. */
function ofServers(message: string, context: ExceptionContext): Kind | undefined {
  if (isInsideLibrary(message, context) || isOwnCommand(message, context.arguments)) return 'internal';
  if (isServerDown(message, context.arguments)) return 'unavailable';
  if (isOverOwnFile(message, [context.arguments, context.uri])) return 'misconfigured';
  const lacks = lacksOwn(message, context);
  // Behind a status, a field is what an interface asks for.
  return lacks === 'internal' && behindBadStatus(message) !== undefined ? undefined : lacks;
}

/** Whoever asks for patience may have said how long. */
function withWait(heard: HeardException, reading: Reading): HeardException {
  const afterMs = reading.failure ? reading.fault.retry.afterMs : undefined;
  if (heard.init.kind !== 'rate_limited' || afterMs === undefined) return heard;
  return { ...heard, init: { ...heard.init, retry: { when: 'after_wait', afterMs } } };
}

/** A sentence is told by how it is built, and some words say little: then it depends on what is spoken of. No caller has processes. */
function isOfMachines(reading: Reading, { message }: Described): boolean {
  if (!reading.failure) return false;
  if (isOfSentence(reading)) return speaksOfMachines(message.replace(CODE, ''));
  return reading.certainty < LOOSE_WORD && PROCESS.test(message);
}

/** The SDK writes an error's code before its words: no sentence speaks of anything by that. */
const CODE = /^(?:Error: )?(?:MCP error -?\d+: )+/;

function isOfSentence(reading: Reading): boolean {
  return reading.failure && reading.evidence[0]?.by === 'sentence' && !saysBadRequest(reading);
}

const LOOSE_WORD = 0.7;
const PROCESS = /\b(?:pid|process id) \d+\b/i;

/** PostgreSQL's code for what a function raises by itself: a sentence for people, unless it is about the database. */
const RAISED = 'P0001';

function isRaised(exception: Exception): boolean {
  const { message, code } = exception.about;
  return code === RAISED && isPlainSentence(message) && !speaksOfMachines(message) && !isInside(exception);
}

/** What a caller can act on, where it is read as such a thing. */
function forCaller(reading: Reading): Kind | undefined {
  const isSure = reading.failure && reading.certainty >= SURE && FOR_CALLERS.has(reading.fault.kind);
  return isSure ? reading.fault.kind : undefined;
}

/** Kinds of which a caller has to know, whatever it is that is limited, unless only how the sentence is built tells of them. */
const LIMITS: ReadonlySet<Kind> = new Set<Kind>(['rate_limited', 'quota_exhausted', 'unauthenticated']);

/** Does it speak of the inside of the program? Not where the tool deals in that, or where it is over a value of the caller's. */
function isInside(exception: Exception): boolean {
  const { about, answer, command, context } = exception;
  if (answer !== undefined || command || tellsOfDone(about.message)) return false;
  const plain = about.message.replaceAll(/[()]/g, '');
  const part = isPlainSentence(plain) ? machineIn(plain) : undefined;
  if (part === undefined || isOverSent(exception)) return false;
  const stem = part.trim().replace(/(?:es|s)$/, '');
  const sent = JSON.stringify(context.arguments ?? '') ?? '';
  return ![context.deals?.() ?? '', sent].some((text) => text.toLowerCase().includes(stem));
}

/** Whatever method or cursor a handler was refused with, it is none of the request that it handles. */
function ofOthers(subject: Fault['subject']): Fault['subject'] {
  return subject?.type === 'method' || subject?.type === 'cursor' ? undefined : subject;
}

/** Does it tell what is wrong with what was asked for, though no pattern of a kind fits? */
function isForCaller(exception: Exception): boolean {
  return instructs(exception.about.message) || isOverSent(exception);
}

/** Who has to be somebody else first has no access. */
const ROLE =
  /^(?:you|users?) (?:need to|must|have to|has to) be (?:an? |the )?(?:\w+ )?(?:admin(?:istrator)?|owner|member|moderator|manager|maintainer|editor)\b/i;

function asTold({ message }: Described): Kind {
  return ROLE.test(message) ? 'forbidden' : 'unprocessable';
}

/** Does it name a value of the caller's? */
function isOverSent({ about, answer, command, context }: Exception): boolean {
  return answer === undefined && !command && complainsOfSent(about.message, context.arguments);
}

/** Of a program that failed, Node makes the exception, and the program the words; of a network, it tells what it found. */
function isMistake({ reason, about, command, context }: Exception, reading: Reading): boolean {
  if (isBug(about)) return !isAsserted(reason);
  if (command || NETWORK.has(byWords(reading, about))) return false;
  return isOfPlatform(reason, about, [context.arguments, context.uri]);
}

const NETWORK: ReadonlySet<Kind> = new Set<Kind>(['unavailable', 'disconnected', 'timeout']);

/** Is it over something of the server's own that no argument names? */
function isOfStock({ about, answer, command, context }: Exception): boolean {
  if (answer !== undefined || command || asksInSql(context.arguments, about.message)) return false;
  return namesStock(about.message, context.arguments);
}

/** Is it over a key of the server's own tables? What was wrong may be said, but not the names that only its database has. */
function isOfKey({ about, answer, context }: Exception): boolean {
  return answer === undefined && violatesKey(about.message) && !asksInSql(context.arguments, about.message);
}

/** What a browser's driver waited for in vain is what the caller asked it to find. */
const WAITED_FOR = /\bwaiting for (?:locator|selector|getby\w+|element|text|frame)\b/i;

/** An exception as the language reads it; of a program that failed, only what the program said. */
function readingOf({ reason, about, answer, command, context }: Exception): Reading {
  const { language } = context;
  if (command)
    return wasStopped(reason)
      ? language.read({ thrown: Object.assign(new Error(about.message), { name: 'TimeoutError' }) })
      : language.read({ thrown: new Error(about.message) });
  const reading = ofUnchanged(language.read({ thrown: reason ?? {} }), about, language);
  if (answer === undefined) return ownRequest(about.message, reading, context);
  const proof = proofOf(reading);
  const isProven =
    proof === 'status' ||
    (proof === 'class' && isKind(reading, 'invalid_arguments')) ||
    (reading.failure && reading.evidence[0]?.by === 'issues');
  if (answer.status !== 400 || !isProven) return reading;
  return badRequest(about.message, answer, context);
}

/** How a database is, or that it failed; `false` when it is none, or when the caller wrote the query itself. */
function ofDatabase({ reason, about, command, context }: Exception, reading: Reading): Kind | false {
  if (isLostRace(about)) return namesVersion(context.arguments) ? 'conflict' : 'overloaded';
  if (command || !(isDatabase(reason, about) || isOfTables(about.message, context.arguments))) return false;
  const known = databaseKind(reason, about);
  const kind = known === 'internal' ? byWords(reading, about) : known;
  return kind === 'internal' && asksInSql(context.arguments, about.message) ? false : kind;
}

/** Evidence that is not prose. */
const PROOFS: readonly string[] = ['errno', 'status', 'class', 'sdk', 'code', 'grpc'];

/** Proofs that somebody else than a database has spoken. */
const NO_DATABASES: ReadonlySet<string | undefined> = new Set(['errno', 'status', 'grpc']);

function proofOf(reading: Reading): string | undefined {
  const by = reading.failure ? reading.evidence[0]?.by : undefined;
  return by !== undefined && PROOFS.includes(by) ? by : undefined;
}

function isKind(reading: Reading, kind: Kind): boolean {
  return reading.failure && reading.fault.kind === kind;
}

/** Kinds that words alone can prove to be so. Their words stay with the operator. */
const BY_WORDS: ReadonlySet<Kind> = new Set<Kind>([
  'unavailable',
  'disconnected',
  'timeout',
  'overloaded',
  'misconfigured',
  'upstream_failed',
]);
const CLEAR = 0.8;
function byWords(reading: Reading, { message }: Described): Kind {
  // Whoever tells of something that went well before tells of more than a connection.
  if (!reading.failure || tellsOfDone(message)) return 'internal';
  // Whoever asks to come back later has written for callers, and knows that it passes.
  const comesBack = isKind(reading, 'unavailable') && isOfSentence(reading);
  if (reading.certainty < CLEAR && !comesBack) return 'internal';
  return BY_WORDS.has(reading.fault.kind) ? reading.fault.kind : 'internal';
}

/** A kind whose words are the operator's, as far as words alone can prove it. */
function ofOperator(exception: Exception, { kind, retry, retryable }: Fault, meant: Kind): HeardException {
  if (meant === 'internal' && isOverSent(exception)) return { init: { kind: 'unprocessable' } };
  if (meant !== kind) return { init: { kind: meant } };
  // What could not be reached is what the caller named, and nobody but the caller can name another.
  const isNamed = kind === 'unavailable' && isOverSent(exception);
  if (!retryable) return { init: { kind, retryable }, speaks: isNamed || undefined };
  // How long it takes is known to whoever asks for it, and of use to whoever is asked.
  const init = retry.afterMs === undefined ? { kind } : { kind, retry };
  return isNamed || asksForPatience(exception.about.message) ? { init, speaks: true } : { init };
}
