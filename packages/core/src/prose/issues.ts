/** What is wrong with the input, one by one, as validators report it in bodies and in texts. */
import type { Issue } from '../fault.ts';
import { NAME_KEYS, PATH_KEYS, SOURCE_KEYS, WORD_KEYS } from '../field-labels.ts';
import { stepsOf } from '../issue-path.ts';
import { issuesSaid } from './issues-said.ts';
import { issuesOfLibraries } from './library-issues.ts';

const MOST = 64;
type Bag = { readonly [key: string]: unknown };

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pathOf(item: Bag): (string | number)[] | undefined {
  const source = isBag(item['source']) ? item['source'] : {};
  for (const said of [...PATH_KEYS.map((key) => item[key]), ...SOURCE_KEYS.map((key) => source[key])]) {
    if (Array.isArray(said)) return said.map((step) => (typeof step === 'number' ? step : String(step)));
    if (typeof said === 'string') return stepsOf(said);
  }
  for (const key of NAME_KEYS) {
    const said = item[key];
    if (typeof said === 'string' && said.length <= 200) return stepsOf(said);
  }
  return undefined;
}

function messageOf(item: Bag): string | undefined {
  for (const key of WORD_KEYS) {
    const said = item[key];
    if (typeof said === 'string' && said !== '') return said;
  }
  return undefined;
}

function codeOf(item: Bag): string | undefined {
  const said = item['code'] ?? item['keyword'] ?? item['type'] ?? item['rule'];
  return typeof said === 'string' && said.length <= 80 ? said : undefined;
}

function issueOf(item: unknown): Issue | undefined {
  // A GraphQL error has a path and a message too, but the path is into the query.
  if (!isBag(item) || 'locations' in item || 'extensions' in item) return undefined;
  const path = pathOf(item);
  const code = codeOf(item);
  // GitHub says what is wrong with a field in a word: `missing_field`.
  const message = messageOf(item) ?? (typeof item['field'] === 'string' ? code : undefined);
  if (path === undefined || message === undefined) return undefined;
  return code === undefined ? { path, message } : { path, message, code };
}

/** The issues in an array of them: Zod, AJV, Pydantic, JSON:API, field violations. All items must be one. */
export function issuesFromList(list: readonly unknown[]): Issue[] {
  const issues: Issue[] = [];
  for (const item of list.slice(0, MOST)) {
    const issue = issueOf(item);
    if (issue === undefined) return [];
    issues.push(issue);
  }
  return issues;
}

/** Members in which an error names the one field that it is about. */
const FIELD_KEYS = ['param', 'field', 'parameter', 'property', 'target', 'pointer'];

/** The issue in an error that names its field beside its message, as Stripe and OData do. */
export function issueFromError(error: Bag): Issue | undefined {
  return FIELD_KEYS.some((key) => typeof error[key] === 'string' && error[key] !== '')
    ? issueOf(error)
    : undefined;
}

const DEEPEST = 8;

/**
 * The issues in `{field: ["message", …]}`, as Rails, Laravel, Django and ASP.NET say them, nested as the input is where
 * that is nested. Nothing when a member is no message.
 */
export function issuesFromFields(fields: unknown): Issue[] {
  if (!isBag(fields)) return [];
  const issues: Issue[] = [];
  return namesFields(fields, [], issues, 0) ? issues.slice(0, MOST) : [];
}

type Path = readonly (string | number)[];

function namesFields(fields: Bag, path: Path, issues: Issue[], depth: number): boolean {
  if (depth > DEEPEST || isBlock(fields)) return false;
  return Object.entries(fields)
    .slice(0, MOST)
    .every(([field, said]) =>
      says(said, OF_ALL.has(field) ? path : [...path, ...stepsOf(field)], issues, depth),
    );
}

/** Bytes of a result and where they come from, of which nothing is said. */
function isBlock({ type, data, uri, blob }: Bag): boolean {
  if (typeof data === 'string') return type === 'image' || type === 'audio';
  return typeof blob === 'string' && typeof uri === 'string' && /^[a-z][a-z\d+.-]*:/i.test(uri);
}

/** What is said of a field: a sentence, some of them, an error or some of them, or the same of its own fields. */
function says(said: unknown, path: Path, issues: Issue[], depth: number): boolean {
  if (issues.length >= MOST) return true;
  if (typeof said === 'string') return issues.push({ path, message: said }) > 0;
  if (Array.isArray(said))
    return said
      .slice(0, MOST)
      .every((item, at) => says(item, isFields(item) ? [...path, at] : path, issues, depth + 1));
  if (!isBag(said)) return false;
  if (isFields(said)) return namesFields(said, path, issues, depth + 1);
  const [message, code] = [messageOf(said) as string, codeOf(said)];
  const at = withOwn(path, issueFromError(said)?.path ?? []);
  return issues.push(code === undefined ? { path: at, message } : { path: at, message, code }) > 0;
}

/** The path of an error that names its field itself, which may be how it is listed. */
function withOwn(path: Path, own: Path): Path {
  const isSaid = own.every((step, at) => step === path[path.length - own.length + at]);
  return isSaid ? path : [...path, ...own];
}

function isFields(said: unknown): boolean {
  return isBag(said) && messageOf(said) === undefined;
}

/** Where Django, Rails and Discord put what is wrong with all of it, or with what holds it. */
const OF_ALL: ReadonlySet<string> = new Set(['non_field_errors', '__all__', 'base', '_errors', '']);

