/**
 * An exception as plain data for the reader. HTTP clients keep the answer's status and headers in many
 * places, on prototypes and down the chain of causes; here they are brought to one.
 */
import { isRecord, look } from './look.ts';

/** An exception without its class, its stack and its secrets' hiding places. */
export interface Described {
  readonly name: string;
  /** What it says, if it says anything in words. */
  readonly message: string;
  readonly code?: unknown;
  readonly data?: unknown;
  readonly status?: number;
  readonly headers?: unknown;
  readonly response?: object;
  readonly cause?: Described;
}

const MAX_CAUSES = 5;

/** Describes anything that was thrown. Never throws, whatever its getters do. */
export function describe(reason: unknown): Described {
  return describeAt(reason, MAX_CAUSES);
}

function describeAt(reason: unknown, causes: number): Described {
  if (typeof reason === 'string') return { name: 'string', message: reason };
  if (!isRecord(reason)) return { name: typeof reason, message: '' };
  const described: { -readonly [K in keyof Described]: Described[K] } = {
    name: text(look(reason, 'name')),
    message: text(look(reason, 'message')),
  };
  const code = look(reason, 'code');
  const data = look(reason, 'data');
  if (code !== undefined) described.code = code;
  if (data !== undefined) described.data = data;
  const inner = look(reason, 'cause') ?? look(look(reason, 'errors'), '0');
  if (causes > 0 && isRecord(inner) && inner !== reason) described.cause = describeAt(inner, causes - 1);
  const answer = answerOf(reason) ?? described.cause;
  if (answer?.status !== undefined) described.status = answer.status;
  if (answer?.headers !== undefined) described.headers = answer.headers;
  if (answer?.response !== undefined) described.response = answer.response;
  return described;
}

/** The HTTP answer behind an exception of axios, got, ky, undici, Octokit, OpenAI, AWS and their kin. */
function answerOf(reason: object): Pick<Described, 'status' | 'headers' | 'response'> | undefined {
  const places = [reason, look(reason, 'response'), look(reason, '$response'), look(reason, '$metadata')];
  const status = places.map(statusOf).find((found) => found !== undefined);
  const headers = places.map((place) => look(place, 'headers')).find((found) => found !== undefined);
  if (status === undefined) return undefined;
  const response = look(reason, 'response');
  const body = look(response, 'data') ?? look(response, 'body') ?? look(reason, 'body');
  return { status, headers, response: { status, headers, data: isStream(body) ? undefined : body } };
}

function statusOf(place: unknown): number | undefined {
  for (const name of ['status', 'statusCode', 'httpStatusCode']) {
    const status = look(place, name);
    if (typeof status === 'number' && Number.isInteger(status) && status >= 300 && status < 600)
      return status;
  }
  return undefined;
}

function isStream(body: unknown): boolean {
  return typeof look(body, 'getReader') === 'function' || typeof look(body, 'pipe') === 'function';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
