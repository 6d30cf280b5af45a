/** One message of a run: its bytes on the wire, how they are delivered, and what has to come back. */
import { anyBody, type Endpoint } from './grammar.ts';
import { mutated } from './mutate.ts';
import { type Random, randomFor } from './random.ts';

/** What the far end owes. */
type Owed =
  /** A whole HTTP response. */
  | 'answer'
  /** A response whose stream may stay open. */
  | 'stream'
  /** A response or a closed connection: this was no HTTP request, or half of one. */
  | 'end';

/** One message. */
export interface Shot {
  readonly index: number;
  readonly head: string;
  readonly body: Buffer;
  /** The request, in the pieces in which it is written. */
  readonly pieces: readonly Buffer[];
  readonly owed: Owed;
  /** We hang up after this many pieces, whatever comes. */
  readonly hangUp: boolean;
  /** Waits behind others on the same connection. */
  readonly pipelined: boolean;
  /** Carries the right key. */
  readonly authorized: boolean;
  /** The id that the answer has to carry, where the request has a proper one. */
  readonly id: string | number | undefined;
}

/** What a shot needs to know about the gateway. */
export interface Range {
  readonly host: string;
  readonly endpoints: readonly Endpoint[];
  readonly key: string;
  /** Sessions that are open, for requests that use one. */
  readonly sessions: readonly string[];
}

const DIALECTS = [
  'mayday',
  'mcp',
  'onx',
  'closient',
  'erlmcp',
  'qaqnuz',
  'platica',
  'problem',
  'tool-failure',
  'mcp@draft',
  'nope',
  '',
];

