import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Channel, HANDSHAKE_REVISION, INITIALIZE, type Message, type Wire } from './wire.ts';

/** An HTTP answer, whole. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The JSON-RPC messages in it: of a stream all, of a JSON body the one or the batch. */
  readonly messages: readonly Message[];
}

/** What to send. */
export interface HttpQuestion {
  readonly method?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly body?: string | Buffer | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Sends one HTTP request exactly as given, `Host` included. */
export function exchange(url: string, question: HttpQuestion = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', headers = {}, body, timeoutMs = 10_000 } = question;
    const sent = httpRequest(url, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const type = answer.headers['content-type'] ?? '';
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text,
          messages: messagesIn(text, type),
        });
      });
    });
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`No answer in ${timeoutMs} ms`)));
    // A server that has said no may close before it has read everything: its answer is still on the way.
    sent.on('error', (error) => setTimeout(() => reject(error), 300));
    void feed(sent, body);
  });
}

const PIECE = 256 * 1024;

/** Sends a body, a large one piece by piece: who has already been refused need not send the rest. */
async function feed(sent: ClientRequest, body: string | Buffer | undefined): Promise<void> {
  const bytes = Buffer.from(body ?? '');
  if (bytes.length <= PIECE) {
    sent.end(body);
    return;
  }
  let refused = false;
  sent.once('response', () => {
    refused = true;
  });
  sent.setHeader('content-length', bytes.length);
  for (let at = 0; at < bytes.length && !refused && !sent.destroyed; at += PIECE) {
    sent.write(bytes.subarray(at, at + PIECE));
    await pause(at === 0 ? 100 : 1);
  }
  sent.end();
}

function messagesIn(text: string, type: string): Message[] {
  if (type.includes('text/event-stream')) {
    return text
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:') && line.length > 6)
      .map((line) => JSON.parse(line.slice(5)));
  }
  if (!type.includes('json') || text === '') {
    return [];
  }
  const body: Wire = JSON.parse(text);
  return Array.isArray(body) ? body : [body];
}

/** What every POST to an MCP endpoint carries. */
export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** Posts a JSON-RPC message, or a body that only looks like one. */
export function post(url: string, body: Wire, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  return exchange(url, {
    headers: { ...MCP_HEADERS, ...headers },
    body: raw ? body : JSON.stringify(body),
  });
}

/** An MCP endpoint as a channel: one POST a request, with a session where the server gives one. */
export class Endpoint implements Channel {
  readonly url: string;
  readonly headers: Record<string, string>;
  #nextId = 1;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.url = url;
    this.headers = { ...headers };
  }

  async request(method: string, params?: Wire): Promise<Message> {
    const id = this.#nextId;
    this.#nextId += 1;
    const answer = await post(this.url, { jsonrpc: '2.0', id, method, params }, this.headers);
    const found = answer.messages.find((message) => message.method === undefined && message.id === id);
    const refused = answer.messages.find((message) => message.error !== undefined);
    const message = found ?? refused;
    if (!message) {
      throw new Error(`No JSON-RPC answer to ${method}: HTTP ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    return message;
  }

  /** Shakes hands as a client of 2025-11-25 does. */
  async initialize(params: Wire = INITIALIZE): Promise<HttpAnswer> {
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
    const answer = await post(this.url, body, this.headers);
    const session = answer.headers['mcp-session-id'];
    if (typeof session === 'string') {
      this.headers['mcp-session-id'] = session;
    }
    this.headers['mcp-protocol-version'] = HANDSHAKE_REVISION;
    await post(this.url, { jsonrpc: '2.0', method: 'notifications/initialized' }, this.headers);
    return answer;
  }

  async close(): Promise<void> {
    // Nothing is held between two requests.
  }
}
