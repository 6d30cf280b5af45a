/** What a failure is about, when the text plainly names it. */
import type { ProseContext } from './types.ts';
import type { Finding } from './verdict.ts';

const NAMED =
  /\b(tool|prompt|resource|task|session|method)s?(?: (?:named|called|name|uri|id|with id))?[:\s]{1,3}(["'`]?)([\w:/.@-]{1,200})\2/gi;
const NOT_NAMES =
  /^(?:not|is|was|does|named|called|name|uri|id|with|type|found|unknown|execution|error|call|failed|for|in|or|and|no|could|cannot|has|type:?|:)$/i;

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
  if (context.code === undefined || subject !== undefined || text.length > SHORT) return finding;
  const isAbsent = kind === 'not_found' && status === undefined && /\bresource\b/i.test(text);
  const isNamed =
    (kind === 'not_found' || kind === 'invalid_arguments' || kind === 'unsupported') && OWN_SCHEME.test(text);
  return isAbsent || isNamed ? { ...finding, subject: { type: 'resource' } } : finding;
}

function idIn(text: string, type: string): string | undefined {
  NAMED.lastIndex = 0;
  for (let found = NAMED.exec(text); found !== null; found = NAMED.exec(text)) {
    const [, word = '', quote = '', id = ''] = found;
    if (word.toLowerCase() !== type) continue;
    const name = id.replace(/[.:]+$/, '');
    if (name !== '' && (quote !== '' || !NOT_NAMES.test(name))) return name;
  }
  return undefined;
}
