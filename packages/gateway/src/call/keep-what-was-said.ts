/**
 * Nothing a server said is lost: its content blocks, structured content, meta and data stay whole beside our words,
 * redacted. We add, we do not exchange.
 */

import type { Json, JsonObject } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import { ERROR_KEY, FAULT_KEY, LEFT_OUT_KEY } from '@mayday/core/protocol';
import { decode, type Said } from '@mayday/relay';
import { SLACK, toRead, toTell } from '../clean-cut.ts';
import { isOfApi } from '../openapi/api-answer.ts';
import { withoutOwnAdvice } from './own-advice.ts';
import { type Cleaner, STANDARD } from './redaction.ts';

type Member = { readonly [key: string]: unknown };

/** The answer with everything in it that the server had to say, whether as a result or as an error. */
export function keepWhatWasSaid(
  wire: JsonRpcWire,
  said: Said | undefined,
  textBytes: number,
  cleaner: Cleaner = STANDARD,
): JsonRpcWire {
  const message = messageOf(said);
  if (message === undefined) return wire;
  const { result, error } = message.members;
  if (isObject(result)) return keepSaidResult(wire, keptOf(result, message.bytes, { textBytes, cleaner }));
  if (isObject(error)) return keepSaidError(wire, error, message.bytes, { textBytes, cleaner });
  return wire;
}

/** The failing result of a server as it may leave; `undefined` without one. */
export function saidResult(
  said: Said | undefined,
  textBytes: number,
  cleaner: Cleaner = STANDARD,
): JsonObject | undefined {
  const message = messageOf(said);
  const result = message?.members['result'];
  return message !== undefined && isObject(result)
    ? keptOf(result, message.bytes, { textBytes, cleaner })
    : undefined;
}

/** The same with the people in it, or the body that an API answered with: as a document passes it on. */
export function saidBody(
  said: Said | undefined,
  textBytes: number,
  { cleanButPeople }: Cleaner = STANDARD,
): JsonObject | undefined {
  if (isOfApi(said)) {
    const read = toRead(said.original.length, textBytes);
    const text = said.original.toString('utf8', 0, read);
    if (text.trim() === '') return undefined;
    return { content: [{ type: 'text', text: toTell(cleanButPeople(text), read, textBytes) }] };
  }
  const message = messageOf(said);
  const result = message?.members['result'];
  if (message === undefined || !isObject(result)) return undefined;
  return cleaned(result, message.bytes, textBytes, cleanButPeople);
}

/** Blocks of theirs that ours do not tell. */
export function novelBlocks(theirs: Json | undefined, ours: Json | undefined): readonly Json[] {
  return novel(listOf(theirs), listOf(ours));
}

/** The JSON-RPC message that a server said, also under a status of HTTP that says no. */
function messageOf(said: Said | undefined): { readonly members: Member; readonly bytes: number } | undefined {
  if (said === undefined || said.type === 'nothing') return undefined;
  const members = said.type === 'message' ? said.message : decode(said.body);
  if (!isObject(members)) return undefined;
  return { members, bytes: said.type === 'message' ? said.bytes.length : said.body.length };
}

function keepSaidResult(wire: JsonRpcWire, theirs: JsonObject): JsonRpcWire {
  if (wire.result !== undefined) return { ...wire, result: keepResult(wire.result, theirs) };
  if (wire.error === undefined) return wire;
  const { content, isError: _isError, resultType: _resultType, error: _error, ...rest } = theirs;
  const blocks = novel(listOf(content), [{ type: 'text', text: wire.error.message }]);
  const more = blocks.length === 0 ? rest : { ...rest, content: blocks };
  if (Object.keys(more).length === 0) return wire;
  return { ...wire, error: { ...wire.error, data: keepData(wire.error.data, more) } };
}

