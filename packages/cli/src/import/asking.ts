/**
 * Servers over HTTP are asked what the gateway would hear from them: whoever wants to be signed in to, or is somewhere else,
 * would serve nobody behind it.
 */
import { parseDocument } from './document.ts';
import { type EntryParts, entryParts, isOverHttp, OVER_SSE } from './entry-parts.ts';
import { mayBeCredential } from './mask.ts';
import { isObject, sectionsOf } from './sections.ts';

/** What a server is asked: as its client would, before it has signed in. */
export interface Question {
  readonly url: string;
  /** Without credentials: nobody has to be let in to say that it is somewhere else. */
  readonly headers: { readonly [name: string]: string };
  /** The entry has a credential, so that a refusal says nothing. */
  readonly isKeyed: boolean;
  readonly isSse: boolean;
}

/** What a server said that keeps the gateway from using it as the entry has it. */
export type Answer =
  | { readonly type: 'closed' }
  | { readonly type: 'elsewhere' }
  /** At another path of the same origin. */
  | { readonly type: 'moved'; readonly url: string };

/** What servers said. Whoever has no answer here can be used, or could not be asked. */
export type Answers = ReadonlyMap<string, Answer>;

/** What was said to the question of this entry. */
export function answerTo(parts: EntryParts, answers: Answers | undefined): Answer | undefined {
  const question = questionOf(parts);
  return question && answers?.get(keyOf(question));
}

/** What to ask of the servers in a client’s file. Those that are off are not asked. */
export function questionsIn(text: string, cwd: string): readonly Question[] {
  const document = parseDocument(text);
  if (document.problems.length > 0) return [];
  const [section] = sectionsOf(document.value, cwd);
  return (section?.servers ?? []).flatMap(({ value, isOff }) => {
    if (!isObject(value) || isOff) return [];
    const parts = entryParts(value);
    const question = parts.isOff ? undefined : questionOf(parts);
    return question === undefined ? [] : [question];
  });
}

function questionOf(parts: EntryParts): Question | undefined {
  const { url, headers, type = '' } = parts;
  if (!isOverHttp(parts) || !isPlainAddress(url)) return undefined;
  const sent = Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [name, String(value)]);
  const open = sent.filter(([name = '', value = '']) => !mayBeCredential(name, value));
  return {
    url,
    headers: Object.fromEntries(open),
    isKeyed: open.length < sent.length,
    isSse: OVER_SSE.test(type),
  };
}

/** Is nothing in it left to be filled in? */
function isPlainAddress(url: unknown): url is string {
  return typeof url === 'string' && /^https?:\/\/[^\s${}]+$/i.test(url) && URL.canParse(url);
}

function keyOf({ url, headers, isKeyed, isSse }: Question): string {
  return JSON.stringify([url, headers, isKeyed, isSse]);
}

/** How long a server may take to say it: an import waits for no longer. */
const ASKING_MS = 3000;

const OPENING = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'mayday-import', version: '1.0.0' },
  },
});

/** Asks all of them at once. Whoever cannot be asked in time is not among the answers. */
export async function askAll(questions: readonly Question[]): Promise<Answers> {
  const asked = new Map(questions.map((question) => [keyOf(question), question]));
  const answers = [...asked].map(async ([key, question]): Promise<readonly [string, Answer][]> => {
    const answer = await ask(question, AbortSignal.timeout(ASKING_MS)).catch(() => undefined); // perhaps without a network
    return answer === undefined ? [] : [[key, answer]];
  });
  return new Map((await Promise.all(answers)).flat());
}

async function ask(question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  const first = await heard(question, signal);
  const isRefused = ({ isClosed }: Heard): boolean => isClosed && !question.isKeyed;
  if (first.location === undefined) return isRefused(first) ? { type: 'closed' } : undefined;
  const url = samePlace(first.location, question.url);
  if (url === undefined) return { type: 'elsewhere' };
  const second = await heard({ ...question, url }, signal);
  if (second.location !== undefined) return { type: 'elsewhere' };
  return isRefused(second) ? { type: 'closed' } : { type: 'moved', url };
}

/** The address of a redirect that may be written into a file: of the same origin, for no other user, and with nothing to be filled in. */
function samePlace(location: string, from: string): string | undefined {
  if (!URL.canParse(location, from)) return undefined;
  const { href, origin, username, password } = new URL(location, from);
  const isOwn = origin === new URL(from).origin && username === '' && password === '';
  return isOwn && isPlainAddress(href) && !/%\w+%/.test(href) ? href : undefined;
}

interface Heard {
  readonly isClosed: boolean;
  /** Where a client would go on with the same request. */
  readonly location: string | undefined;
}

/** Clients that do not know the transport try the older one where the newer is not there. */
async function heard(question: Question, signal: AbortSignal): Promise<Heard> {
  const response = await requested(question, signal);
  if (question.isSse || (response.status !== 404 && response.status !== 405)) return heardFrom(response);
  return heardFrom(await requested({ ...question, isSse: true }, signal));
}

function heardFrom({ status, headers }: Response): Heard {
  const isRedirect = status === 307 || status === 308;
  return { isClosed: status === 401, location: isRedirect ? (headers.get('location') ?? '') : undefined };
}

async function requested({ url, headers: own, isSse }: Question, signal: AbortSignal): Promise<Response> {
  const headers = new Headers(own);
  headers.set('accept', isSse ? 'text/event-stream' : 'application/json, text/event-stream');
  if (!isSse) headers.set('content-type', 'application/json');
  const what = isSse ? { method: 'GET' } : { method: 'POST', body: OPENING };
  // Redirects are looked at first: another origin was not named by the user.
  const response = await fetch(url, { ...what, headers, redirect: 'manual', signal });
  await response.body?.cancel();
  return response;
}
