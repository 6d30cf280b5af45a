/** A client’s entry → an upstream of the gateway, or why it stays where it is. */
import { isAbsolute, resolve } from 'node:path';
import { resolveSettings, SettingsError, type UpstreamFile } from '@mayday/gateway';
import { type Answer, type Answers, answerTo } from './asking.ts';
import type { Client } from './clients.ts';
import { type EntryParts, entryParts, isOverHttp, OVER_HTTP, OVER_SSE } from './entry-parts.ts';
import { lostField } from './lost-fields.ts';
import { timeLimits } from './patience.ts';
import {
  fillIn,
  isPassedOnAs,
  type ReferenceContext,
  rewriteReferences,
  type Variables,
} from './references.ts';
import { type FoundServer, isObject } from './sections.ts';
import { SIGNED_IN_TO, saysSignIn } from './sign-ins.ts';
import { toolLists } from './tool-lists.ts';

/** What an entry is seen from. */
export interface ConvertContext {
  readonly client: Client | undefined;
  /** The folder of the project that the file is for. */
  readonly root: string | undefined;
  readonly home: string;
  /** The folder of `mayday.yaml`. */
  readonly folder: string;
  /** The client hands over what the entry refers to. */
  readonly isPassedOn: boolean;
  /** What servers said when they were asked. */
  readonly answers?: Answers | undefined;
}

/** What becomes of an entry. */
export type Conversion =
  | {
      readonly type: 'upstream';
      readonly entry: UpstreamFile;
      readonly isOff: boolean;
      /** Sentences about what was left out. */
      readonly told: readonly string[];
    }
  | { readonly type: 'ours' }
  | { readonly type: 'left'; readonly why: string };

/** Converts one entry. Total. The variables that it needs are added to the map, if it is in use. */
function convertEntry(
  { value, onlyTools }: Pick<FoundServer, 'value' | 'onlyTools'>,
  context: ConvertContext,
  variables: Variables,
): Conversion {
  if (!isObject(value)) return left('it is no object');
  if (isOurs(value)) return { type: 'ours' };
  const said = entryParts(value);
  const answer = answerTo(said, context.answers);
  const why = whyNot(said, answer);
  if (why !== undefined) return left(why);
  const parts = answer?.type === 'moved' ? { ...said, url: answer.url } : said;
  const { tools, others, unclear } = toolLists(parts.others, onlyTools);
  if (unclear !== undefined) return left(`${JSON.stringify(unclear)} is no list of names of tools`);
  const needed: Variables = new Map(variables);
  const told = Object.keys(others).flatMap((field) => (saysNothing(others[field]) ? [] : [lostField(field)]));
  if (parts !== said) told.push('url redirects to another path of the server, which is taken instead');
  const entry = { ...written(parts, context, needed, told), ...(tools === undefined ? {} : { tools }) };
  const wrong = mistakeIn(entry);
  if (wrong !== undefined) return left(wrong);
  if (!parts.isOff) for (const [name, original] of needed) variables.set(name, original);
  return { type: 'upstream', entry: entry as unknown as UpstreamFile, isOff: parts.isOff, told };
}

/** Converts a server as it was found. */
export function convertServer(
  server: Pick<FoundServer, 'value' | 'isOff' | 'onlyTools'>,
  context: ConvertContext,
  variables: Variables,
): Conversion {
  const { isOff } = server;
  const converted = convertEntry(server, context, isOff ? new Map(variables) : variables);
  return isOff && converted.type === 'upstream' ? { ...converted, isOff } : converted;
}

/** An empty list of approvals, a flag that is off: nothing is lost with it. */
function saysNothing(value: unknown): boolean {
  return value === false || isEmpty(value);
}

function left(why: string): Conversion {
  return { type: 'left', why };
}

/** Does this entry start mayday itself? */
export function isOurs({ command, args }: { readonly [field: string]: unknown }): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
  const at = words.findIndex((word) =>
    /(?:^|[\\/])mayday(?:\.js|\.cmd|\.exe)?$|^@mayday\/cli(?:@|$)/.test(word),
  );
  const rest = words.slice(at + 1);
  return at >= 0 && (rest[0] === 'wrap' || (rest[0] === 'gateway' && rest.includes('--stdio')));
}

/** Why an entry cannot be served by the gateway. */
function whyNot(parts: EntryParts, answer: Answer | undefined): string | undefined {
  const { type, command, url, others } = parts;
  if (command === undefined && url === undefined)
    return others['source'] === 'extension' ? 'an extension starts it' : 'it has no command and no url';
  for (const field of ['command', 'url'] as const)
    if (parts[field] !== undefined && typeof parts[field] !== 'string') return `its ${field} is no text`;
  if (type !== undefined && !OVER_HTTP.test(type) && !OVER_SSE.test(type) && !/^(?:stdio|local)$/i.test(type))
    return `servers of the type ${JSON.stringify(type.slice(0, 40))} are not supported`;
  if (isOverHttp(parts) && (saysSignIn(parts) || answer?.type === 'closed')) return SIGNED_IN_TO;
  if (answer?.type === 'elsewhere')
    return 'it redirects to another address, which the gateway does not follow; its url may have to change';
  return undefined;
}