function keepSaidError(
  wire: JsonRpcWire,
  error: Member,
  bytes: number,
  { textBytes, cleaner }: Keeping,
): JsonRpcWire {
  const isHuge = bytes > textBytes * 4;
  const data = isHuge ? undefined : (cleaner.clean({ data: error['data'] }).data as Json | undefined);
  if (wire.error !== undefined) {
    return data === undefined
      ? wire
      : { ...wire, error: { ...wire.error, data: keepData(wire.error.data, data) } };
  }
  if (wire.result === undefined) return wire;
  const leftOut = isHuge && error['data'] !== undefined ? { [LEFT_OUT_KEY]: ['data'] } : {};
  const theirs = {
    content: blocksOf(data, textBytes),
    _meta: { ...codeAndData(wire, error, data), ...leftOut },
  };
  return { ...wire, result: keepResult(wire.result, theirs) };
}

/** A model reads what stands in the content, and no data of an error. */
function blocksOf(data: Json | undefined, textBytes: number): readonly Json[] {
  if (data === undefined || data === null) return [];
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return [shortened({ type: 'text', text }, textBytes)];
}

/** For programs; a fault document has both already. */
function codeAndData(wire: JsonRpcWire, { code }: Member, data: Json | undefined): JsonObject {
  const meta = wire.result?.['_meta'];
  if ((isObject(meta) && FAULT_KEY in meta) || typeof code !== 'number') return {};
  return { [ERROR_KEY]: data === undefined ? { code } : { code, data } };
}

/** How much is kept. */
interface Keeping {
  readonly textBytes: number;
  readonly cleaner: Cleaner;
}

interface Kept extends Keeping {
  readonly result: JsonObject;
}

/** By the result that a server said: one that it repeats is the same each time. */
const kept = new WeakMap<Member, Kept>();

function keptOf(said: Member, bytes: number, { textBytes, cleaner }: Keeping): JsonObject {
  const known = kept.get(said);
  if (known?.textBytes === textBytes && known.cleaner === cleaner) return known.result;
  const result = cleaned(said, bytes, textBytes, cleaner.clean);
  kept.set(said, { textBytes, cleaner, result });
  return result;
}

/** A result without secrets, its texts no longer than allowed. */
function cleaned(said: Member, bytes: number, textBytes: number, clean: Cleaner['clean']): JsonObject {
  const blocks = blocksIn(said);
  const end = endOfTold(blocks, textBytes);
  const read = blocks.slice(0, endOfRead(blocks, end));
  const safe = clean(bounded(said, read, { bytes, textBytes })) as JsonObject;
  const told = listOf(safe['content'])
    .slice(0, end)
    .map((block, at) => shortened(block, textBytes, textOf(blocks[at])?.length));
  const more = blocks.length - end;
  return { ...safe, content: more === 0 ? told : [...told, { type: 'text', text: `… (${more} more)` }] };
}

/** Taking secrets out takes time: texts are cut before, and of an answer that is huge only its content is kept. */
function bounded(
  result: Member,
  blocks: readonly Json[],
  { bytes, textBytes }: { readonly bytes: number; readonly textBytes: number },
): Member {
  const content = blocks.map((block) => {
    const text = textOf(block);
    const read = toRead(text?.length ?? 0, textBytes);
    return text === undefined || read === text.length
      ? block
      : { ...(block as JsonObject), text: text.slice(0, read) };
  });
  if (bytes <= textBytes * 4) return { ...result, content };
  const kept = { content, isError: result['isError'] };
  const leftOut = Object.keys(result).filter((key) => !(key in kept));
  return leftOut.length === 0 ? kept : { ...kept, _meta: { [LEFT_OUT_KEY]: leftOut } };
}

/** So many times what one text may have, all of them may have together. */
const TOGETHER = 2;

/** How many blocks are told. */
function endOfTold(blocks: readonly Json[], textBytes: number): number {
  let told = 0;
  const end = blocks.findIndex((block) => {
    told += Math.min(textOf(block)?.length ?? 0, textBytes);
    return told > textBytes * TOGETHER;
  });
  return end < 0 ? blocks.length : end;
}

