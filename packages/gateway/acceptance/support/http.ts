/** A plain HTTP caller: one connection a request, a limit on the wait, JSON and event streams taken apart. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** A JSON-RPC message, taken apart no further. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into foreign answers by their literal paths
export type Message = Record<string, any>;

/** What came back for one request. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly ms: number;
  /** Every JSON-RPC message in the body or the event stream. */
  readonly messages: readonly Message[];
  /** The message that answers: the one with a result or an error. */
  readonly message: Message;
}

/** How a request is sent. */
export interface SendOptions {
  readonly method?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly key?: string | undefined;
  readonly session?: string | undefined;
  readonly dialect?: string | undefined;
  /** `2026` adds the headers that revision demands. */
  readonly era?: '2025' | '2026' | undefined;
  /** No answer within this time is an error. */
  readonly within?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sees the response as soon as its head is there, and each piece of text after it. */
  readonly onText?: ((text: string) => void) | undefined;
}

const JSON_TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Posts a message, or any bytes, and waits for the whole answer. */
export function post(url: string, body: unknown, options: SendOptions = {}): Promise<Answer> {
  return send(url, body, { method: 'POST', ...options, headers: { ...JSON_TYPES, ...options.headers } });
}

/** Sends any request and waits for the whole answer. */
export function send(url: string, body: unknown, options: SendOptions = {}): Promise<Answer> {
  const within = options.within ?? 20_000;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const bytes = toBytes(body);
    const outgoing = request(url, {
      method: options.method ?? 'GET',
      headers: headersOf(body, options),
      agent: false,
    });
    const late = setTimeout(() => outgoing.destroy(new Error(`no whole answer within ${within} ms`)), within);
    outgoing.once('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    options.signal?.addEventListener('abort', () => outgoing.destroy(new Error('aborted by the test')));
    outgoing.once('response', (incoming) => {
      collect(incoming, options.onText).then(
        (text) => {
          clearTimeout(late);
          resolve(taken(incoming, text, performance.now() - started));
        },
        (error: Error) => {
          clearTimeout(late);
          reject(error);
        },
      );
    });
    outgoing.end(bytes);
  });
}

/** The text that reaches a model: all text blocks of a result, or the message of an error. */
export function words(message: Message): string {
  const blocks: Message[] = message['result']?.content ?? [];
  const texts = blocks.filter((block) => block['type'] === 'text').map((block) => block['text']);
  return [message['error']?.message ?? '', ...texts].join('\n');
}

/** The fault document that the `mayday` dialect carries. */
export function faultOf(message: Message): Message {
  const fault =
    message['result']?._meta?.['dev.mayday/fault'] ?? message['error']?.data?.['dev.mayday/fault'];
  return fault ?? message['error']?.data ?? {};
}

/** The JSON-RPC messages inside the text of an event stream. */
export function eventsOf(text: string): Message[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n'),
    )
    .filter((data) => data !== '')
    .map(parsed)
    .filter((message) => message !== undefined);
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function headersOf(body: unknown, options: SendOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  if (options.key !== undefined) headers['authorization'] = `Bearer ${options.key}`;
  if (options.session !== undefined) headers['mcp-session-id'] = options.session;
  if (options.dialect !== undefined) headers['mayday-dialect'] = options.dialect;
  if (options.era === '2026') Object.assign(headers, modernHeaders(body));
  return { ...headers, ...options.headers };
}

function modernHeaders(body: unknown): Record<string, string> {
  const message = (
    typeof body === 'object' && body !== null && !Buffer.isBuffer(body) ? body : {}
  ) as Message;
  const name = message['params']?.name ?? message['params']?.uri;
  const headers: Record<string, string> = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': typeof message['method'] === 'string' ? message['method'] : 'tools/call',
  };
  if (typeof name === 'string') headers['mcp-name'] = name;
  return headers;
}

async function collect(incoming: IncomingMessage, onText?: (text: string) => void): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) {
    pieces.push(piece as Buffer);
    onText?.((piece as Buffer).toString('utf8'));
  }
  return Buffer.concat(pieces).toString('utf8');
}

function taken(incoming: IncomingMessage, body: string, ms: number): Answer {
  const stream = String(incoming.headers['content-type']).includes('event-stream');
  const one = stream ? undefined : parsed(body);
  const messages = stream ? eventsOf(body) : one === undefined ? [] : [one];
  const message = messages.findLast((each) => 'result' in each || 'error' in each) ?? {};
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body, ms, messages, message };
}

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}