/** The entry as `mayday.yaml` has it. */
function written(
  parts: EntryParts,
  context: ConvertContext,
  variables: Variables,
  told: string[],
): { readonly [name: string]: unknown } {
  const bare = context.client?.bareReferences === true;
  const { root, home, isPassedOn } = context;
  const isSse = OVER_SSE.test(parts.type ?? '');
  const isUrl = isOverHttp(parts);
  const given = isUrl ? new Map<string, string>() : ownVariables(parts.env);
  /** Where a variable is given, its name is the environment’s. */
  const seenFor = (name?: string): ReferenceContext => {
    return { bare, root, home, isPassedOn, own: new Map([...given].filter(([one]) => one !== name)) };
  };
  const text = (value: unknown): unknown => rewritten(value, false, seenFor(), variables);
  const values = (value: unknown): unknown =>
    isObject(value) ? mapped(value, (item, name) => rewritten(item, true, seenFor(name), variables)) : value;
  const { url, headers, isUsed } = filledAddress(parts);
  const unused = isUrl ? ['command', 'args', ...(isUsed ? [] : ['env']), 'cwd'] : ['url', 'headers'];
  for (const field of unused)
    if (!isEmpty(parts[field as keyof EntryParts])) told.push(`${field} is of no use here and is left out`);
  const own = isUrl
    ? { url: text(url), transport: isSse ? 'sse' : undefined, headers: values(headers) }
    : {
        command: text(parts.command),
        args: Array.isArray(parts.args) ? parts.args.map(text) : parts.args,
        env: values(parts.env),
        cwd: folderOf(text(parts.cwd), context, told),
      };
  for (const [field, value] of Object.entries(own))
    for (const [word] of JSON.stringify(value ?? '').matchAll(FILLED_IN_LATER))
      told.push(`${field} has ${word}, which is for each user of the client and stays as it is here`);
  const entry = { ...own, ...timeLimits(parts.timeout, context.client?.timeout, told) };
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => !isEmpty(value)));
}

/** The variables that an entry gives to its server. One that is only passed on comes from elsewhere. */
function ownVariables(env: unknown): ReadonlyMap<string, string> {
  const given = isObject(env)
    ? Object.entries(env).map(([name, value]) => [name, String(value)] as const)
    : [];
  return new Map(given.filter(([name, value]) => !isPassedOnAs(name, value)));
}

/** No process is there to look up what an entry with an address gives as its own: it is filled in. */
function filledAddress({ url, headers, env }: EntryParts): {
  readonly url: unknown;
  readonly headers: unknown;
  /** Was anything? */
  readonly isUsed: boolean;
} {
  const own = ownVariables(env);
  const filled = (value: unknown): unknown => (typeof value === 'string' ? fillIn(value, own) : value);
  const here = { url: filled(url), headers: isObject(headers) ? mapped(headers, filled) : headers };
  return { ...here, isUsed: JSON.stringify(here) !== JSON.stringify({ url, headers }) };
}

/** Placeholders of clients with many users, such as `{{LIBRECHAT_USER_ID}}`. */
const FILLED_IN_LATER = /\{\{\s*\w{1,80}\s*\}\}/g;

/** Clients take numbers and flags for texts in these places. */
function rewritten(value: unknown, isValue: boolean, seen: ReferenceContext, variables: Variables): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? rewriteReferences(value, isValue, seen, variables) : value;
}

function mapped(
  value: { readonly [name: string]: unknown },
  change: (item: unknown, name: string) => unknown,
): unknown {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item, name)]));
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** A process of a project runs in the folder of the project. */
function folderOf(cwd: unknown, { root, folder }: ConvertContext, told: string[]): unknown {
  if (cwd === undefined || cwd === null) return root === undefined || root === folder ? undefined : root;
  if (typeof cwd !== 'string' || isAbsolute(cwd) || cwd.startsWith('${')) return cwd;
  if (root !== undefined) return resolve(root, cwd);
  told.push('cwd is not absolute; it is now seen from the folder of mayday.yaml');
  return cwd;
}

/** The gateway’s own opinion, with something in the place of every reference. */
function mistakeIn(entry: { readonly [name: string]: unknown }): string | undefined {
  const filled = filledIn(entry, '') as { readonly [name: string]: unknown };
  const checked =
    typeof entry['url'] === 'string' ? { ...filled, url: filledIn(entry['url'], 'http://x') } : filled;
  try {
    resolveSettings({ upstreams: { x: checked as unknown as UpstreamFile } }, { env: {} });
    return undefined;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems
      .map(({ path, message }) => `${path.replace(/^upstreams\.x\.?/, '')}: ${message}`)
      .join('; ');
  }
}

/** Every reference as `x`, or as something else where it stands first. */
function filledIn(value: unknown, first: string): unknown {
  if (typeof value === 'string')
    return value.replace(/^\$\{\w+(?::-[^}]*)?\}/, first || 'x').replace(/\$\{\w+(?::-[^}]*)?\}/g, 'x');
  if (Array.isArray(value)) return value.map((item) => filledIn(item, first));
  return isObject(value) ? mapped(value, (item) => filledIn(item, first)) : value;
}
