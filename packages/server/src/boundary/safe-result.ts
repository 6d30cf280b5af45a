/**
 * What an author returned as a failure, as it may leave: all of it, as plain data, without secrets, and with
 * an end to every text, a text in base64 as well. Pictures and sounds are not text, and stay to the byte.
 */
import { redact, redactBytes } from '@mayday/core/redact';
import type { Settings } from '../options.ts';
import { clip } from '../words/clip.ts';
import { shortValue } from './short-members.ts';

type Members = { readonly [key: string]: unknown };

/** How much of it may leave. */
export type SafeOptions = Pick<Settings, 'maxTextLength' | 'redaction'>;

/** The same result, safe to send. */
export function safeResult(result: Members | undefined, options: SafeOptions): Members {
  const { redaction } = options;
  const asText = (text: string): string => cut(text, options);
  return redactBytes(asPlain(result), (plain) => redact(short(plain, options), redaction).value, {
    asText,
    redaction,
  });
}

/** The result with an end to each of its texts. */
function short(result: Members, options: SafeOptions): Members {
  const plain = withShortMembers(result, options);
  const content = plain['content'];
  if (!Array.isArray(content)) return plain;
  const isFailing = plain['isError'] === true;
  return { ...plain, content: content.map((block) => shorten(block, options, isFailing)) };
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
