/** What two sides need of an error in place of a list to find common ground: that has to arrive, and tells of no item. */

import { isMembers, type Members } from '@mayday/relay';
import { isCodeOfNegotiation } from '../call/negotiation.ts';
import { decoded } from '../decoded.ts';
import type { MayName } from './denied-words.ts';
import { isInside } from './names-of-lists.ts';

/** Is this error one by which they agree? */
export function isAgreeing(error: unknown): error is Members {
  return isMembers(error) && typeof error['code'] === 'number' && isCodeOfNegotiation(error['code']);
}

/** The members of its data that hold what the specification has there, and nothing else. */
export function agreedIn({ data }: Members, mayName: MayName): Members {
  const members = isMembers(data) ? Object.entries(data) : [];
  return Object.fromEntries(members.filter(([name, value]) => NEEDED[name]?.(value, mayName) === true));
}

/** The same message without them: the rest of its data is as that of any other error. */
export function withoutAgreed(said: Members, agreed: Members): Members {
  const { error } = said;
  if (!isMembers(error) || !isMembers(error['data'])) return said;
  const rest = Object.entries(error['data']).filter(([name]) => !Object.hasOwn(agreed, name));
  return { ...said, error: { ...error, data: Object.fromEntries(rest) } };
}

/** Words in which methods and headers of the protocol, which look like names, are no names. */
export function inWordsOfProtocol(mayName: MayName): MayName {
  return (words) => mayName(words.replace(OF_PROTOCOL, ' '));
}

const OF_PROTOCOL =
  /(?<![\w/-])(?:Mcp-(?:Method|Name|Session-Id|Protocol-Version)|(?:tools|prompts|resources|resources\/templates)\/list)(?![\w/-])/gi;

type IsFit = (value: unknown, mayName: MayName) => boolean;

const isRevision: IsFit = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

const NEEDED: { readonly [member: string]: IsFit } = {
  supported: (value, mayName) => Array.isArray(value) && value.every((each) => isRevision(each, mayName)),
  requested: isRevision,
  requiredCapabilities: (value, mayName) =>
    isMembers(value) && Object.keys(value).every((key) => CAPABILITIES.has(key)) && !names(value, mayName),
  elicitations: (value, mayName) =>
    Array.isArray(value) && value.every((each) => isMembers(each) && isPage(each, mayName)),
};

const CAPABILITIES: ReadonlySet<string> = new Set(
  'elicitation sampling roots tasks extensions experimental'.split(' '),
);
/** Those of the specification, beside what extensions are called. */
const FEATURES: ReadonlySet<string> = new Set(
  'form url tools context list cancel requests create createMessage listChanged'.split(' '),
);

/** Is there anything in it but switches that are called as in the specification, or like nothing that is denied? */
function names(capabilities: Members, mayName: MayName): boolean {
  return isInside([capabilities], (member, key) => {
    if (typeof member === 'string' || Array.isArray(member)) return true;
    return key !== undefined && !isOfSpecification(key) && mayName(key);
  });
}

function isOfSpecification(key: string): boolean {
  return CAPABILITIES.has(key) || FEATURES.has(key) || /^io\.modelcontextprotocol\/[a-z]+$/.test(key);
}

const OF_PAGE: ReadonlySet<string> = new Set(['mode', 'url', 'message', 'elicitationId']);

/** A page to open, whose address and words name nothing. */
function isPage(page: Members, mayName: MayName): boolean {
  return Object.entries(page).every(
    ([key, value]) =>
      OF_PAGE.has(key) &&
      typeof value === 'string' &&
      (key === 'message'
        ? !mayName(value)
        : wordsOf(value).every((word) => isRandom(word) || !mayName(word))),
  );
}

function wordsOf(address: string): readonly string[] {
  return decoded(address).split(/[^\p{L}\p{N}_-]+/u);
}

/** Ids of pages are digits and letters that nothing is called by. */
function isRandom(word: string): boolean {
  return /^(?=.*\d)[\da-f-]{16,}$/i.test(word);
}