/** And how many are read for that: a secret may begin in the last that is told, and end in one that is not. */
function endOfRead(blocks: readonly Json[], end: number): number {
  let behind = 0;
  let at = end;
  for (; at < blocks.length && behind < SLACK; at += 1) behind += textOf(blocks[at])?.length ?? 1;
  return at;
}

function blocksIn(result: Member): readonly Json[] {
  return listOf(result['content'] as Json | undefined);
}

/** Our members stand over theirs of the same name, except where both are lists or bags. */
function keepResult(ours: JsonObject, theirs: JsonObject): JsonObject {
  // What `error` said is in the fault; left as it is, it would speak another dialect's codes.
  const { content, _meta, error: _error, ...rest } = theirs;
  return {
    ...rest,
    ...ours,
    content: [...listOf(ours['content']), ...novel(listOf(content), listOf(ours['content']), withoutAdvice)],
    ...((isObject(_meta) && Object.keys(_meta).length > 0) || isObject(ours['_meta'])
      ? { _meta: bothMetas(isObject(_meta) ? (_meta as JsonObject) : {}, ours['_meta'] as JsonObject) }
      : {}),
  };
}

/** Ours over theirs; under our own name stands what either has to say there. */
function bothMetas(theirs: JsonObject, ours: JsonObject | undefined): JsonObject {
  const [their, our] = [theirs[ERROR_KEY], ours?.[ERROR_KEY]];
  const both = { ...theirs, ...ours };
  return isObject(their) && isObject(our)
    ? { ...both, [ERROR_KEY]: { ...(their as JsonObject), ...(our as JsonObject) } }
    : both;
}

/**
 * Their blocks; the first text, where it stands in ours word for word, is not said twice. The others stay blocks of their
 * own, as somebody may read them one by one. `change` is made to those that are left.
 */
function novel(
  theirs: readonly Json[],
  ours: readonly Json[],
  change: (block: Json) => Json = (block) => block,
): readonly Json[] {
  const texts = ours.flatMap((block) => textOf(block)?.trim() ?? []);
  const first = theirs.findIndex((block) => (textOf(block) ?? '').trim() !== '');
  const isNovel = (block: Json, at: number): boolean => {
    const text = textOf(block)?.trim();
    if (text === undefined || text === '' || hasMore(block)) return true;
    return !(at === first ? texts.some((told) => told.includes(text)) : texts.includes(text));
  };
  return theirs.flatMap((block, at) => {
    const changed = change(block);
    return isNovel(block, at) && isNovel(changed, at) ? [changed] : [];
  });
}

function withoutAdvice(block: Json): Json {
  const text = textOf(block);
  return text === undefined ? block : { ...(block as JsonObject), text: withoutOwnAdvice(text) };
}

/** Is there more to a block than its text? */
function hasMore(block: Json): boolean {
  return isObject(block) && Object.keys(block).some((key) => key !== 'type' && key !== 'text');
}

/** A block that is clean, with as much of its text as is allowed; `length` is what the text had when it came. */
function shortened(block: Json, textBytes: number, length = textOf(block)?.length ?? 0): Json {
  const text = textOf(block);
  if (text === undefined || length <= textBytes) return block;
  const told = toTell(text, toRead(length, textBytes), textBytes);
  return { ...(block as JsonObject), text: `${told}\n… (${length - textBytes} more characters)` };
}

function textOf(block: Json | undefined): string | undefined {
  const text = isObject(block) ? block['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function keepData(ours: Json | undefined, theirs: Json): Json {
  if (!isObject(ours)) return ours ?? theirs;
  return { ...(isObject(theirs) ? (theirs as JsonObject) : { value: theirs }), ...(ours as JsonObject) };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function isObject(value: unknown): value is Member {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
