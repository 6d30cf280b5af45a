/**
 * Nothing a server said is lost: its content blocks, structured content, meta and data stay whole beside our words,
 * redacted. We add, we do not exchange.
 */

import type { Json, JsonObject } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import { LEFT_OUT_KEY } from '@mayday/core/protocol';
import { redact } from '@mayday/core/redact';
import type { Said } from '@mayday/relay';

type Member = { readonly [key: string]: unknown };

/** The answer with everything in it that the server had to say. */
export function keepWhatWasSaid(wire: JsonRpcWire, said: Said | undefined, textBytes: number): JsonRpcWire {
  if (said?.type !== 'message' || !isObject(said.message)) return wire;
  const { result, error } = said.message;
  if (wire.result !== undefined && isObject(result)) {
    return { ...wire, result: keepResult(wire.result, keptOf(result, said.bytes.length, textBytes)) };
  }
  if (wire.error !== undefined && isObject(error) && error['data'] !== undefined) {
    const data = keepData(wire.error.data, safe({ data: error['data'] })['data'] as Json);
    return { ...wire, error: { ...wire.error, data } };
  }
  return wire;
}

interface Kept {
  readonly textBytes: number;
  readonly result: JsonObject;
}

/** By the result that a server said: one that it repeats is the same each time. */
const kept = new WeakMap<Member, Kept>();

function keptOf(said: Member, bytes: number, textBytes: number): JsonObject {
  const known = kept.get(said);
  if (known?.textBytes === textBytes) return known.result;
  const result = safe(bounded(said, bytes, textBytes));
  kept.set(said, { textBytes, result });
  return result;
}

/** What an API said beside the sentence that was found in it; a page for people is none of it. */
export function keepBody(wire: JsonRpcWire, original: Buffer, textBytes: number): JsonRpcWire {
  const text = original.toString('utf8', 0, textBytes).trim();
  if (wire.result === undefined || !/^[[{]/.test(text)) return wire;
  const theirs = safe({ content: [{ type: 'text', text }] });
  return { ...wire, result: keepResult(wire.result, theirs) };
}

/** Taking secrets out takes time: texts are cut before, and of an answer that is huge only its content is kept. */
function bounded(result: Member, bytes: number, textBytes: number): Member {
  const content = listOf(result['content'] as Json | undefined).map((block) => shortened(block, textBytes));
  if (bytes <= textBytes * 4) return { ...result, content };
  const kept = { content, isError: result['isError'] };
  return { ...kept, _meta: { [LEFT_OUT_KEY]: Object.keys(result).filter((key) => !(key in kept)) } };
}

function safe(value: Member): JsonObject {
  return redact(value).value as JsonObject;
}

/** Our members stand over theirs of the same name, except where both are lists or bags. */
function keepResult(ours: JsonObject, theirs: JsonObject): JsonObject {
  // What `error` said is in the fault; left as it is, it would speak another dialect's codes.
  const { content, _meta, error: _error, ...rest } = theirs;
  return {
    ...rest,
    ...ours,
    content: [...listOf(ours['content']), ...novel(listOf(content), listOf(ours['content']))],
    ...(isObject(_meta) || isObject(ours['_meta'])
      ? { _meta: { ...(isObject(_meta) ? (_meta as JsonObject) : {}), ...(ours['_meta'] as JsonObject) } }
      : {}),
  };
}

/** Their blocks; a text that stands in ours word for word is not said twice. */
function novel(theirs: readonly Json[], ours: readonly Json[]): readonly Json[] {
  const said = ours.map(textOf).join('\n');
  return theirs.filter((block) => {
    const text = textOf(block);
    return text === undefined || text.trim() === '' || hasMore(block) || !said.includes(text.trim());
  });
}

/** Is there more to a block than its text? */
function hasMore(block: Json): boolean {
  return isObject(block) && Object.keys(block).some((key) => key !== 'type' && key !== 'text');
}

function shortened(block: Json, textBytes: number): Json {
  const text = textOf(block);
  if (text === undefined || text.length <= textBytes) return block;
  const left = text.length - textBytes;
  return { ...(block as JsonObject), text: `${text.slice(0, textBytes)}\n… (${left} more characters)` };
}

function textOf(block: Json): string | undefined {
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
