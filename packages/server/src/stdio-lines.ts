/** Lines of JSON-RPC on a stream: what is a message, and what is wrong with what is not. */
import { isUtf8 } from 'node:buffer';
import { type FaultError, fault } from '@mayday/core';
import type { Message, RequestId } from './shapes.ts';

/** A line that is no message. */
export interface BadLine {
  readonly thrown: FaultError;
  /** The code, where the specification fixes it. */
  readonly code?: number | undefined;
  readonly id?: RequestId | undefined;
}

/** A message, or why it is none: a line on a stream, or the body of a request. */
export function parseLine(line: string): Message | BadLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    const details = positionIn(cause);
    return { thrown: fault.parseError('The line is not valid JSON', { cause, details }), code: -32700 };
  }
  if (isMessage(value)) return value;
  const { id: said, params, ...rest } = (value ?? {}) as { [key: string]: unknown };
  const id = typeof said === 'string' || typeof said === 'number' ? said : undefined;
  if (params !== undefined && isMessage(id === undefined ? rest : { ...rest, id }))
    return { thrown: fault.invalidArguments('The field params must be an object'), code: -32602, id };
  return { thrown: fault.invalidRequest(whyNot(value)), code: -32600, id };
}

/** A line whose bytes are no text: whatever it seems to say, somebody else may read it otherwise. */
export function garbledLine(): BadLine {
  return { thrown: fault.parseError('The line is not valid UTF-8'), code: -32700 };
}

/** Where the parser stopped, if it says so. */
function positionIn(cause: unknown): { readonly position: number } | undefined {
  const at = /at position (\d{1,9})/.exec(String(cause))?.[1];
  return at === undefined ? undefined : { position: Number(at) };
}

/** The first thing that is wrong with something that is JSON, and no message. */
function whyNot(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'It is not a JSON-RPC 2.0 message';
  const { jsonrpc, method, result, error, id } = value as { [key: string]: unknown };
  if (jsonrpc === undefined) return 'Missing required field: jsonrpc';
  if (jsonrpc !== '2.0') return 'The field jsonrpc must be "2.0"';
  if (method === undefined && result === undefined && error === undefined)
    return 'Missing required field: method';
  if (method !== undefined && typeof method !== 'string') return 'The field method must be a string';
  if (id !== undefined && typeof id !== 'string' && !Number.isInteger(id))
    return 'The field id must be a string or a whole number';
  return 'The fields of the message do not go together';
}

/** Is it wrong? */
export function isBadLine(parsed: Message | BadLine): parsed is BadLine {
  return 'thrown' in parsed;
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { jsonrpc, id, method, params, result, error } = value as { [key: string]: unknown };
  if (jsonrpc !== '2.0') return false;
  const named = typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));
  if (method === undefined)
    return named ? (result !== undefined) !== (error !== undefined) : error !== undefined;
  if (typeof method !== 'string' || (id !== undefined && !named)) return false;
  return params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params));
}

const HEAD_ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{1,128}")\s*,/;
const TAIL_ID = /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,128}")\s*\}\s*$/;

/** A line that is too long to be read, with its id if that can be seen at either end without reading it. */
export function oversizeLine(head: string, tail: string, maxBytes: number): BadLine {
  // The last brace of a line closes the message itself, so an id right before it is the message's own.
  const found = HEAD_ID.exec(head)?.[1] ?? TAIL_ID.exec(tail)?.[1];
  const details = { max_bytes: maxBytes };
  const thrown = fault.tooLarge('The message is too large', { subject: { type: 'message' }, details });
  return { thrown, id: found === undefined ? undefined : (JSON.parse(found) as RequestId) };
}

/** Who gets the lines of a stream. */
export interface LineSink {
  /** A line, and whether its bytes are the text's own: bytes that are no UTF-8 have been replaced. */
  line(text: string, intact: boolean): void;
  /** A line beyond the limit, by its two ends. */
  oversize(head: string, tail: string): void;
}

/** Splits a stream into lines. */
export interface LineReader {
  push(chunk: Buffer): void;
  /** The stream is over: what is left is a line, with or without a newline. */
  end(): void;
}

const SEEN_ENDS = 512;
const NEWLINE = 10;

/** Never holds more than one line of the allowed length. */
export function createLineReader(maxBytes: number, sink: LineSink): LineReader {
  let held: Buffer[] = [];
  let size = 0;
  let head: string | undefined;
  let tail = '';
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (head === undefined && size <= maxBytes) {
      held.push(piece);
      return;
    }
    head ??= Buffer.concat([...held, piece]).toString('utf8', 0, SEEN_ENDS);
    held = [];
    tail = (tail + piece.toString('utf8', Math.max(0, piece.length - SEEN_ENDS))).slice(-SEEN_ENDS);
  };
  const flush = (): void => {
    const [line, first] = [held, head];
    held = [];
    size = 0;
    head = undefined;
    if (first !== undefined) sink.oversize(first, tail);
    else {
      const bytes = Buffer.concat(line);
      const text = bytes.toString('utf8').trim();
      if (text !== '') sink.line(text, isUtf8(bytes));
    }
    tail = '';
  };
  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        add(chunk.subarray(start, end));
        flush();
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
    end: flush,
  };
}
