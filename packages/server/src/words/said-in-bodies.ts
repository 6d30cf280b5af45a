/**
 * What the body of an answer says in words, and of single fields: the sentence that an interface put there for people, and
 * whatever beside it says more of the same. All else that a body holds is nobody's to read.
 */
import type { Issue } from '@mayday/core';
import { look as lookAtWire } from '@mayday/core/dialects';
import { readUnstructured } from '@mayday/core/prose';
import { isRecord, lookOwn } from './look.ts';
import { isStatusAlone } from './status-phrases.ts';
import { saidInXml } from './xml-bodies.ts';

/** What a body says. */
export interface SaidInBody {
  readonly words: string | undefined;
  readonly issues: readonly Issue[];
}

const MOST = 10;
const MOST_MEMBERS = 50;
const DEEPEST = 5;
/** Longer texts in place of a body are pages and dumps. */
const LONGEST_TEXT = 500;

/** What a body says, as data or as the text that came; nothing where it is a validator's, whose judge knows more. */
export function saidIn(body: unknown): SaidInBody {
  if (typeof body === 'string') return { words: saidInXml(body) ?? plainText(body), issues: [] };
  const data = unwrapped(body);
  const issues = hasOtherPaths(data) ? [] : issuesIn(data, body);
  const ofFields = new Set(issues.map(({ message }) => message));
  return { words: wordsIn(data, DEEPEST, (text) => !ofFields.has(text)), issues };
}

const FILE = /^[^\s/][^\s]{0,300}\/[^\s/]{1,100}\.\w{1,5}$/;

/** Where GraphQL answers, paths lead into the query; in a list of results, to files. */
function hasOtherPaths(body: unknown): boolean {
  if (Array.isArray(body)) return body.some((one) => FILE.test(String(lookOwn(one, 'path'))));
  return isRecord(body) && Object.hasOwn(body, 'data') && Array.isArray(lookOwn(body, 'errors'));
}

function plainText(body: string): string | undefined {
  const text = body.trim();
  return text !== '' && text.length <= LONGEST_TEXT && !/[<>{}]/.test(text) ? text : undefined;
}

/** Members of names without case, `_`, `-` and the like. */
function membersOf(body: object): ReadonlyMap<string, unknown> {
  const names = Object.keys(body).slice(0, MOST_MEMBERS);
  return new Map(names.map((name) => [plain(name), lookOwn(body, name)]));
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z]/g, '').toLowerCase();
}

/** What stands alone around all that a body says. */
const ENVELOPES = words('error fault odataerror responsestatus');

function unwrapped(body: unknown): unknown {
  if (!isRecord(body) || Array.isArray(body)) return body;
  const [only, ...others] = membersOf(body);
  const isEnvelope = only !== undefined && others.length === 0 && ENVELOPES.includes(only[0]);
  return isEnvelope && isRecord(only[1]) ? only[1] : body;
}

/** Where interfaces put a sentence, best first: for people, for whoever calls, for want of one. */
const SENTENCES = words(
  'usermessage userpresentablemessage errorusermsg message msg errordescription errormessage errmsg errormsg resultmessage detail errordetail description faultstring errorsummary reason error err title',
);
/** And in which of its members, where that has one for each language. */
const TRANSLATED = words('value text translation');

/** Where they put what says more of the same: a list, or one within another. */
const MORE = words(
  'error errors err fault message messages errormessages detail details errordetails oerrordetails errorchain errorcauses causes rootcause issues fields violations fieldviolations validationerrors modelstate elements extensions responsemetadata responsestatus odataerror meta',
);

function words(list: string): readonly string[] {
  return list.split(' ');
}

/** What a body says in one sentence, of what may be said there. */
function wordsIn(body: unknown, depth: number, isOpen: (text: string) => boolean): string | undefined {
  if (isText(body)) return isOpen(body) ? body.trim() : undefined;
  if (!isRecord(body) || depth === 0) return undefined;
  if (Array.isArray(body)) return joined(body.map((one) => wordsIn(one, depth - 1, isOpen)));
  if (isComplaint(body) || (depth < DEEPEST && isForPrograms(body))) return undefined;
  const members = membersOf(body);
  const own = SENTENCES.map((name) => textIn(members.get(name))).filter(isText);
  // What a status or an error is called says less than anything else.
  const best = own.find(isSentence) ?? own.find((text) => !isStatusAlone(text)) ?? own[0];
  const first = best !== undefined && isOpen(best) ? best.trim() : undefined;
  const within = MORE.map((name) => members.get(name)).filter(isRecord);
  const said = within.map((one) => wordsIn(one, depth - 1, isOpen));
  const more = joined(said.filter((text) => text !== undefined && first?.includes(text) !== true));
  if (first === undefined || more === undefined) return first ?? more;
  if (!isSentence(more)) return isSentence(first) || !isStatusAlone(first) ? first : more;
  return isSentence(first) ? `${first.replace(/[.:;]$/, '')}: ${more}` : more;
}

function joined(said: readonly (string | undefined)[]): string | undefined {
  return [...new Set(said.filter(isText))].slice(0, MOST).join('; ') || undefined;
}

function textIn(member: unknown): unknown {
  return isRecord(member) ? TRANSLATED.map((name) => lookOwn(member, name)).find(isText) : member;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** More than a code, and more than what a status is called. */
function isSentence(text: string): boolean {
  return /\s/.test(text.trim()) && !isStatusAlone(text.trim());
}

/** Is it a validator's? */
export function isComplaint(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const isZods = isText(lookOwn(body, 'code')) && Array.isArray(lookOwn(body, 'path'));
  return isZods || ['instancePath', 'schemaPath', 'constraints'].some((name) => Object.hasOwn(body, name));
}

/** What was put there for those who wrote the backend. */
function isForPrograms(body: object): boolean {
  return [...membersOf(body)].some(
    ([name, value]) => /^stack/.test(name) || (isText(value) && /\bDebugInfo$/.test(value)),
  );
}

/** What is said of single fields, in whichever of the usual forms. */
function issuesIn(data: unknown, body: unknown): readonly Issue[] {
  const heard = [data, body]
    .map(
      (one) => readUnstructured(lookAtWire({ http: { status: 400, headers: {}, body: one } }))?.issues ?? [],
    )
    .find(({ length }) => length > 0);
  return heard ?? fieldsIn(data, DEEPEST);
}

/** Where fields stand by their names, each with its sentences. */
const FIELDS = words('message error fields modelstate details');

/** What is nothing but fields with complaints, as Django has it, or holds such a thing. */
function fieldsIn(body: unknown, depth: number): readonly Issue[] {
  if (!isRecord(body) || Array.isArray(body) || depth === 0) return [];
  const members = membersOf(body);
  const fields = Object.entries(body).slice(0, MOST_MEMBERS);
  if (fields.length > 0 && fields.every(([name, said]) => isTexts(said) && !MORE.includes(plain(name))))
    return fields.map(([field, said]) => ({ path: [field], message: (said as readonly string[]).join(' ') }));
  return FIELDS.map((name) => fieldsIn(members.get(name), depth - 1)).find(({ length }) => length > 0) ?? [];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
