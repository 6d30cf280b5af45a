/**
 * Nothing a server said is lost, whatever form it had for it: what stands nowhere in the answer is added to it, redacted.
 * A model reads content, a program the member of our name.
 */
import type { Fault, Json, JsonObject } from '@mayday/core';
import type { HttpWire, JsonRpcWire } from '@mayday/core/dialects';
import { isPage, pageText } from '@mayday/core/http';
import { ERROR_KEY } from '@mayday/core/protocol';
import { decode, isMembers, type Said } from '@mayday/relay';
import { cleanStart } from '../clean-cut.ts';
import type { Cleaner } from './redaction.ts';
import { Told } from './told.ts';

/** What was understood of what the server said, and what is taken out of it. */
interface Telling {
  readonly fault: Fault;
  readonly cleaner: Cleaner;
}

/** The answer with the rest of what the server said. */
export function keepTheRest<W extends JsonRpcWire | HttpWire>(
  wire: W,
  said: Said | undefined,
  textBytes: number,
  { fault, cleaner }: Telling,
): W {
  const theirs = wordsOf(said, { textBytes, cleaner, isKept: !('http' in wire) });
  if (theirs === undefined) return wire;
  const rest = untold(cleaner.clean(theirs) as Json, new Told(wire, sentencesOf(fault)));
  return rest === undefined ? wire : (withRest(wire, rest) as W);
}

/** What a server said that stands nowhere in an answer, redacted. */
export function untoldOf(
  wire: JsonRpcWire,
  said: Said,
  textBytes: number,
  { fault, cleaner }: Telling,
): Json | undefined {
  const theirs = wordsOf(said, { textBytes, cleaner, isKept: false });
  return theirs === undefined
    ? undefined
    : untold(cleaner.clean(theirs) as Json, new Told(wire, sentencesOf(fault)));
}

function sentencesOf({ message, issues }: Fault): readonly string[] {
  return [message, ...issues.map((issue) => issue.message)];
}

/** What a server said, without the frame of the message; `undefined` where that is in the answer anyway. */
function wordsOf(said: Said | undefined, { textBytes, cleaner, isKept }: Hearing): unknown {
  if (said === undefined) return undefined;
  if (said.type === 'message') {
    const isHuge = said.bytes.length > textBytes * HUGE;
    return isHuge || (isKept && isPlainResult(said.message)) ? undefined : unframed(said.message);
  }
  const isOurs = said.type === 'nothing' && (said.status !== undefined || said.isOurs === true);
  const body = said.type === 'http' ? said.body : said.original;
  if (isOurs || body === undefined) return undefined;
  const whole = body.length <= textBytes * HUGE ? decode(body) : undefined;
  if (whole !== undefined) return unframed(whole);
  const text = body.toString('utf8', 0, textBytes).trim();
  if (isPage(text)) return pageWords(text, cleaner);
  if (text === '' || text.startsWith('<')) return undefined;
  return body.length <= textBytes ? text : cutWords(text, body.length, cleaner);
}

interface Hearing extends Pick<Telling, 'cleaner'> {
  readonly textBytes: number;
  /** Is a plain result in the answer with all its members? */
  readonly isKept: boolean;
}

/** Half a secret at the end is not known to be one: nothing is told from there. */
function cutWords(text: string, bytes: number, cleaner: Cleaner): string {
  const told = Math.floor(text.length * TOLD);
  return `${cleanStart(text, told, (read) => String(cleaner.clean(read)))}… (${bytes} bytes)`;
}

/** A page is for people, who would see more of it than a model needs. */
function pageWords(page: string, { clean }: Cleaner): string | undefined {
  // Before its lines and cells are joined, and again as it is read.
  const words = pageText(String(clean(page)));
  const told = cleanStart(words, PAGE_WORDS, (read) => String(clean(read)));
  return told === '' ? undefined : words.length <= PAGE_WORDS ? told : `${told}…`;
}

const PAGE_WORDS = 2000;

/** Of what was read, so much is told. */
const TOLD = 0.9;

/** So many times what is allowed of one text: taking secrets out takes time. */
const HUGE = 4;

