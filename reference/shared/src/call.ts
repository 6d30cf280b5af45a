/** `npm run reference -- <name> call URL TOOL [JSON]`: a document's sample client against any MCP server over HTTP. */
import { randomUUID } from 'node:crypto';
import { type DialectId, type Fault, read } from '@mayday/core';
import { refuse } from './flags.ts';
import { objectIn } from './json-object.ts';

/** A JSON-RPC response, as it came: samples look at it the way their documents do. */
export interface Answer {
  readonly result?: { readonly [member: string]: unknown } | null | undefined;
  readonly error?:
    | { readonly code: number; readonly message: string; readonly data?: unknown }
    | null
    | undefined;
}

/** Calls one tool. */
export interface ToolCall {
  readonly name: string;
  /**
   * Sends the call, and gives whatever comes back. Can be sent again, but nothing is done twice: a tool that knows
   * repeated calls by a key gets one, and any other that changes something is not called again once it may have.
   */
  send(): Promise<Answer>;
}

/**
 * Runs a sample if the command line says `call`, and says whether it did. What the sample returns is printed; what
 * it throws is said on standard error, and the status is 1. `dialect` is named where what the server calls retryable may
 * have happened.
 */
export async function callCommand(
  sample: (call: ToolCall) => Promise<unknown>,
  dialect?: DialectId,
  words: readonly string[] = process.argv.slice(2),
): Promise<boolean> {
  const [verb, url = '', name = '', json = '{}'] = words;
  if (verb !== 'call') return false;
  if (!URL.canParse(url) || name === '') refuse('Expected: call URL TOOL [ARGUMENTS AS JSON]');
  const args = objectIn(json);
  if (args === undefined)
    refuse(`Expected the arguments of ${name} as a JSON object, got ${json.slice(0, 100)}`);
  try {
    const payload = await sample({ name, send: await openServer(url, dialect, name, args) });
    process.stdout.write(
      `${printable(typeof payload === 'string' ? payload : JSON.stringify(payload ?? null))}\n`,
    );
  } catch (error) {
    process.stderr.write(`${printable(sentenceFor(error as Error, url))}\n`);
    process.exitCode = 1;
  }
  return true;
}

/** The payload of a success: where it is not in MCP's members, the whole result, as the documents print it. */
export function payloadOf(result: Answer['result']): unknown {
  return result?.['structuredContent'] ?? result?.['content'] ?? result ?? null;
}

/** What a failure says, with the fields that it names beside its words. */
export function sentenceOf({ message, issues }: Fault): string {
  const untold = issues.filter(({ path }) => !message.includes(path.join('.')));
  return [message, ...untold.map((issue) => `${issue.path.join('.')}: ${issue.message}`)].join(': ');
}

/** What a server says moves no terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}

/** `fetch` says why it failed in the cause alone. */
function sentenceFor({ message, cause }: Error, url: string): string {
  if (message !== 'fetch failed' || !(cause instanceof Error)) return message;
  const why = (cause as NodeJS.ErrnoException).code ?? cause.message;
  return UNSENT.test(why) ? `${NOBODY} ${url}: ${why}` : `The connection to ${url} broke: ${why}`;
}

const NOBODY = 'Nobody answers at';
/** Why nothing can have been sent. */
const UNSENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|bad port)$/;

/** Introduces itself to a server, with a key from `REFERENCE_KEY` if there is one; gives the way to call a tool. */
async function openServer(
  url: string,
  dialect: DialectId | undefined,
  name: string,
  args: unknown,
): Promise<() => Promise<Answer>> {
  const key = process.env['REFERENCE_KEY'];
  const headers: { [name: string]: string } = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
  let last = 0;
  const post = async (message: object): Promise<Response> =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const hello = await post({ id: ++last, method: 'initialize', params: HELLO });
  const session = hello.headers.get('mcp-session-id');
  if (session !== null) headers['mcp-session-id'] = session;
  await hello.text();
  await (await post({ method: 'notifications/initialized' })).text();
  const ask = async (method: string, params: object): Promise<Answer> => {
    const id = ++last;
    return answerIn(await post({ id, method, params }), id);
  };
  const { meta, changes } = await repeatsOf(ask, name);
  const params = { name, arguments: args, _meta: meta };
  let doubt: string | undefined;
  return async () => {
    if (doubt !== undefined) throw new Error(doubt);
    const answer = await ask('tools/call', params).catch((error: Error) => {
      const sentence = sentenceFor(error, url);
      throw new Error(changes && !sentence.startsWith(NOBODY) ? inDoubt(sentence, name) : sentence);
    });
    const reading =
      changes && dialect !== undefined
        ? read({ jsonrpc: '2.0', id: 1, ...answer }, { from: dialect })
        : undefined;
    if (reading?.failure === true && reading.fault.executed !== 'no') {
      doubt = inDoubt(reading.fault.message, name);
      // A sample that would try again says so before it does: it is not asked.
      if (reading.fault.retryable) throw new Error(doubt);
    }
    return answer;
  };
}

const KEY = 'dev.mayday/idempotency-key';

/** What the listing says: is a second call a second change, and is there a key against it? Of who is not listed nobody knows. */
async function repeatsOf(
  ask: (method: string, params: object) => Promise<Answer>,
  name: string,
): Promise<{ readonly meta?: object; readonly changes: boolean }> {
  let cursor: unknown;
  do {
    const { result } = await ask('tools/list', cursor === undefined ? {} : { cursor });
    const tools = Array.isArray(result?.['tools']) ? result['tools'] : [];
    const tool = tools.find((listed) => listed?.name === name);
    if (tool?._meta?.[KEY] === true) return { meta: { [KEY]: randomUUID() }, changes: false };
    const { readOnlyHint, idempotentHint } = tool?.annotations ?? {};
    if (tool !== undefined) return { changes: readOnlyHint !== true && idempotentHint !== true };
    cursor = result?.['nextCursor'];
  } while (typeof cursor === 'string');
  return { changes: true };
}

function inDoubt(sentence: string, name: string): string {
  return `${sentence}\nIt may have happened: check before you call ${name} again.`;
}

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'reference-sample', version: '1.0.0' },
};

/** The answer in a JSON body or in a stream. */
async function answerIn(response: Response, id: number): Promise<Answer> {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
  const pieces = isStream
    ? text.split(/\r?\n/).flatMap((line) => /^data: ?(\{.*)$/.exec(line)?.[1] ?? [])
    : [text];
  for (const piece of pieces) {
    const message = objectIn(piece);
    if (message?.['id'] === id || message?.['id'] === null) return message as Answer;
  }
  throw new Error(`The server did not answer: HTTP ${response.status}`);
}
