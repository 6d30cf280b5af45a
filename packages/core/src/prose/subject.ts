/** What a failure is about, when the text plainly names it. */
import type { Kind } from '../kinds.ts';
import type { ProseContext } from './types.ts';
import type { Finding } from './verdict.ts';

const NAMED =
  /\b(tool|prompt|resource|task|session|method)s?(?: (?:named|called|name|uri|id|with id))?[:\s]{1,3}(["'`]?)([\w:/.@-]{1,200})\2/gi;
/** Said of it first, and named then. */
const BEHIND =
  /\b(tool|prompt|resource|task|session|method) (?:(?:is |was )?(?:not|un)[ -]?(?:found|known|registered|recogni[sz]ed|supported|available|defined)|(?:does not|doesn['’]t) exist): ["'`]?([\w:/.@-]{1,200}[\w/@-])["'`]?(?=[.!,;]?(?:$|\n)|[.!,;] | \(|["\\])/i;
const NOT_NAMES =
  /^(?:not|is|was|does|named|called|name|uri|id|with|type|found|unknown|execution|error|call|failed|for|in|or|and|no|could|cannot|has|type:?|:|provided|supplied|given|specified|sent|missing|required|expired|invalid|header|handler|lookup)$/i;

/** Adds the identifier to a finding's subject. */
export function withId(finding: Finding, text: string, context: ProseContext): Finding {
  const { subject } = finding;
  if (subject === undefined || subject.id !== undefined) return finding;
  const id =
    idIn(text.length > 2048 ? text.slice(0, 2048) : text, subject.type) ??
    (subject.type === 'tool' ? context.tool : undefined);
  return id === undefined ? finding : { ...finding, subject: { type: subject.type, id } };
}

/** A scheme of a server's own; pages and files are anybody's. */
const OWN_SCHEME = /(?:^|[\s"'`(<:])(?!https?:|file:|wss?:|data:)[a-z][\w+.-]{1,30}:\/\//i;
const SHORT = 200;

/** Outside of tools, what a server names by a URI of its own is a resource, and so is what it calls one. */
export function ofProtocol(finding: Finding, text: string, context: ProseContext): Finding {
  const { kind, subject, status } = finding;
  if (subject !== undefined && isOfOther(text.slice(0, SHORT), subject.type))
    return { ...finding, subject: undefined };
  if (
    context.code !== undefined &&
    subject === undefined &&
    OF_SESSION.has(kind) &&
    SESSION.test(text.slice(0, SHORT))
  )
    return { ...finding, subject: { type: 'session' } };
  if (context.code === undefined || subject !== undefined || text.length > SHORT) return finding;
  const isAbsent = kind === 'not_found' && status === undefined && /\bresource\b/i.test(text);
  const isNamed =
    (kind === 'not_found' || kind === 'invalid_arguments' || kind === 'unsupported') && OWN_SCHEME.test(text);
  return isAbsent || isNamed ? { ...finding, subject: { type: 'resource' } } : finding;
}

/** What is said of a session outside of tools is said of that of the protocol. */
const OF_SESSION: ReadonlySet<Kind> = new Set<Kind>(['expired', 'not_ready', 'not_found']);
const SESSION =
  /\b(?:no valid |invalid |unknown |missing )?session\b(?! ?(?:notes?|data|log|key|cookie|storage))/i;

/** "Task list", "session notes for", "tool shed item": the word of the protocol is the first of a name for something else. */
function isOfOther(text: string, type: string): boolean {
  OTHER.lastIndex = 0;
  for (let found = OTHER.exec(text); found !== null; found = OTHER.exec(text)) {
    const [, word = '', name = ''] = found;
    if (word.toLowerCase() === type && !NOT_NAMES.test(name)) return true;
  }
  return false;
}

const OTHER =
  /\b(tool|prompt|resource|task|session)s? ([a-z]{2,20}) (?:["'`#]|\d|(?:for|of|item|with id|number|named|called)\b)/gi;

/** The revision that was asked for; those that would do stand behind other words. */
const VERSION = /\bprotocol[ -]?version\b[: ("'`]{1,3}(\d[\w.-]{0,30})/i;

function idIn(text: string, type: string): string | undefined {
  if (type === 'protocol_version') return VERSION.exec(text)?.[1];
  const behind = BEHIND.exec(text);
  if (behind?.[1]?.toLowerCase() === type) return behind[2];
  NAMED.lastIndex = 0;
  for (let found = NAMED.exec(text); found !== null; found = NAMED.exec(text)) {
    const [, word = '', quote = '', id = ''] = found;
    if (word.toLowerCase() !== type) continue;
    const name = id.replace(/[.:]+$/, '');
    if (name !== '' && (quote !== '' || !NOT_NAMES.test(name))) return name;
  }
  return undefined;
}
