/**
 * Dumps in an exception's words. Some clients put all that was asked and answered behind their sentence, and mappers what
 * they looked for. The sentence is for the caller; of the rest, only what the caller sent itself.
 */
import { bodiesOf, isBodyAlone } from './bodies.ts';
import { inWords } from './bodies-in-words.ts';
import { isRecord, look } from './look.ts';
import { isAsserted } from './operator.ts';
import { textsIn } from './sent.ts';

/** The same exception with its sentence alone; itself where there is no more. */
export function undumped(reason: unknown, sent: unknown): unknown {
  const texts = new Set(textsIn(sent));
  const isSent = (body: unknown): boolean => textsIn(body).every((text) => texts.has(text));
  if (typeof reason === 'string') return withoutDump(inWords(reason, isSent), sent);
  const message = look(reason, 'message');
  if (!isRecord(reason) || typeof message !== 'string') return reason;
  const isRead = isOfClient(reason) && (isBodyAlone(message) || bodiesOf(reason).some(isThere));
  const own = isAsserted(reason) ? (message.split(COMPARED)[0] ?? '') : message;
  const plain = withoutDump(isRead ? own : inWords(own, isSent), sent);
  if (plain === message) return reason;
  try {
    const members = Object.getOwnPropertyDescriptors(reason);
    const told = { value: plain, enumerable: false };
    return Object.create(Object.getPrototypeOf(reason), { ...members, message: told });
  } catch {
    return new Error(plain); // what does not let itself be copied has no more to say
  }
}

/** Behind its author's sentence, an assertion shows what was compared: one of them is the server's. */
const COMPARED = /\n\n|\n\+ actual - expected/;

/** Where a client has kept the answer itself, that is read; one that was thrown with its status alone stands in the words. */
function isOfClient(reason: unknown): boolean {
  return ['response', 'status', 'statusCode', 'body'].some((name) => look(reason, name) !== undefined);
}

function isThere(body: unknown): boolean {
  return body !== undefined && body !== null && body !== '';
}

/** Words without such dumps. */
export function withoutDump(words: string, sent: unknown): string {
  const told: string[] = [];
  let [last, to] = [0, 0];
  let first: string | undefined;
  for (const { index, 0: sign } of words.matchAll(BEGINS)) {
    const from = index + sign.length;
    // One within another is part of it.
    if (from < to) continue;
    to = endOf(words, from);
    const dump = words.slice(from, to);
    const before = words.slice(last, from);
    if (EXCHANGE.test(dump)) {
      told.push(unglued(before));
      first ??= dump;
      last = to;
    } else if (LOOKED_FOR.test(before.slice(-LONGEST_BEFORE)) && !isOf(dump, sent))
      return [...told, unglued(unglued(before).replace(CRITERIA, ''))].join('').trim();
  }
  if (first === undefined) return words;
  const rest = told.join('') + words.slice(last);
  return /[a-z]{2}/i.test(rest) ? rest.trim() : sentenceIn(first);
}

const LONGEST_BEFORE = 500;

/** An object begins: not in the middle of a word or a template. */
const BEGINS = /(?:^|[\s:("'`[])(?=\{\s*(?:["']?[A-Za-z_$][\w$.-]{0,60}["']?\s*:|$))/g;
const LOOKED_FOR =
  /\b(?:not found|no \w{1,60} found|(?:could not|cannot|can't|unable to) find|does(?: not|n't) exist)\b/i;
const CRITERIA = /\b(?:matching|(?:for|with|by)(?: (?:the )?(?:query|criteria|filter|conditions?|where))?)$/i;

/** Without what leads over to something: a colon, a bracket, a quote that opens. */
function unglued(text: string): string {
  let end = text.length;
  while (end > 0 && (/[\s:(-]/.test(text[end - 1] as string) || isOpening(text, end - 1))) end -= 1;
  return text.slice(0, end);
}

function isOpening(text: string, at: number): boolean {
  return /["'`]/.test(text[at] as string) && /^[\s(]?$/.test(text[at - 1] ?? '');
}

/** Where it ends: behind its last brace, or with the words where they are cut off. */
function endOf(words: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < words.length; at += 1) {
    const sign = words[at] as string;
    if (sign === '\\') at += 1;
    else if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return words.length;
}

/** Members that only an exchange has, each with more behind it. */
const EXCHANGE =
  /["']?\b(?:request|response|config|headers|variables|(?:request|response)Headers|rawHeaders|requestBody)["']?\s*:\s*(?:\{|\[|<ref|[A-Z]\w*[ {]|"\{)/;

/** What a dump that stands alone says in words. */
function sentenceIn(dump: string): string {
  try {
    const message = look(JSON.parse(dump), 'message');
    return typeof message === 'string' ? message : '';
  } catch {
    return ''; // cut off, or no JSON
  }
}

const PAIR = /[\w$"'.-]\s*:\s*(?:"([^"\n]{0,1000})"|'([^'\n]{0,1000})'|([^\s,{}[\]"']{1,100}))/g;

/** Has the caller sent each value in it? */
function isOf(dump: string, sent: unknown): boolean {
  const texts = new Set(textsIn(sent));
  const values = [...dump.matchAll(PAIR)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
  return values.every((value) => texts.has(value));
}
