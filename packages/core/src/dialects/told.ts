/** What a server tells and asks beside its answers, where a document says which words may cross. */
import { isRecord } from '../json.ts';
import { TRAITS } from '../kinds.ts';
import type { Dialect } from './dialect.ts';

type Params = { readonly [name: string]: unknown };

const FAILURE = TRAITS.internal.title;

/** Where words are, and what stands for them where none may cross; they can be absent, if `undefined`. */
interface Words {
  readonly member: string;
  readonly name?: string | undefined;
  /** The members inside of it that hold words; all of it is words, and the names of its members too, if absent. */
  readonly inside?: readonly string[] | undefined;
}

/** A task, in the form of either revision; what it has come to is looked at by itself. */
const OF_TASKS: readonly string[] = [
  ...['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'requestState', 'resultType'],
  ...['ttl', 'pollInterval', 'ttlMs', 'pollIntervalMs'],
];

/** What the protocol has beside the words: names and numbers. What it has no member for stays behind. */
const MEMBERS: { readonly [method: string]: readonly string[] } = {
  'notifications/message': ['level'],
  'notifications/progress': ['progressToken', 'progress', 'total'],
  'notifications/cancelled': ['requestId'],
  'notifications/tasks/status': OF_TASKS,
  'notifications/tasks': OF_TASKS,
  'notifications/resources/updated': ['uri'],
  'notifications/resources/list_changed': [],
  'notifications/tools/list_changed': [],
  'notifications/prompts/list_changed': [],
  'notifications/elicitation/complete': ['elicitationId'],
  'elicitation/create': ['mode', 'url', 'elicitationId', 'task'],
  'sampling/createMessage': [
    'modelPreferences',
    'includeContext',
    'temperature',
    'maxTokens',
    'stopSequences',
    'metadata',
    'tools',
    'toolChoice',
    'task',
  ],
};

const WORDS: { readonly [method: string]: readonly Words[] } = {
  'notifications/message': [{ member: 'data', name: FAILURE }, { member: 'logger' }],
  'notifications/progress': [{ member: 'message' }],
  'notifications/cancelled': [{ member: 'reason' }],
  'notifications/tasks/status': [{ member: 'statusMessage' }],
  'notifications/tasks': [{ member: 'statusMessage' }],
  'elicitation/create': [
    { member: 'message', name: 'The server asks for something' },
    { member: 'requestedSchema', name: 'Something', inside: ['title', 'description', 'enumNames'] },
  ],
  'sampling/createMessage': [
    { member: 'systemPrompt' },
    { member: 'messages', name: 'The server asks for something', inside: ['text'] },
  ],
};

/** The protocol's own messages: what is not among their words are names and numbers. All of others' is words. */
const PROTOCOL =
  /^(?:ping$|notifications\/(?:message|progress|cancelled|initialized)$|(?:notifications\/)?(?:tasks|tools|prompts|resources|roots|sampling|elicitation|subscriptions)(?:\/|$))/;

/** What begins so in `_meta` is the protocol's, by which messages find each other. */
const PROTOCOLS_OWN = /^(?:progressToken$|io\.modelcontextprotocol\/)/;

/** By the level of a log message, and the status of a task. */
const FAILING: ReadonlySet<unknown> = new Set(['error', 'critical', 'alert', 'emergency', 'failed']);

type Told = (text: string, isFailure: boolean) => string | undefined;

/** The parameters of a notification or a question as they may cross in a dialect; the same object where all of them may. */
export function toldIn<P extends Params>(method: string, params: P, dialect: Pick<Dialect, 'told'>): P {
  if (dialect.told === undefined) return params;
  const isFailing = FAILING.has(params['level']) || FAILING.has(params['status']);
  const told: Told = (text, isFailure) => {
    try {
      return dialect.told?.(text, isFailure);
    } catch {
      return undefined; // a dialect of somebody's own; nobody has said that it may cross
    }
  };
  const kept: { [name: string]: unknown } = ofProtocol(method, params);
  for (const { member, name, inside } of wordsIn(method, params)) {
    const left = saidOf(params[member], { told, isFailing, name, inside });
    if (left === undefined) delete kept[member];
    else kept[member] = left;
  }
  if (MEMBERS[method] === OF_TASKS) Object.assign(kept, endOfTask(params, told));
  if (isRecord(params['_meta'])) kept['_meta'] = protocolsMeta(params['_meta']);
  const isSame = Object.keys(params).every((name) => params[name] === kept[name]);
  return isSame ? params : (kept as P);
}

/** What a task has come to, in the form of 2026-07-28: an answer, which says no more than others of its kind. */
function endOfTask({ error, result, inputRequests }: Params, told: Told): Params {
  const words = (text: unknown): string => told(typeof text === 'string' ? text : '', true) || FAILURE;
  const kept: { [name: string]: unknown } = {};
  if (isRecord(error)) kept['error'] = { code: error['code'], message: words(error['message']) };
  if (isRecord(result)) kept['result'] = result['isError'] === true ? failing(result, words) : result;
  if (inputRequests !== undefined) kept['inputRequests'] = inputRequests; // closed where questions are
  return kept;
}

/** A failing result with its texts alone. */
function failing({ content }: Params, words: (text: unknown) => string): Params {
  const texts = (Array.isArray(content) ? content : []).flatMap((block: unknown) =>
    isRecord(block) && block['type'] === 'text' ? [{ type: 'text', text: words(block['text']) }] : [],
  );
  return { isError: true, content: texts.length > 0 ? texts : [{ type: 'text', text: FAILURE }] };
}

/** The members that the protocol has for a message; all of them where it does not say. */
function ofProtocol(method: string, params: Params): { [name: string]: unknown } {
  if (!Object.hasOwn(MEMBERS, method)) return { ...params };
  const words = wordsIn(method, params).map(({ member }) => member);
  const known = new Set([...(MEMBERS[method] ?? []), ...words, '_meta']);
  return Object.fromEntries(Object.entries(params).filter(([name]) => known.has(name)));
}

function wordsIn(method: string, params: Params): readonly Words[] {
  if (Object.hasOwn(WORDS, method)) return WORDS[method] ?? [];
  if (PROTOCOL.test(method)) return [];
  return Object.keys(params)
    .filter((member) => member !== '_meta')
    .map((member) => ({ member, name: FAILURE }));
}

/** `_meta` without what a server has put there for clients of its own; the same object where there is nothing. */
export function protocolsMeta(meta: Params): Params {
  const members = Object.entries(meta);
  const kept = members.filter(([key]) => PROTOCOLS_OWN.test(key));
  return kept.length === members.length ? meta : Object.fromEntries(kept);
}

/** Nobody reads further down. */
const DEEPEST = 100;

interface Saying extends Pick<Words, 'name' | 'inside'> {
  readonly told: Told;
  readonly isFailing: boolean;
}

/** A value with each of its texts as it may cross; the same one where all of them may. */
function saidOf(value: unknown, saying: Saying, isWords = saying.inside === undefined, depth = 0): unknown {
  const { told, isFailing, name, inside } = saying;
  if (typeof value === 'string') return isWords ? (told(value, isFailing) ?? name) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return name;
  if (Array.isArray(value)) {
    const items = value.map((item) => saidOf(item, saying, isWords, depth + 1));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const members = Object.entries(value).map(([key, member]) => {
    const isWord = inside === undefined || inside.includes(key);
    const said = inside === undefined ? told(key, false) : key;
    return [key, member, said, saidOf(member, saying, isWord, depth + 1)] as const;
  });
  if (members.every(([key, member, said, left]) => said === key && left === member)) return value;
  return Object.fromEntries(
    members.flatMap(([, , said, left]) => (said === undefined || left === undefined ? [] : [[said, left]])),
  );
}
