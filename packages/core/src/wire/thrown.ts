/** Exceptions as wires: those of the MCP SDKs, of fetch wrappers and of HTTP clients. */
import { isRecord, own, ownInteger, parseJson, type Unknown } from '../json.ts';
import { type AnswerBehind, answerBehind, causeOf } from './answer-behind.ts';
import { headersOf } from './http.ts';
import { messageOf, nameOf } from './names.ts';
import { stripPrefix } from './prefix.ts';
import { type HttpPart, makeWire, type Wire } from './wire.ts';

const MAX_CAUSES = 5;

/** Takes an exception apart: what it says, what it wraps, and the HTTP answer behind it. */
export function lookAtThrown(thrown: Unknown, look: (value: unknown) => Wire): Wire {
  const stripped = stripPrefix(messageOf(thrown));
  const code = ownInteger(thrown, 'code') ?? stripped.code;
  // What a peer put into `data` is its own word, whatever it looks like: no status, no answer of somebody else.
  if (isAnswer(thrown))
    return makeWire('thrown', true, stripped.text, {
      thrown,
      error: { code, message: stripped.text, data: own(thrown, 'data') },
    });
  const answer = answerBehind(thrown);
  const body = thrownBody(thrown, answer);
  const http = httpOfThrown(thrown, answer);
  if (body !== undefined) {
    const inside = look(body);
    if (inside.failed && inside.placement === 'tool')
      return { ...inside, thrown, http: http && { ...http, status: undefined, carrier: http.status } };
    if (inside.failed && inside.error !== undefined) return { ...inside, thrown, placement: 'thrown', http };
    return makeWire('thrown', true, stripped.text, { thrown, body, http });
  }
  const isWireError =
    code !== undefined && http === undefined && (isReserved(code) || stripped.code !== undefined);
  const error = isWireError ? { code, message: stripped.text, data: own(thrown, 'data') } : undefined;
  return makeWire('thrown', true, stripped.text, { thrown, error, http });
}

function isReserved(code: number): boolean {
  return code >= -32768 && code <= -32000;
}

/** Classes in which the SDKs hand over a JSON-RPC error of the peer: v1, v2 and the Vercel AI SDK. */
const ANSWERS: ReadonlySet<string> = new Set(['McpError', 'ProtocolError', 'MCPClientError']);

/** Is it the peer's own JSON-RPC error? Those of the AI SDK's transport have a status instead of a code. */
export function isAnswer(thrown: Unknown): boolean {
  return ANSWERS.has(nameOf(thrown)) && own(thrown, 'code') !== undefined;
}

/** A body that an HTTP client kept: fetch wrappers, axios, got, the MCP SDKs. */
function thrownBody(thrown: Unknown, answer: AnswerBehind | undefined): unknown {
  // Google's clients put the whole body into the message.
  const said = answer !== undefined && messageOf(thrown).startsWith('{') ? messageOf(thrown) : undefined;
  const candidates = [own(own(thrown, 'data'), 'text'), answer?.body, own(thrown, 'body'), said];
  for (const candidate of candidates) {
    const parsed = typeof candidate === 'string' ? parseJson(candidate) : candidate;
    if (isRecord(parsed) || Array.isArray(parsed)) return parsed;
  }
  // SDK v1: "Error POSTing to endpoint (HTTP 404): {…}"
  const message = messageOf(thrown);
  const at = message.startsWith('Error POSTing to endpoint') ? message.indexOf('{') : -1;
  return at < 0 ? undefined : parseJson(message.slice(at));
}

function httpOfThrown(thrown: Unknown, answer: AnswerBehind | undefined): HttpPart | undefined {
  if (answer !== undefined) return { status: answer.status, headers: answer.headers };
  const status = sdkStatus(thrown);
  return status === undefined ? undefined : { status, headers: headersOf(own(thrown, 'headers')) };
}

/** SDK v1's StreamableHTTPError and SseError keep the status in `code`, or only in the message. */
function sdkStatus(thrown: Unknown): number | undefined {
  const code = ownInteger(thrown, 'code');
  const name = nameOf(thrown);
  if (
    code !== undefined &&
    code >= 300 &&
    code < 600 &&
    (name === 'StreamableHTTPError' || name === 'SseError' || name === 'Error')
  ) {
    const message = messageOf(thrown);
    if (name !== 'Error' || message.startsWith('Streamable HTTP error') || message.startsWith('SSE error'))
      return code;
  }
  const said = /^(?:Streamable HTTP error: )?Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(
    messageOf(thrown),
  );
  return said === null ? undefined : Number(said[1]);
}

/** The chain of causes, nearest first, bounded and without repetition. */
export function causesOf(thrown: Unknown): readonly Unknown[] {
  const chain: Unknown[] = [];
  let current: unknown = thrown;
  while (isRecord(current) && chain.length < MAX_CAUSES && !chain.includes(current)) {
    chain.push(current);
    current = causeOf(current);
  }
  return chain;
}
