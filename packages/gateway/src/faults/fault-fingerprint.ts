/** Which failures are the same one, met again. */
import type { Fault } from '@mayday/core';
import { sha256 } from '../sha256.ts';
import type { GroupRule } from './group-rules.ts';

/** Changes whenever the same failure gets another fingerprint: groups of two versions are never one. */
const VERSION = 3;

const LENGTH = 16;
/** What is looked at of a message, and what is kept of its template: a value may be long, and end elsewhere each time. */
const MAX_MESSAGE = 2000;
const MAX_TEMPLATE = 500;

const QUOTED = /"[^"]{1,200}"|`[^`]{1,200}`|“[^”]{1,200}”|(?<=^|[\s(:=])'[^']{1,200}'(?=$|[\s).,;:])/g;
/** What redaction has left in the place of something; the first of its kind in one text may be the second in another. */
const MARK = /\[([a-z_]{1,20}):\d{1,6}\]/g;
/** Also one with a mark in it: `http://[ip]:8080/`. */
const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:\[[^\]\s]{0,40}\]|[^\s)>\]])+/gi;
const HOST = /(?:\[ip\]|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?![\w.])/g;
const PATH = /(?<![\w<])(?:[a-z]:\\|~?\/)[^\s"'`<>(){},;:]*[\\/][^\s"'`<>(){},;:]*/gi;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const TIME = /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\w)/g;
/** Letters and digits together: `cus_9a8b7c`, `A-17`. */
const ID = /\b(?=[0-9a-z_-]*\d)(?=[0-9a-z_-]*[a-z])[0-9a-z]+(?:[_-][0-9a-z]+)*\b/gi;
const NUMBER =
  /(?<![\w.-])-?\d+(?:[.,:]\d+)*(?!\w)(?=(\s?(?:ms|s|sec|min|h|hours?|minutes?|seconds?|bytes|[kmg]i?b|items?|rows?|%))?)/gi;

/** Says which failure it is: an error code of JSON-RPC, or an HTTP status where one is spoken of. */
const CODE = /^-32\d{3}$/;
const STATUS = /^[45]\d\d$/;
const BEFORE_STATUS =
  /\b(?:https?|status|code|errors?|api|answer(?:ed)?|respon(?:se|ded)|returned|failed|with)[\s:=(["'#-]{0,4}$/i;
const AFTER_STATUS =
  /^\s?(?:$|[-:]?\s?(?:not found|unauthori[sz]ed|forbidden|bad (?:request|gateway)|internal|too many|service|conflict|unprocessable|gateway|method not|payment))/i;
const NEAR = 24;

/** The message without what differs from one time to the next: what is quoted, addresses, ids, times, numbers, and these names. */
export function messageTemplate(message: string, names: readonly string[] = []): string {
  let template = message.slice(0, MAX_MESSAGE);
  template = template.replace(MARK, '[$1]').replace(QUOTED, '<text>').replace(ADDRESS, '<url>');
  template = template.replace(HOST, '<host>').replace(PATH, '<path>');
  for (const name of names) template = withoutName(template, name);
  template = template.replace(UUID, '<id>').replace(TIME, '<time>').replace(ID, '<id>');
  template = template.replace(NUMBER, (said, unit, at: number) =>
    unit === undefined && isMeant(said, template, at) ? said : '<n>',
  );
  return template.slice(0, MAX_TEMPLATE);
}

function isMeant(said: string, text: string, at: number): boolean {
  if (CODE.test(said)) return true;
  if (!STATUS.test(said)) return false;
  const end = at + said.length;
  const before = text.slice(Math.max(0, at - NEAR), at);
  return at === 0 || BEFORE_STATUS.test(before) || AFTER_STATUS.test(text.slice(end, end + NEAR));
}

/** Takes out a name where it stands as a word of its own, as an id is; one letter is no name, and a number is taken out as one. */
function withoutName(text: string, name: string): string {
  if (name.length < 2 || /^\d+$/.test(name) || name.length > MAX_TEMPLATE || !text.includes(name))
    return text;
  const parts = text.split(name);
  return parts.reduce((before, after) => {
    const isPart = /[\p{L}\p{N}_]$/u.test(before.slice(-2)) || /^[\p{L}\p{N}_]/u.test(after);
    return `${before}${isPart ? name : '<id>'}${after}`;
  });
}

/** Which call it was. */
export interface FaultedCall {
  readonly upstream: string;
  /** The tool, the prompt or the resource, as far as it is known. */
  readonly target?: string | null | undefined;
  /** Who called, by name. */
  readonly caller?: string | null | undefined;
}

/** The same for failures of one kind, about one kind of thing, of one upstream, in the same words. */
export function faultFingerprint(
  { kind, subject, message }: Fault,
  { upstream, target }: FaultedCall,
): string {
  const names = [subject?.id, target].filter((name) => typeof name === 'string');
  return print([kind, subject?.type ?? '', upstream, messageTemplate(message, names)]);
}

/** The same for all failures that a rule fits, or for those of them that are alike in what it tells apart. */
export function ruledFingerprint({ name, by }: GroupRule, { kind }: Fault, call: FaultedCall): string {
  const told = { kind, ...call };
  return print(['rule', name, ...by.map((what) => `${what}=${told[what] ?? ''}`)]);
}

function print(parts: readonly string[]): string {
  return `${VERSION}.${sha256(parts.join('\0')).slice(0, LENGTH)}`;
}
