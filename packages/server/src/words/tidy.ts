/**
 * A fault as it may leave: plain data in place of live objects, an end to every text, no secrets anywhere, and
 * an honest word on whether the operation happened.
 */
import { type Fault, type FaultError, type Issue, type JsonObject, saidExecuted } from '@mayday/core';
import { type RedactOptions, redact, redactFault } from '@mayday/core/redact';
import { clip } from './clip.ts';

/** What is known about a fault beside it. */
export interface TidyContext {
  /** The author's work had begun: then only the author can say that nothing happened. */
  readonly began: boolean;
  readonly correlationId: string;
  readonly maxTextLength: number;
  readonly redaction?: RedactOptions | undefined;
}

/** The fault of something thrown, ready to be written. */
export function tidy(thrown: FaultError, context: TidyContext): Fault {
  const { fault } = thrown;
  const isSaid = saidExecuted(thrown) !== undefined;
  const ready: Fault = {
    ...fault,
    ...texts(fault, context),
    executed: isSaid ? fault.executed : executedAs(fault, context.began),
    correlationId: context.correlationId,
  };
  return redactFault(ready, context.redaction);
}

/** Once the author's work has begun, nobody else can say that nothing happened; before, nothing has. */
function executedAs(fault: Fault, began: boolean): Fault['executed'] {
  if (!began) return fault.executed === 'yes' ? 'yes' : 'no';
  return fault.executed === 'no' ? 'maybe' : fault.executed;
}

/** Everything of a fault that is text or data of the author's. */
function texts(fault: Fault, { maxTextLength, redaction }: TidyContext): Partial<Fault> {
  const { message, advice, issues, details, name, timestamp, subject, native } = fault;
  const short = (text: string): string => clip(text, maxTextLength, (cut) => redacted(cut, redaction));
  const ended = (text: string): string => (text.length > maxTextLength ? short(text) : text);
  const parts: { -readonly [K in keyof Fault]?: Fault[K] } = {
    message: short(message),
    issues: issues.map(({ path, message: what, code }) => {
      const issue = {
        path: path.map((part) => (typeof part === 'number' ? part : short(String(part)))),
        message: besidePath(path, what, short),
      };
      return code === undefined ? issue : { ...issue, code: label(code) };
    }),
  };
  if (advice !== undefined) parts.advice = short(advice);
  if (details !== undefined) parts.details = plain(details, ended) ?? {};
  if (native?.extra !== undefined) parts.native = { ...native, extra: plain(native.extra, ended) ?? {} };
  if (name !== undefined) parts.name = label(name);
  if (timestamp !== undefined) parts.timestamp = label(timestamp);
  if (subject !== undefined) parts.subject = { ...subject, type: label(subject.type) };
  return parts;
}

/** What is said of a field is read beside its name: it may be the name alone that gives a secret away. */
function besidePath(path: Issue['path'], message: string, short: (text: string) => string): string {
  const name = `${path.slice(-DEEPEST_NAME).join('.').slice(-LONGEST_LABEL)}: `;
  const whole = short(name + message);
  return whole.startsWith(name) ? whole.slice(name.length) : short(message);
}

const DEEPEST_NAME = 3;
const LONGEST_LABEL = 200;

/** A short text without secrets: a name, a type, an identifier. */
export function label(text: string): string {
  const safe = redacted(text.length > LONGEST_LABEL * 4 ? text.slice(0, LONGEST_LABEL * 4) : text);
  return safe.length > LONGEST_LABEL ? `${safe.slice(0, LONGEST_LABEL - 1)}…` : safe;
}

function redacted(text: string, options?: RedactOptions): string {
  return redact(text, options).value;
}

/**
 * What would be sent of the details: `toJSON`, boxed strings and getters are asked now, before redaction. `ended` gives an
 * end to a text.
 */
function plain(details: JsonObject, ended: (text: string) => string): JsonObject | undefined {
  const short = (_key: string, value: unknown): unknown => (typeof value === 'string' ? ended(value) : value);
  try {
    return JSON.parse(JSON.stringify(details, asText), short) as JsonObject;
  } catch {
    return undefined; // cyclic, or a getter that throws: it could not have been sent
  }
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