/** Makes the message with this index; the same seed gives the same message. */
export function shotFor(seed: number, index: number, range: Range): Shot {
  const random = randomFor(seed, index);
  const endpoint = random.pick(range.endpoints);
  const modern = random.chance(0.45);
  const method = random.chance(0.94)
    ? 'POST'
    : random.pick(['GET', 'GET', 'DELETE', 'PUT', 'OPTIONS', 'PATCH']);
  const body = method === 'POST' ? anyBody(random, endpoint, modern) : Buffer.alloc(0);
  const chunked = body.length > 0 && random.chance(0.15);
  const path = random.chance(0.99)
    ? endpoint.path
    : random.pick(['/', '/nope/mcp', '/-/status', '/-/faults', '/-/health', '/%2e%2e/mcp', '//mcp']);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${range.host}`,
    ...headers(random, range, body, modern),
    ...framing(body, chunked),
  ].join('\r\n');
  const wire = Buffer.concat([
    Buffer.from(`${head}\r\n\r\n`, 'latin1'),
    chunked ? inChunks(random, body) : body,
  ]);
  return delivered(random, { index, head, body, wire, method, path, key: range.key });
}

/** The same message as one plain request, for a replay. */
export function plainShot(index: number, head: string, body: Buffer): Shot {
  const kept = head
    .split('\r\n')
    .filter((line) => !/^(content-length|transfer-encoding):/i.test(line))
    .join('\r\n');
  const wire = Buffer.concat([
    Buffer.from(`${kept}\r\nContent-Length: ${body.length}\r\n\r\n`, 'latin1'),
    body,
  ]);
  return {
    index,
    head: kept,
    body,
    pieces: [wire],
    owed: 'answer',
    hangUp: false,
    pipelined: false,
    authorized: true,
    id: idOf(body),
  };
}

interface Made {
  readonly index: number;
  readonly head: string;
  readonly body: Buffer;
  readonly wire: Buffer;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

function delivered(random: Random, { index, head, body, wire, method, path, key }: Made): Shot {
  const roll = random.int(1000);
  const stream = (method === 'GET' && path.endsWith('/mcp')) || body.includes('subscriptions/listen');
  const base = {
    index,
    head,
    body,
    id: idOf(body),
    authorized: head.includes(`Authorization: Bearer ${key}`),
    hangUp: false,
    pipelined: false,
    owed: stream ? 'stream' : 'answer',
  } as const;
  if (roll < 15) return { ...base, pieces: cut(random, wire).slice(0, 1), owed: 'end', hangUp: true };
  if (roll < 25)
    return { ...base, pieces: [mutated(random, wire.subarray(0, 400)), wire.subarray(400)], owed: 'end' };
  if (roll < 45) return { ...base, pieces: [wire], hangUp: true };
  if (roll < 100) return { ...base, pieces: cut(random, wire) };
  return { ...base, pieces: [wire], pipelined: !stream && roll < 400 && wire.length < 20_000 };
}

function headers(random: Random, range: Range, body: Buffer, modern: boolean): string[] {
  const lines = [
    `Content-Type: ${random.chance(0.97) ? 'application/json' : random.pick(['text/plain', 'application/json; charset=utf-16', ''])}`,
  ];
  lines.push(
    `Accept: ${random.chance(0.97) ? 'application/json, text/event-stream' : random.pick(['*/*', 'text/html', 'application/json', 'text/event-stream'])}`,
  );
  if (random.chance(0.985)) lines.push(`Authorization: Bearer ${range.key}`);
  else
    lines.push(
      random.pick(['Authorization: Bearer wrong-key-0123456789', 'Authorization: Basic eDp5', 'X-None: 1']),
    );
  if (modern) lines.push(...modernHeaders(random, body));
  else if (random.chance(0.3))
    lines.push(`MCP-Protocol-Version: ${random.pick(['2025-11-25', '2025-06-18', '2099-01-01', 'x'])}`);
  if (random.chance(0.06))
    lines.push(
      `Mcp-Session-Id: ${random.pick([...range.sessions, 'never-opened', '__proto__', 'x'.repeat(300)])}`,
    );
  if (random.chance(0.1)) lines.push(`Mayday-Dialect: ${random.pick(DIALECTS)}`);
  if (random.chance(0.02))
    lines.push(`Last-Event-ID: ${random.pick(['r1-1', '0', '-1', 'x'.repeat(500), '__proto__'])}`);
  if (random.chance(0.01))
    lines.push(
      random.pick([
        'Expect: 100-continue',
        'X-Odd: \u00ff\u0080',
        'Content-Encoding: gzip',
        'Origin: https://evil.example',
        `X-Long: ${'y'.repeat(7000)}`,
      ]),
    );
  return lines;
}

function modernHeaders(random: Random, body: Buffer): string[] {
  const { method = 'tools/call', name } = described(body);
  const lines = [`MCP-Protocol-Version: ${random.chance(0.97) ? '2026-07-28' : '2099-01-01'}`];
  if (random.chance(0.97)) lines.push(`Mcp-Method: ${random.chance(0.98) ? method : 'tools/list'}`);
  if (name !== undefined && random.chance(0.97))
    lines.push(`Mcp-Name: ${random.chance(0.98) ? name : 'another'}`);
  return lines;
}

/** What the headers of 2026-07-28 repeat, where the body says it in letters that a header can hold. */
function described(body: Buffer): { method?: string | undefined; name?: string | undefined } {
  const plain = (value: unknown): string | undefined =>
    typeof value === 'string' && /^[\w/.:-]{1,100}$/.test(value) ? value : undefined;
  try {
    const message = JSON.parse(body.toString('utf8', 0, 5000)) as Record<string, unknown>;
    const params = message['params'] as Record<string, unknown> | undefined;
    return { method: plain(message['method']), name: plain(params?.['name'] ?? params?.['uri']) };
  } catch {
    return {};
  }
}

function framing(body: Buffer, chunked: boolean): string[] {
  if (chunked) return ['Transfer-Encoding: chunked'];
  return body.length > 0 ? [`Content-Length: ${body.length}`] : [];
}

function inChunks(random: Random, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const size = Math.min(body.length - at, 1 + random.int(random.chance(0.5) ? 20 : 5000));
    parts.push(Buffer.from(`${size.toString(16)}\r\n`), body.subarray(at, at + size), Buffer.from('\r\n'));
    at += size;
    if (parts.length > 300) parts.push(...lastChunk(body.subarray(at)));
    if (parts.length > 300) break;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

function lastChunk(rest: Buffer): Buffer[] {
  return rest.length === 0 ? [] : [Buffer.from(`${rest.length.toString(16)}\r\n`), rest, Buffer.from('\r\n')];
}

function cut(random: Random, wire: Buffer): Buffer[] {
  const cuts = Array.from({ length: 1 + random.int(3) }, () => random.int(wire.length)).sort((a, b) => a - b);
  const edges = [0, ...cuts, wire.length];
  return edges.slice(1).map((to, index) => wire.subarray(edges[index] ?? 0, to));
}

/** The id of a proper request: a text or a number, named once. */
function idOf(body: Buffer): string | number | undefined {
  if (body.length > 200_000 || body.length === 0) return undefined;
  const text = body.toString('utf8');
  if (text.split('"id"').length !== 2 || text.includes('\ufffd')) return undefined;
  try {
    const message = JSON.parse(text) as Record<string, unknown>;
    const id = message['id'];
    const proper = typeof message['method'] === 'string' && message['jsonrpc'] === '2.0';
    return proper && (typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)))
      ? id
      : undefined;
  } catch {
    return undefined;
  }
}
