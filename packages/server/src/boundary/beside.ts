/**
 * Our words beside the author's. An error result that the author wrote keeps its content, structured content
 * and meta; the fault that it was read as is added to it, never put in its place.
 */
import { type Fault, type JsonObject, KINDS, type Reaction, toDocument } from '@mayday/core';
import { ERROR_KEY, FAULT_KEY } from '@mayday/core/protocol';
import { adviceFor, CAUTION } from '@mayday/core/render';
import type { Message } from '../shapes.ts';
import { hasClaims } from './claims.ts';
import { type SafeOptions, safeResult } from './safe-result.ts';

type Members = { readonly [key: string]: unknown };

/** How the author's result is completed. */
export interface BesideOptions {
  /** What was said was understood, so advice can be given. */
  readonly advised: boolean;
  /** Where the author says nothing in words, the dialect has nothing to say in their place. */
  readonly keepsContent: boolean;
  readonly structuredContent: boolean;
  readonly safe: SafeOptions;
}

/** The author's answer with what a dialect has to say about it. */
export function beside(written: Message, said: Message, fault: Fault, options: BesideOptions): Message {
  const own = safeResult(said.result, options.safe);
  if (written.result === undefined) return inData(written, own);
  const { content: ours, structuredContent, _meta, resultType: _stamp, ...members } = written.result;
  const result: { [key: string]: unknown } = { ...own, ...members };
  const theirs = blocksOf(own['content']);
  // What programs read in them is read at its place: nothing is added to the author's blocks.
  const isAuthors = theirs.length > 0 || (options.keepsContent && said.result !== undefined);
  result['content'] = isAuthors ? [...theirs, ...advice(fault, theirs, options.advised)] : blocksOf(ours);
  const structured = own['structuredContent'] ?? structuredContent;
  if (structured !== undefined && options.structuredContent) result['structuredContent'] = structured;
  else if (structured !== undefined) moveToText(result, structured);
  const meta = metaOf(own['_meta'] as Members | undefined, _meta as Members | undefined, fault);
  if (Object.keys(meta).length > 0) result['_meta'] = meta;
  return { ...written, result };
}

/** What somebody else declared stays beside what we know; where we would say nothing, our document corrects it. */
function metaOf(theirs: Members | undefined, ours: Members | undefined, fault: Fault): Members {
  const corrected = hasClaims(theirs) ? { [FAULT_KEY]: toDocument(fault) } : undefined;
  return { ...theirs, ...corrected, ...ours };
}

function blocksOf(content: unknown): readonly Members[] {
  return Array.isArray(content) ? content : [];
}

function advice(fault: Fault, said: readonly Members[], advised: boolean): readonly Members[] {
  const text = advised ? adviceFor(fault) : warning(fault);
  const told = said.some((block) => typeof block['text'] === 'string' && block['text'].includes(text));
  return text === '' || told ? [] : [{ type: 'text', text }];
}

const PASSING: ReadonlySet<Reaction> = new Set<Reaction>(['retryable', 'dependency']);

/** However little is understood of what may pass: whoever calls again has to know that a change may have been made. */
function warning({ kind, advice: given = '' }: Fault): string {
  return PASSING.has(KINDS[kind].reaction) && /may have happened/i.test(given) ? CAUTION : '';
}

/** SDK v1 clients throw at structured content of a failing tool with an output schema, so it becomes text. */
function moveToText(result: { [key: string]: unknown }, structured: unknown): void {
  delete result['structuredContent'];
  const text = JSON.stringify(structured);
  const content = blocksOf(result['content']);
  if (!content.some((block) => block['text'] === text))
    result['content'] = [...content, { type: 'text', text }];
}

/** A protocol error has words only; what the author said beyond them goes into its data, under our name. */
function inData(written: Message, own: Members): Message {
  const more: { [key: string]: unknown } = {};
  const blocks = blocksOf(own['content']).filter((block) => block['type'] !== 'text');
  if (blocks.length > 0) more['content'] = blocks;
  if (own['structuredContent'] !== undefined) more['structuredContent'] = own['structuredContent'];
  const { error } = written;
  const data = error?.data as JsonObject | string | undefined;
  if (error === undefined || Object.keys(more).length === 0 || typeof data === 'string') return written;
  const rest = { ...(data?.[ERROR_KEY] as Members | undefined), ...more };
  return { ...written, error: { ...error, data: { ...data, [ERROR_KEY]: rest } } };
}