const NAME = /^["'`]?([A-Za-z_$][\w$.[\]-]{0,80})["'`]?$/;
const PYDANTIC = /^([\w.[\]-]{1,80})\n {2}([^\n[]{1,160})\[type=(\w{1,60})/gm;
const COMPLAINT =
  /(?:Required|Invalid|Expected|Too|Must|String|Number|Array|Unrecognized|Input|Field|Value|expected|must|is |should)[^\n;]{0,160}?(?=, [\w$.[\]-]{1,60}: |; |\n|$)/y;
const DEMAND =
  /(?:must|should) (?:be|begin|contain|differ|end|equal|exceed|have|match|not|precede|start)[^\n.;]{0,100}/y;
const MISSING =
  /(?:missing|required) (?:required |mandatory )?(?:positional |query |path )?(?:parameters?|arguments?|fields?|propert(?:y|ies)|options?|params?)(?: for \w{1,60})?:? ["'`]?(?!(?:at|by|for|from|in|of|on|to|with) )([A-Za-z_$][\w$.[\]-]{0,60})/i;

/** The issues that a validator's text names; the text is one that was read as wrong arguments. */
export function issuesInText(text: string): readonly Issue[] {
  const said = text.length > 8192 ? text.slice(0, 8192) : text;
  const issues: Issue[] = [];
  if (said.includes('[type=')) {
    for (const [, path = '', message = '', code = ''] of said.matchAll(PYDANTIC))
      issues.push({ path: stepsOf(path), message: message.trim(), code });
    if (issues.length > 0) return issues.slice(0, MOST);
  }
  const start = said.includes('arguments for ')
    ? /arguments for (?:tool|prompt) [\w./-]{1,100}: /.exec(said)
    : null;
  const body = start === null ? said : said.slice(start.index + start[0].length);
  if (body.includes(' at ')) {
    for (const line of body.split(/\n|; /, MOST)) {
      const at = line.lastIndexOf(' at ');
      const name = at > 0 ? NAME.exec(line.slice(at + 4).trim())?.[1] : undefined;
      if (name !== undefined) issues.push({ path: stepsOf(name), message: line.slice(0, at).trim() });
    }
    if (issues.length > 0) return issues;
  }
  if (start !== null && LISTED.test(body)) return listed(body);
  const known = issuesOfLibraries(body);
  if (known.length > 0) return known;
  let after = 0;
  each(body, ': ', (at) => {
    // What a complaint says behind a colon of its own (`Too big: expected …`) names nothing.
    const name = at < after ? undefined : wordBefore(body, at);
    const message = stick(COMPLAINT, body, at + 2);
    if (
      name !== undefined &&
      message !== undefined &&
      !/^(?:error|https?)$/i.test(name) &&
      !isMeans(body, at - name.length)
    ) {
      issues.push({ path: stepsOf(name), message: message.trim() });
      after = at + 2 + message.length;
    }
    return issues.length < MOST;
  });
  return issues.length > 0 ? issues : oneIssue(body);
}

/** "Error getting page by ID: …": what was used for it is no name of what is wrong. */
function isMeans(text: string, at: number): boolean {
  return /\b(?:by|from|via) ["'`]?$/i.test(text.slice(Math.max(0, at - 8), at));
}

const LISTED = /^[\w$.-]{1,120}: /;
const NEXT_LISTED = /, (?=[\w$.-]{1,120}: )/;

/** The list of SDK v2: `id: Invalid input: expected string, received number, n: Too big: expected number to be <=5`. */
function listed(text: string): Issue[] {
  return text.split(NEXT_LISTED, MOST).map((item) => {
    const colon = item.indexOf(': ');
    return { path: stepsOf(item.slice(0, colon)), message: item.slice(colon + 2).trim() };
  });
}

function oneIssue(text: string): Issue[] {
  const said = issuesSaid(text);
  if (said.length > 0) return said;
  let found: Issue | undefined;
  for (const verb of [' must ', ' should ']) {
    each(text, verb, (at) => {
      const name = wordBefore(text, at);
      const message = stick(DEMAND, text, at + 1);
      if (name !== undefined && message !== undefined) found ??= { path: stepsOf(name), message };
      return found === undefined;
    });
  }
  if (found !== undefined) return [found];
  const missing = MISSING.exec(text)?.[1];
  if (missing !== undefined && !NOT_NAMES.test(missing)) return [required(missing)];
  for (const ending of [' is required', ' are required', ' is a required', ' parameter is required']) {
    const at = text.indexOf(ending);
    const name = at < 0 ? undefined : wordBefore(text, at);
    if (name !== undefined) return [required(name)];
  }
  return [];
}

function required(name: string): Issue {
  return { path: stepsOf(name), message: 'Required', code: 'required' };
}

const NOT_NAMES =
  /^(?:is|and|or|a|an|the|it|this|that|them|these|those|both|which|parameters?|arguments?|fields?|values?|property|properties|options?|following|required|input|of|you|one|must|should|be|missing)$/i;

/** The name that ends at a position: `"limit"`, `filters.from`. */
function wordBefore(text: string, at: number): string | undefined {
  let to = at;
  if (isQuote(text.charCodeAt(to - 1))) to--;
  let from = to;
  while (from > 0 && to - from < 64 && isNamed(text.charCodeAt(from - 1))) from--;
  const first = text.charCodeAt(from);
  const name = text.slice(from, to);
  return to === from || (first >= 45 && first <= 57) || NOT_NAMES.test(name) ? undefined : name;
}

function isQuote(char: number): boolean {
  return char === 34 || char === 39 || char === 96;
}

/** Letters, digits and `$ - . [ ] _`. */
function isNamed(char: number): boolean {
  const low = char | 32;
  if ((low >= 97 && low <= 122) || (char >= 48 && char <= 57)) return true;
  return char === 95 || char === 36 || char === 45 || char === 46 || char === 91 || char === 93;
}

function stick(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Calls back for every place of a string until told to stop. */
function each(text: string, part: string, visit: (at: number) => boolean): void {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
    if (!visit(at)) return;
}
