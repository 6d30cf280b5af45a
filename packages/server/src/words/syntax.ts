/**
 * Complaints of a parser, with the place where it stumbled. The proof is what was sent: a text that has such a place, with
 * the sign there that the complaint quotes, or that is an expression by the name of its argument.
 */
import { isRecord } from './look.ts';

/** How parsers begin: with what they met, or what they wanted in its place. */
const COMPLAINT =
  /\b(?:unexpected|expected|expecting|unterminated|unclosed|unbalanced|unmatched|missing|dangling|illegal|invalid|unknown|undefined|unrecogni[sz]ed|syntax|parse|parsing|not allowed here)\b/i;
/** Where: a letter, or a line with a column. */
const AT = /(?:\(|\bat |\bin )?\b(?:char(?:acter)?|position|pos|offset|col(?:umn)?|index)\.? (\d{1,6})\b/i;
const LINE = /\bline:? (\d{1,5})\b/i;
/** What it met. What it expected is not there. */
const MET =
  /\bunexpected (?:operator |token |character |symbol |identifier |input |string )?(?:(["'`])(.{1,20}?)\1|([^\sA-Za-z]{1,3}|[A-Za-z_]\w{0,40}(?= (?:at|in|on|\()))(?=$|[\s,;.(]))|\b(?:unknown|undefined|unrecogni[sz]ed) (?:symbol|function|variable|identifier|token|operator) ["'`]?([\w$]{1,60})/i;
/** What is met where nothing follows, and no sign of a text. */
const NO_SIGN = /^(?:end|eof|eol|of|token|operator|character|symbol|identifier|input|string)$/i;
/** Arguments that hold something to be parsed. */
const PARSED =
  /expr|formula|equation|query|filter|where|condition|rule|pattern|regex|glob|selector|xpath|template|diagram|mermaid|graph|chart|json|ya?ml|toml|xml|html|css|csv|sql|cypher|sparql|jq|code|script|source|snippet|program|schema|grammar|markdown|latex|cron|schedule|patch|diff|document|config|manifest|content|body|input/i;
const LONGEST_COMPLAINT = 300;
const LONGEST_SENT = 100_000;

/** Is it over a text that the caller sent? */
export function isOverSyntax(message: string, sent: unknown): boolean {
  if (message.length > LONGEST_COMPLAINT || !COMPLAINT.test(message) || !isRecord(sent)) return false;
  const at = AT.exec(message)?.[1];
  const line = LINE.exec(message)?.[1];
  if ((at ?? line) === undefined || isOverOwnFile(message, sent)) return false;
  const met = signIn(message);
  return Object.entries(sent).some(([name, text]) => {
    if (typeof text !== 'string' || text.length > LONGEST_SENT || !hasPlace(text, at, line)) return false;
    if (OF_JSON.test(message) && !isNoJson(text)) return false;
    return met === undefined ? PARSED.test(name) : isMetIn(text, met, line === undefined ? at : undefined);
  });
}

const OF_JSON = /\bJSON\b/;

/** Of what is sound, or was never meant as JSON, no parser of JSON complains. */
function isNoJson(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return /^\s*[[{"]/.test(text);
  }
}

function signIn(message: string): string | undefined {
  const [, , quoted, bare, named] = MET.exec(message) ?? [];
  const sign = quoted ?? bare ?? named;
  return sign === undefined || NO_SIGN.test(sign) ? undefined : sign;
}

/** The end of a text is a place as well, and some count from one. */
function hasPlace(text: string, at: string | undefined, line: string | undefined): boolean {
  if (line === undefined) return Number(at) <= text.length + 1;
  return Number(line) <= text.split('\n').length;
}

/** How far a parser may be from what it quotes: it counts from nought or from one, and may have read on. */
const NEAR = 2;

function isMetIn(text: string, sign: string, at: string | undefined): boolean {
  if (at === undefined) return text.includes(sign);
  const found = text.indexOf(sign, Math.max(0, Number(at) - 1 - NEAR));
  return found >= 0 && found <= Number(at) + NEAR;
}

/** Files that programs are set up by. */
const SETTINGS =
  /\b(?:in|of|from|at|parse|load|read) ["'`]?((?:[\w.-]*\/)*[\w-][\w.-]*\.(?:ya?ml|json5?|jsonc|toml|ini|conf|cfg|env|properties))\b/i;

/** Does a parser complain of such a file, and no argument names it? */
export function isOverOwnFile(message: string, sent: unknown): boolean {
  if (message.length > LONGEST_COMPLAINT || !COMPLAINT.test(message)) return false;
  const file = SETTINGS.exec(message)?.[1]?.split('/').at(-1);
  return file !== undefined && !(JSON.stringify(sent ?? '') ?? '').includes(file);
}
