/**
 * What an author returned as a failure, as it may leave: all of it, as plain data, without secrets, and with
 * an end to every text, a text in base64 as well. Pictures and sounds are not text, and stay to the byte.
 */
import { redact } from '@mayday/core/redact';
import type { Settings } from '../options.ts';
import { clip } from '../words/clip.ts';
import { shortValue } from './short-members.ts';
import { textInBase64 } from './text-in-base64.ts';

type Members = { readonly [key: string]: unknown };

/** Members whose strings are bytes of something that is no text. */
const BINARY: readonly string[] = ['data', 'blob'];

/** How much of it may leave. */
export type SafeOptions = Pick<Settings, 'maxTextLength' | 'redaction'>;

/** The same result, safe to send. */
export function safeResult(result: Members | undefined, options: SafeOptions): Members {
  const { redaction } = options;
  const plain = withShortMembers(asPlain(result), options);
  const content = plain['content'];
  if (!Array.isArray(content)) return redact(plain, redaction).value;
  const bytes = content.map((block) => takeBytes(block, options));
  const isFailing = plain['isError'] === true;
  const shortened = content.map((block, at) => shorten(withoutBytes(block, bytes[at]), options, isFailing));
  const safe = redact({ ...plain, content: shortened }, redaction).value;
  return { ...safe, content: safe.content.map((block, at) => withBytes(block, bytes[at])) };
}

/** Of a failure, what stands beside its content has an end too. */
function withShortMembers(plain: Members, options: SafeOptions): Members {
  if (plain['isError'] !== true) return plain;
  return shortBeside('content', plain, options);
}

/** What would be sent: `toJSON`, boxed strings and getters are asked now, before redaction. */
function asPlain(result: Members | undefined): Members {
  try {
    return JSON.parse(JSON.stringify(result ?? {})) as Members;
  } catch {
    return {}; // it could not have been sent either
  }
}

interface Bytes {
  /** The resource's own member, or the block's. */
  readonly inside: boolean;
  readonly key: string;
  readonly value: string;
}

/** Bytes, as they may leave: those of a text are read, whatever they are declared as; others stay to the byte. */
function takeBytes(block: unknown, options: SafeOptions): Bytes | undefined {
  const inside = (block as Members | null)?.['type'] === 'resource';
  const holder = (inside ? (block as Members)['resource'] : block) as Members | null;
  if (typeof holder !== 'object' || holder === null) return undefined;
  const key = BINARY.find((name) => typeof holder[name] === 'string');
  if (key === undefined) return undefined;
  const mimeType = holder['mimeType'];
  const value = holder[key] as string;
  const text = textInBase64(value, typeof mimeType === 'string' ? mimeType : undefined);
  if (text === undefined) return { inside, key, value };
  const safe = cut(text, options);
  return { inside, key, value: safe === text ? value : Buffer.from(safe).toString('base64') };
}

function withoutBytes(block: unknown, bytes: Bytes | undefined): unknown {
  return bytes === undefined ? block : put(block as Members, bytes, '');
}

function withBytes(block: unknown, bytes: Bytes | undefined): unknown {
  return bytes === undefined ? block : put(block as Members, bytes, bytes.value);
}

function put(block: Members, { inside, key }: Bytes, value: string): Members {
  if (!inside) return { ...block, [key]: value };
  return { ...block, resource: { ...(block['resource'] as Members), [key]: value } };
}

/** The same, with an end to all of its members but one. */
function shortBeside(own: string, members: Members, options: SafeOptions): Members {
  const limits = { maxTextLength: options.maxTextLength, cut: (text: string) => cut(text, options) };
  const short = Object.entries(members).map(
    ([name, value]) => [name, name === own ? value : shortValue(value, limits)] as const,
  );
  return Object.fromEntries(short);
}

/** A block with an end to its text; where it is part of a failure, to its other members as well. */
function shorten(block: unknown, options: SafeOptions, isFailing: boolean): unknown {
  if (typeof block !== 'object' || block === null) return block;
  const members = isFailing ? shortBeside('text', block as Members, options) : (block as Members);
  const { text } = members;
  return typeof text === 'string' ? { ...members, text: shortened(text, options) } : members;
}

/** What is not cut is redacted with what stands beside it: a secret may go on in the next block. */
function shortened(text: string, options: SafeOptions): string {
  return text.length > options.maxTextLength ? cut(text, options) : clip(text, text.length, (whole) => whole);
}

function cut(text: string, { maxTextLength, redaction }: SafeOptions): string {
  return clip(text, maxTextLength, (part) => redact(part, redaction).value);
}
