/**
 * Answers of a backend that an author has put into the words of an exception as they came, JSON or an envelope of SOAP.
 * What they say is for the caller; all that they hold beside it is not.
 */
import { bodyInWords, LONGEST_BODY } from './bodies.ts';
import { issuesIn, listed } from './body-fields.ts';
import { isRecord, lookOwn } from './look.ts';
import { isPage } from './server-addresses.ts';
import { isStatusAlone } from './status-phrases.ts';

const MOST = 10;
const DEEPEST = 3;

/** The words with what such an answer says in its place; the same where there is none. `isSent` knows what the caller wrote. */
export function inWords(text: string, isSent: (json: string) => boolean, depth: number = DEEPEST): string {
  if (text.length > LONGEST_BODY || depth === 0) return text;
  const found = bodyInWords(text);
  if (found === undefined) return withoutEnvelope(text);
  const { at, json, body } = found;
  const said = isSent(json) ? undefined : sentencesIn(body, DEEPEST);
  if (said === undefined) return withoutEnvelope(text);
  // What it says may hold another one.
  const inner = inWords(said, isSent, depth - 1);
  return text.slice(0, at) + inner + text.slice(at + json.length).replace(/[^)]/g, '');
}

/** Where interfaces put a sentence, best first. */
const SENTENCES = [
  'message',
  'error_description',
  'errorMessage',
  'error_message',
  'detail',
  'description',
  'error',
  'title',
] as const;

/** What a body says in words; `undefined` where it says nothing, or is a validator's, whose judge knows more. */
function sentencesIn(body: unknown, depth: number): string | undefined {
  if (!isRecord(body) || depth === 0) return undefined;
  if (Array.isArray(body)) {
    const said = body.length > MOST ? [] : body.map((one) => sentencesIn(one, depth - 1));
    return said.length > 0 && said.every((one) => one !== undefined) ? said.join('; ') : undefined;
  }
  if (isComplaint(body)) return undefined;
  const texts = SENTENCES.map((name) => lookOwn(body, name)).filter(isText);
  const within = sentencesIn(lookOwn(body, 'error'), depth - 1);
  const own = [...texts, ...(within === undefined ? [] : [within])];
  // What a status is called says less than anything else.
  const best = own.find((text) => !isStatusAlone(text)) ?? own[0];
  const more = within !== undefined && best?.includes(within) === false && !isStatusAlone(within);
  const list = listed(body);
  const fields =
    list === undefined ? (fieldsIn(lookOwn(body, 'errors')) ?? toldFields(body, depth)) : undefined;
  const said = [list ?? best?.trim(), more ? within : undefined, fields, pageIn(body)];
  return said.filter((one) => one !== undefined).join(': ') || undefined;
}

/** What is said of fields in a form that more than one interface has; asked once, of the whole body. */
function toldFields(body: object, depth: number): string | undefined {
  const issues = depth === DEEPEST ? issuesIn(body).slice(0, MOST) : [];
  const said = issues.map(({ path, message }) => [path.join('.'), message].filter(isText).join(': '));
  return said.join('; ') || undefined;
}

/** The page that a body sends somebody to, by itself or in what it holds. */
function pageIn(body: object): string | undefined {
  const members = [body, lookOwn(body, 'data')].filter(isRecord).flatMap((one) => Object.entries(one));
  return members.find(([name, value]) => isText(value) && isPage(name, value))?.join(': ');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isComplaint(body: object): boolean {
  const isZods = isText(lookOwn(body, 'code')) && Array.isArray(lookOwn(body, 'path'));
  return isZods || ['instancePath', 'schemaPath', 'constraints'].some((name) => Object.hasOwn(body, name));
}

/** What is said of single fields, as a list or by their names. */
function fieldsIn(errors: unknown): string | undefined {
  if (!isRecord(errors)) return undefined;
  const said = Array.isArray(errors)
    ? errors.slice(0, MOST).map(fieldOf)
    : Object.entries(errors)
        .slice(0, MOST)
        .map(([name, value]) => named(name, value));
  return said.length > 0 && said.every((one) => one !== undefined) ? said.join('; ') : undefined;
}

function fieldOf(error: unknown): string | undefined {
  if (isText(error)) return error;
  const message = ['message', 'detail', 'title'].map((name) => lookOwn(error, name)).find(isText);
  const source = lookOwn(error, 'source');
  const pointer = [lookOwn(source, 'pointer'), lookOwn(source, 'parameter')].find(isText);
  const place = pointer?.split('/').at(-1);
  const field = ['field', 'param', 'name'].map((name) => lookOwn(error, name)).find(isText) ?? place;
  if (message === undefined) return undefined;
  return field === undefined ? message : `${field}: ${message}`;
}

function named(name: string, value: unknown): string | undefined {
  if (isText(value)) return `${name}: ${value}`;
  return Array.isArray(value) && value.length > 0 && value.every(isText)
    ? `${name}: ${value.join(', ')}`
    : undefined;
}

/** An envelope of SOAP says what its fault says, in either version. */
function withoutEnvelope(text: string): string {
  const begins = /(?:<\?xml[^>]{0,200}>\s{0,100})?<(?:\w{1,40}:)?Envelope\b/.exec(text);
  if (begins === null) return withoutDetail(text);
  const fault = /<(?:\w{1,40}:)?(?:faultstring|Text)\b[^>]{0,200}>([^<]{1,1000})</.exec(text);
  return fault === null ? text : text.slice(0, begins.index) + (fault[1] as string).trim();
}

/** What some of its clients put behind the sentence of a fault. */
function withoutDetail(text: string): string {
  const [from, to] = [text.indexOf('<detail>'), text.lastIndexOf('</detail>')];
  if (from < 0 || to < from) return text;
  return text.slice(0, from).replace(/[:\s]{1,5}$/, '') + text.slice(to + '</detail>'.length);
}