/** All of such a result is kept by its members. */
function isPlainResult(message: unknown): boolean {
  const result = isMembers(message) ? message['result'] : undefined;
  if (!isMembers(result) || !Array.isArray(result['content'])) return false;
  return result['error'] === undefined && result['_meta'] === undefined;
}

function unframed(message: unknown): unknown {
  if (!isMembers(message) || message['jsonrpc'] === undefined) return message;
  const { jsonrpc: _jsonrpc, id: _id, ...said } = message;
  return said;
}

/** The part of a value that is not told. Only frames are taken apart: half of anything else means something else. */
function untold(value: Json, told: Told, name = '', depth = 0): Json | undefined {
  if (depth > 0 && (!FRAMES.has(name) || depth > FRAMES.size))
    return told.has(name, value) ? undefined : value;
  if (Array.isArray(value) && name === 'content') return untoldBlocks(value, told);
  if (!isMembers(value)) return isNothing(value) || told.has(name, value) ? undefined : value;
  const rest: { [key: string]: Json } = {};
  for (const [key, member] of Object.entries(value as JsonObject)) {
    const left = untold(member, told, key, depth + 1);
    if (left !== undefined) rest[key] = left;
  }
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** What messages and bodies put around what they have to say. */
const FRAMES: ReadonlySet<string> = new Set([
  'result',
  'error',
  'data',
  'content',
  'structuredContent',
  '_meta',
]);

/** A frame that holds nothing, as many write one. */
function isNothing(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** A block that holds nothing but words that are told is told: what it is called says nothing. */
function untoldBlocks(blocks: readonly Json[], told: Told): Json | undefined {
  const left = blocks.filter((block) => {
    if (!isMembers(block)) return !told.has('content', block);
    const { type: _type, ...members } = block as JsonObject;
    return !told.has('content', block as Json) && !told.has('content', members);
  });
  return left.length === 0 ? undefined : left;
}

function withRest(wire: JsonRpcWire | HttpWire, rest: Json): JsonRpcWire | HttpWire {
  if ('http' in wire) {
    const { body } = wire.http;
    return isMembers(body) ? { http: { ...wire.http, body: withBeside(body as JsonObject, rest) } } : wire;
  }
  if (wire.error !== undefined) {
    const { data } = wire.error;
    const beside = isMembers(data) ? (data as JsonObject) : data === undefined ? {} : { value: data };
    return { ...wire, error: { ...wire.error, data: withBeside(beside, rest) } };
  }
  if (wire.result === undefined) return wire;
  return { ...wire, result: inResult(wire.result, rest) };
}

/** Meta is for programs, theirs too: in a text it would be advice to a model. */
function inResult(result: JsonObject, rest: Json): JsonObject {
  const { words, meta } = partsOf(rest);
  const { content, _meta } = result;
  const kept: { [name: string]: Json } = { ...result };
  if (words !== undefined) {
    const text = typeof words === 'string' ? words : JSON.stringify(words);
    kept['content'] = [...(Array.isArray(content) ? content : []), { type: 'text', text }];
  }
  if (meta !== undefined) kept['_meta'] = withBeside(isMembers(_meta) ? (_meta as JsonObject) : {}, meta);
  return kept;
}

/** What stands under our name already, that it may have happened, stays. */
function withBeside(members: JsonObject, rest: Json): JsonObject {
  const known = members[ERROR_KEY];
  if (!isMembers(known)) return { ...members, [ERROR_KEY]: rest };
  const more = isMembers(rest) ? (rest as JsonObject) : { said: rest };
  return { ...members, [ERROR_KEY]: { ...more, ...(known as JsonObject) } };
}

interface Parts {
  readonly words: Json | undefined;
  readonly meta: Json | undefined;
}

/** The meta of a message or of its result, and the rest. */
function partsOf(rest: Json): Parts {
  if (!isMembers(rest)) return { words: rest, meta: undefined };
  const { _meta: outer, ...words } = { ...rest } as { [name: string]: Json };
  let meta = outer;
  if (isMembers(words['result'])) {
    const { _meta: inner, ...members } = words['result'] as JsonObject;
    meta = inner ?? outer;
    if (Object.keys(members).length === 0) delete words['result'];
    else words['result'] = members;
  }
  return { words: Object.keys(words).length === 0 ? undefined : words, meta };
}
