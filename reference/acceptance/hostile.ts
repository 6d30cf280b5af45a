import { setTimeout as pause } from 'node:timers/promises';
import { exchange, type HttpAnswer, MCP_HEADERS, post } from './http.ts';
import type { Pipe } from './stdio.ts';
import type { Message, Wire } from './wire.ts';

/** What a hostile input is: not JSON, no request, a request with wrong parameters, or a request that must fail. */
export type HostileKind = 'parse' | 'request' | 'params' | 'too_large' | 'fails' | 'silent';

/** One hostile input. */
export interface Hostile {
  readonly name: string;
  readonly kind: HostileKind;
  readonly bytes: string | Buffer;
  /** The id that the answer carries; `null` where none can be known. */
  readonly id: Wire;
}

const call = (id: Wire, rest: Wire): string => JSON.stringify({ jsonrpc: '2.0', id, ...rest });
const deep = '['.repeat(100_000) + ']'.repeat(100_000);

/** Sixteen inputs and more that no well-behaved client sends. */
export const HOSTILE: readonly Hostile[] = [
  { name: 'text that is no JSON', kind: 'parse', bytes: 'hello there', id: null },
  { name: 'a truncated message', kind: 'parse', bytes: '{"jsonrpc":"2.0","id":1,"method":"pi', id: null },
  {
    name: 'bytes that are no UTF-8',
    kind: 'parse',
    bytes: Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"pi'),
      Buffer.from([0xff, 0xfe, 0x22, 0x7d]),
    ]),
    id: null,
  },
  { name: 'a number', kind: 'request', bytes: '42', id: null },
  { name: 'null', kind: 'request', bytes: 'null', id: null },
  { name: 'a string', kind: 'request', bytes: '"ping"', id: null },
  { name: 'an empty batch', kind: 'request', bytes: '[]', id: null },
  { name: 'no method', kind: 'request', bytes: call(901, {}), id: 901 },
  {
    name: 'another version of JSON-RPC',
    kind: 'request',
    bytes: '{"jsonrpc":"1.0","id":902,"method":"ping"}',
    id: 902,
  },
  { name: 'a method that is no string', kind: 'request', bytes: call(903, { method: 7 }), id: 903 },
  { name: 'an id that is an object', kind: 'request', bytes: call({}, { method: 'ping' }), id: null },
  { name: 'an id that is null', kind: 'request', bytes: call(null, { method: 'ping' }), id: null },
  {
    name: 'an id with a fraction',
    kind: 'request',
    bytes: '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    id: 1.5,
  },
  {
    name: 'params that are text',
    kind: 'params',
    bytes: call(904, { method: 'tools/call', params: 'x' }),
    id: 904,
  },
  {
    name: 'params that are a list',
    kind: 'params',
    bytes: call(905, { method: 'tools/call', params: [] }),
    id: 905,
  },
  {
    name: 'a call without a name',
    kind: 'params',
    bytes: call(906, { method: 'tools/call', params: {} }),
    id: 906,
  },
  {
    name: 'seventeen megabytes',
    kind: 'too_large',
    bytes: call(907, { method: 'ping', params: { padding: 'x'.repeat(17 * 1024 * 1024) } }),
    id: 907,
  },
  {
    name: 'a hundred thousand brackets',
    kind: 'fails',
    bytes: `{"jsonrpc":"2.0","id":908,"method":"tools/call","params":{"name":"nope","arguments":{"a":${deep}}}}`,
    id: 908,
  },
  {
    name: 'names of the language itself',
    kind: 'fails',
    bytes:
      '{"jsonrpc":"2.0","id":909,"method":"tools/call","params":{"name":"__proto__","arguments":{"__proto__":{"x":1}}}}',
    id: 909,
  },
  {
    name: 'half a character and a NUL',
    kind: 'fails',
    bytes:
      '{"jsonrpc":"2.0","id":910,"method":"tools/call","params":{"name":"\\ud800\\u0000","arguments":{}}}',
    id: 910,
  },
  { name: 'an answer to nothing', kind: 'silent', bytes: call(911, { result: {} }), id: undefined },
  {
    name: 'a notification nobody knows',
    kind: 'silent',
    bytes: '{"jsonrpc":"2.0","method":"nope"}',
    id: undefined,
  },
];

/** Sends one hostile line, then a ping. Gives what came before the ping's answer. */
export async function assaultPipe(pipe: Pipe, hostile: Hostile): Promise<readonly Message[]> {
  const before = pipe.received.length;
  pipe.send(hostile.bytes);
  pipe.send('\n');
  if (hostile.kind !== 'silent') {
    await pipe.find((message) => pipe.received.indexOf(message) >= before, 8000, hostile.name);
  }
  const ping = await pipe.request('ping');
  if (ping.result === undefined) {
    throw new Error(`After ${hostile.name}, ping is answered with ${JSON.stringify(ping)}`);
  }
  await pause(10);
  return pipe.received.slice(before).filter((message) => message !== ping);
}

/** Posts one hostile body, then a ping. Gives the answer to the first. */
export async function assaultEndpoint(
  url: string,
  hostile: Hostile,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const answer = await exchange(url, { headers: { ...MCP_HEADERS, ...headers }, body: hostile.bytes });
  const ping = await post(url, { jsonrpc: '2.0', id: 'after', method: 'ping' }, headers);
  if (ping.messages[0]?.result === undefined) {
    throw new Error(`After ${hostile.name}, ping is answered with ${ping.text}`);
  }
  return answer;
}

/** HTTP requests that never become a message: what is wrong, and the status that says so. */
export const REFUSED: readonly {
  readonly name: string;
  readonly status: number;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}[] = [
  { name: 'GET', status: 405, method: 'GET', headers: MCP_HEADERS, body: undefined },
  { name: 'DELETE', status: 405, method: 'DELETE', headers: MCP_HEADERS, body: undefined },
  { name: 'PUT', status: 405, method: 'PUT', headers: MCP_HEADERS, body: '{}' },
  {
    name: 'an Accept that rules out every answer',
    status: 406,
    method: 'POST',
    headers: { ...MCP_HEADERS, accept: 'text/html' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  },
  {
    name: 'a Content-Type that is not JSON',
    status: 415,
    method: 'POST',
    headers: { ...MCP_HEADERS, 'content-type': 'text/plain' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  },
  {
    name: 'a foreign Host',
    status: 403,
    method: 'POST',
    headers: { ...MCP_HEADERS, host: 'evil.example' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  },
];

const FOREIGN = [
  'reaction',
  'executed',
  'correlation_id',
  'correlationId',
  'dev.mayday/fault',
  'origin',
  'kind',
];

/** Members of an answer that only Mayday's own dialect has. */
export function foreignMembers(value: Wire): string[] {
  if (value === null || typeof value !== 'object') {
    return [];
  }
  const own = Object.keys(value).filter((key) => FOREIGN.includes(key));
  return [...own, ...Object.values(value).flatMap((member) => foreignMembers(member))];
}
