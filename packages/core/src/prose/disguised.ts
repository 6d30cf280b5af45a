/** Failures that come as success: a result without `isError` whose text is an error. */
import { readBody, readProse } from './read-prose.ts';
import type { ProseReading } from './types.ts';

/** How a failing text opens. */
const OPENS =
  /^\s{0,8}(?:[^\w\s]{1,4}\s{0,4})?(?:\[?(?:mcp )?(?:error|fatal|failed|failure|exception|unable to|could not|cannot|can't|invalid|unauthorized|forbidden|traceback)\b|[\w.]{1,60}(?:Error|Exception)\b|error[\s:])/i;
const LINE_ERROR = /(?:^|\n)[^\n]{0,200}\b(?:Error|Exception)(?: -|:) /;
/** A success that tells a story is long; a failure is short. */
const LONG = 600;
/** A short text that reads as a failure has room for nothing else. */
const SHORT = 60;
/** Nothing found is an answer more often than a failure. */
const EMPTY = /^\s{0,8}(?:no|none|nothing|0)\b/i;

/** Is a success really a failure? With what probability, and which. */
export function detectDisguised(
  text: string,
  structured?: unknown,
): { readonly probability: number; readonly reading: ProseReading } | undefined {
  const body = structured ?? bodyOf(text);
  const inner = body === undefined ? undefined : wrapped(body);
  if (inner !== undefined) return detectDisguised(inner);
  if (body !== undefined) return ofBody(body);
  const reading = readProse(text);
  if (reading === undefined) return undefined;
  const opens = OPENS.test(text);
  let probability = reading.certainty;
  if (!opens) {
    if (text.length > LONG) probability *= 0.3;
    else if (EMPTY.test(text)) probability *= 0.5;
    else probability *= text.length < SHORT ? 0.85 : 0.62;
    if (LINE_ERROR.test(text.slice(0, 4096))) probability += 0.2;
  }
  return { probability: Math.min(0.99, Math.round(probability * 100) / 100), reading };
}

function bodyOf(text: string): unknown {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || text.length > 262_144) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A whole tool result, written into the text of another. */
function wrapped(body: unknown): string | undefined {
  const content = (body as { readonly content?: unknown } | null)?.content;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const text = (first as { readonly text?: unknown } | null | undefined)?.text;
  return typeof text === 'string' && text.length < LONG * 100 ? text : undefined;
}

const FLAGS: { readonly [key: string]: unknown } = {
  success: false,
  ok: false,
  isError: true,
  is_error: true,
};

function ofBody(body: unknown): { readonly probability: number; readonly reading: ProseReading } | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const bag = body as { readonly [key: string]: unknown };
  const flagged =
    Object.entries(FLAGS).some(([key, value]) => bag[key] === value) || bag['status'] === 'error';
  const error = bag['error'] ?? bag['errors'];
  const named = error !== undefined && error !== null && error !== false && error !== '' && !isEmpty(error);
  const reading = readBody(body) ?? (flagged || named ? UNKNOWN : undefined);
  if (reading === undefined) return undefined;
  if (!flagged && !named) return { probability: Math.min(0.3, reading.certainty * 0.3), reading };
  return { probability: named || flagged ? Math.max(0.8, reading.certainty) : 0.5, reading };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const UNKNOWN: ProseReading = {
  kind: 'unknown',
  certainty: 0.4,
  evidence: [{ by: 'disguise', says: 'the body names an error', kind: 'unknown' }],
};
