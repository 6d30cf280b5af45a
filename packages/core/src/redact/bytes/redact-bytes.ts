/** The blocks of what failed, whose bytes are looked at as what they are, and not as the letters that they are sent in. */
import { createEngine } from '../redactor.ts';
import { detect, type Engine } from '../text.ts';
import type { RedactOptions } from '../types.ts';
import { base64Of, bytesOf } from './base64.ts';
import { type Judge, safeBytes } from './safe-bytes.ts';

/** How a value with bytes in it is redacted. */
export interface BytesOptions {
  /** What becomes of bytes that are a text. */
  readonly asText: (text: string) => string;
  /** The options by which `asText` goes, for the texts in other bytes. */
  readonly redaction?: RedactOptions | undefined;
  /**
   * What becomes of other bytes, which are given as a letter each: as many letters. As the rules for what stands in such bytes
   * have it, if absent.
   */
  readonly asLetters?: ((letters: string) => string) | undefined;
}

type Members = { readonly [name: string]: unknown };

/** Deeper than anybody looks. */
const DEEPEST = 100;
/** No key is as long, and no number in it: such base64 is what it says, and holds words by chance alone. */
const SHORTEST_BYTES = 257;
const BASE64 = /^[A-Za-z\d+/\s]+(?:={1,2}\s*)?$/;
const PLACE = /^bytes ([1-9]\d{0,9})$/;

/**
 * Plain data as `redact` leaves it, with the bytes of its blocks as they may leave: `blob`, and `data` beside a `type` or a
 * `mimeType`. While `redact` is at work, something short stands in their place. The same reference where all stays as it is.
 */
export function redactBytes<T>(value: T, redact: (value: T) => T, options: BytesOptions): T {
  if (typeof value !== 'object' || value === null) return redact(value);
  const held: string[] = [];
  const judge = judgeBy(options);
  let isSafe = true;
  const without = inBlocks(value, DEEPEST, (block, name) => {
    const safe = withSafeBytes(block, name, judge);
    isSafe &&= safe === block;
    const encoded = safe[name];
    if (typeof encoded !== 'string' || encoded.length < SHORTEST_BYTES || !BASE64.test(encoded)) return safe;
    return { ...safe, [name]: `bytes ${held.push(encoded)}` };
  });
  const redacted = redact(without as T);
  if (held.length === 0) return redacted;
  if (isSafe && redacted === without) return value;
  const whole = inBlocks(redacted, DEEPEST, (block, name) => {
    const encoded = held[Number(PLACE.exec(String(block[name]))?.[1]) - 1];
    return encoded === undefined ? block : { ...block, [name]: encoded };
  });
  return whole as T;
}

function judgeBy({ asText, asLetters, redaction }: BytesOptions): Judge {
  let engine: Engine | undefined;
  return {
    asText,
    asLetters,
    find(text) {
      engine ??= inBytes(createEngine({ ...redaction, level: 'secrets' }));
      return detect(engine, text);
    },
  };
}

function inBytes(engine: Engine): Engine {
  return { ...engine, switches: { ...engine.switches, isInBytes: true } };
}

/** The same with each block that holds bytes as `change` leaves it; the same reference where it leaves all as they are. */
function inBlocks(value: unknown, depth: number, change: (block: Members, name: string) => Members): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => inBlocks(item, depth - 1, change));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const inside = Object.entries(value).map(
    ([name, member]) => [name, inBlocks(member, depth - 1, change)] as const,
  );
  const isSame = inside.every(([name, member]) => member === (value as Members)[name]);
  const members = isSame ? (value as Members) : (Object.fromEntries(inside) as Members);
  return ['blob', 'data'].reduce(
    (block, name) => (isBytes(block, name) ? change(block, name) : block),
    members,
  );
}

function isBytes(block: Members, name: string): boolean {
  if (typeof block[name] !== 'string') return false;
  return name === 'blob' || typeof block['type'] === 'string' || typeof block['mimeType'] === 'string';
}

function withSafeBytes(block: Members, name: string, judge: Judge): Members {
  const mimeType = typeof block['mimeType'] === 'string' ? block['mimeType'] : undefined;
  const safe = safeBytes(bytesOf(String(block[name])), mimeType, judge);
  if (safe === undefined) return block;
  if (safe === 'unread') return leftOut(block, name);
  const named = safe.mimeType === mimeType ? block : { ...block, mimeType: safe.mimeType };
  return { ...named, [name]: base64Of(safe.bytes) };
}

const LEFT_OUT = '[left out: more text stands in these bytes than is read for secrets]';

/** What was not read does not leave; a text in its place says why. */
function leftOut(block: Members, bytes: string): Members {
  if (bytes === 'data') return { type: 'text', text: LEFT_OUT };
  const rest = Object.entries(block).map(([name, member]) => {
    if (name === bytes) return ['text', LEFT_OUT] as const;
    return [name, name === 'mimeType' ? 'text/plain' : member] as const;
  });
  return Object.fromEntries(rest);
}
