/**
 * The fault document: the canonical JSON form of a fault, with snake_case keys. `mayday` carries it on the
 * wire, `problem` extends it, `mayday read` prints it.
 */
import {
  type Fault,
  type FaultInit,
  type Issue,
  type Json,
  type JsonObject,
  makeFault,
  type Native,
  ORIGINS,
  type Retry,
  soundFault,
} from './fault.ts';
import { oneOf, subjectOf } from './fault-parts.ts';
import { pathFrom } from './issue-path.ts';
import {
  firstString,
  isRecord,
  own,
  ownBoolean,
  ownNumber,
  ownRecord,
  ownString,
  toJsonObject,
  type Unknown,
} from './json.ts';
import { EXECUTED, isKind, REACTIONS, WHENS } from './kinds.ts';

/** The canonical JSON form of a fault. Members without a value are absent. */
export function toDocument(fault: Fault): JsonObject {
  return documentOf(soundFault(fault));
}

/** The same of a fault that is sound, as every fault is that a dialect is given to write. */
export function documentOf(fault: Fault): JsonObject {
  const document: Record<string, Json> = {
    kind: fault.kind,
    reaction: fault.reaction,
    retryable: fault.retryable,
    retry: retryDocument(fault.retry),
    executed: fault.executed,
    origin: fault.origin,
    message: fault.message,
  };
  if (fault.subject !== undefined) document['subject'] = { ...fault.subject };
  if (fault.issues.length > 0)
    document['issues'] = fault.issues.map((issue) => ({ ...issue, path: [...issue.path] }));
  if (fault.name !== undefined) document['name'] = fault.name;
  if (fault.advice !== undefined) document['advice'] = fault.advice;
  if (fault.details !== undefined) document['details'] = fault.details;
  if (fault.correlationId !== undefined) document['correlation_id'] = fault.correlationId;
  if (fault.timestamp !== undefined) document['timestamp'] = fault.timestamp;
  if (fault.native !== undefined) document['native'] = nativeDocument(fault);
  return document;
}

function retryDocument(retry: Retry): JsonObject {
  const document: Record<string, Json> = { when: retry.when };
  if (retry.afterMs !== undefined) document['after_ms'] = retry.afterMs;
  if (retry.maxAttempts !== undefined) document['max_attempts'] = retry.maxAttempts;
  if (retry.backoff !== undefined) document['backoff'] = retry.backoff;
  if (retry.jitter !== undefined) document['jitter'] = retry.jitter;
  return document;
}

/** The raw body stays behind: only the dialect that passes it through may show it. */
function nativeDocument(fault: Fault): JsonObject {
  const { dialect, code, message, waitMs } = fault.native as NonNullable<Fault['native']>;
  const document: Record<string, Json> = { dialect };
  if (code !== undefined) document['code'] = code;
  if (message !== undefined) document['message'] = message;
  if (waitMs !== undefined) document['wait_ms'] = waitMs;
  return document;
}

/** A fault from its document; `undefined` when the value is no such document. */
export function fromDocument(value: unknown): Fault | undefined {
  const init = initFromDocument(value);
  return init === undefined ? undefined : makeFault(init);
}

/** What a document says, for readers that add to it. */
export function initFromDocument(value: unknown): FaultInit | undefined {
  const kind = own(value, 'kind');
  if (!isKind(kind)) return undefined;
  const subject = ownRecord(value, 'subject');
  const type = ownString(subject, 'type');
  const id = ownString(subject, 'id');
  return {
    kind,
    message: ownString(value, 'message'),
    subject: type === undefined ? undefined : subjectOf(type, id),
    reaction: oneOf(own(value, 'reaction'), REACTIONS),
    retryable: ownBoolean(value, 'retryable'),
    retry: retryFrom(own(value, 'retry')),
    executed: oneOf(own(value, 'executed'), EXECUTED),
    origin: oneOf(own(value, 'origin'), ORIGINS),
    issues: issuesFrom(own(value, 'issues')),
    name: ownString(value, 'name'),
    advice: ownString(value, 'advice'),
    details: toJsonObject(own(value, 'details')),
    correlationId: ownString(value, 'correlation_id'),
    timestamp: ownString(value, 'timestamp'),
    native: nativeFrom(ownRecord(value, 'native')),
  };
}

function nativeFrom(value: Unknown | undefined): Native | undefined {
  const dialect = ownString(value, 'dialect');
  if (dialect === undefined) return undefined;
  const native: { -readonly [K in keyof Native]: Native[K] } = { dialect };
  const code = own(value, 'code');
  const message = ownString(value, 'message');
  const waitMs = ownNumber(value, 'wait_ms');
  if (typeof code === 'number' || typeof code === 'string') native.code = code;
  if (message !== undefined) native.message = message;
  if (waitMs !== undefined && waitMs >= 0) native.waitMs = waitMs;
  return native;
}

/** A retry hint, in our spelling or in qaqnuz's. */
export function retryFrom(value: unknown): Partial<Retry> | undefined {
  if (!isRecord(value)) return undefined;
  const retry: { -readonly [K in keyof Retry]?: Retry[K] } = {};
  const when = oneOf(own(value, 'when'), WHENS);
  const afterMs = ownNumber(value, 'after_ms') ?? ownNumber(value, 'retry_after_ms');
  const maxAttempts = ownNumber(value, 'max_attempts');
  const backoff = oneOf(own(value, 'backoff'), ['fixed', 'exponential'] as const);
  const jitter = ownNumber(value, 'jitter');
  if (when !== undefined) retry.when = when;
  if (afterMs !== undefined) retry.afterMs = afterMs;
  if (maxAttempts !== undefined && maxAttempts >= 0) retry.maxAttempts = Math.floor(maxAttempts);
  if (backoff !== undefined) retry.backoff = backoff;
  if (jitter !== undefined && jitter >= 0 && jitter < 1) retry.jitter = jitter;
  return retry;
}

const MAX_ISSUES = 1000;

/**
 * Issues in any of the usual spellings: ours and Zod's `{path, message, code}`, Standard Schema's path
 * segments `{key}`, `{field, message}`, dotted paths and JSON pointers. `undefined` when it is no such list.
 */
export function issuesFrom(value: unknown): readonly Issue[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const issues: Issue[] = [];
  for (const item of value.slice(0, MAX_ISSUES)) {
    const message = firstString(item, ['message', 'msg', 'detail', 'description']);
    if (message === undefined) return undefined;
    const code = firstString(item, ['code', 'type', 'keyword', 'rule']);
    const path = pathFrom(
      own(item, 'path') ??
        own(item, 'field') ??
        own(item, 'loc') ??
        own(item, 'instancePath') ??
        own(item, 'pointer') ??
        own(item, 'param'),
    );
    issues.push(code === undefined ? { path, message } : { path, message, code });
  }
  return issues;
}
