/**
 * The HTTP answer behind an exception. Every client library keeps it elsewhere: axios and ky in `response`, got on
 * a prototype, undici and OpenAI on the error itself, AWS in `$response` and `$metadata`, others in a cause.
 */
import { isRecord, member, own } from '../json.ts';
import { headersOf } from './http.ts';
import type { HttpPart } from './wire.ts';

/** An answer that somebody's client turned into an exception. */
export interface AnswerBehind extends HttpPart {
  readonly status: number;
  readonly body: unknown;
}

const MAX_CAUSES = 5;

/** The answer behind an exception or the nearest of its causes; `undefined` when there is none. */
export function answerBehind(thrown: unknown): AnswerBehind | undefined {
  let link: unknown = thrown;
  for (let depth = 0; depth < MAX_CAUSES && isRecord(link); depth += 1) {
    const found = answerOf(link);
    if (found !== undefined) return found;
    link = causeOf(link);
  }
  return undefined;
}

function answerOf(holder: unknown): AnswerBehind | undefined {
  const holders = [holder];
  for (const name of ['response', '$response', '$metadata']) {
    const inner = member(holder, name);
    if (isRecord(inner)) holders.push(inner);
  }
  const data = held(holder, 'data');
  if (isRecord(data)) holders.push(data);
  const status = first(holders, statusOf);
  if (status === undefined) return undefined;
  const headers = first(
    holders,
    (one) => member(one, 'headers') ?? member(one, 'header') ?? member(one, 'responseHeaders'),
  );
  return { status, headers: headersOf(headers), body: first(holders, bodyOf) };
}

function first<T>(holders: readonly unknown[], find: (holder: unknown) => T | undefined): T | undefined {
  for (const holder of holders) {
    const found = find(holder);
    if (found !== undefined) return found;
  }
  return undefined;
}

function statusOf(holder: unknown): number | undefined {
  for (const name of ['status', 'statusCode', 'httpStatusCode']) {
    const status = member(holder, name);
    if (isStatus(status)) return status;
  }
  // A code is a status only beside what else an answer has.
  const code = member(holder, 'code');
  const isAnswer = isRecord(member(holder, 'headers')) || typeof member(holder, 'statusText') === 'string';
  return isAnswer && isStatus(code) ? code : undefined;
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 300 && (value as number) < 600;
}

/** A text or plain data. Own members only: streams and deprecated getters wait on prototypes. */
function bodyOf(holder: unknown): unknown {
  for (const name of ['text', 'responseBody', 'data', 'body']) {
    const body = held(holder, name);
    if (typeof body === 'string' || Array.isArray(body)) return body;
    if (isRecord(body) && isPlain(body) && statusOf(body) === undefined) return body;
  }
  return undefined;
}

/** An own member. Asked for by name first: only looking at node-fetch's `data` makes it print a warning. */
function held(holder: unknown, name: string): unknown {
  return isRecord(holder) && Object.hasOwn(holder, name) ? own(holder, name) : undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Where libraries keep the exception that theirs came from: Stripe in `detail`, Sequelize in `original`, the AI SDK. */
const CAUSES: readonly string[] = ['cause', 'detail', 'original', 'originalError', 'parent', 'lastError'];

/** The exception that an exception came from. */
export function causeOf(thrown: unknown): unknown {
  for (const name of CAUSES) {
    const cause = own(thrown, name);
    if (isRecord(cause)) return cause;
  }
  const errors = own(thrown, 'errors');
  return Array.isArray(errors) ? errors[0] : undefined;
}
