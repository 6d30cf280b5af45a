/** What the tests of `docs/admin.md` share: a request of an operator, a stream that is followed, and calls that leave something behind. */
import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import type { Gateway } from './gateway.ts';
import { faultOf, type Message, type SendOptions, send } from './http.ts';
import { fate, use } from './policy.ts';
import { failing } from './world.ts';

export const OPS = 'ops-key-0123456789abcdef';
export const EVE = 'eve-key-0123456789abcdef';
export const ANN = 'ann-key-0123456789abcdef';
/** Two operators and a caller, of the file. */
export const KEYS: readonly object[] = [
  { name: 'ops', key: OPS, role: 'operator' },
  { name: 'eve', key: EVE, role: 'operator' },
  { name: 'ann', key: ANN },
];

/** What the admin API said. */
export interface Told {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, read as JSON; empty where it is none. */
  readonly body: Message;
}

/** Asks the admin API, as the operator `ops` if no other key is given; a body makes it a POST. */
export async function admin(
  gateway: { readonly url: string },
  path: string,
  body?: unknown,
  options: SendOptions = {},
): Promise<Told> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await send(`${gateway.url}/-/admin/v1${path}`, body, {
    method: body === undefined ? 'GET' : 'POST',
    within: 20_000,
    key: OPS,
    ...options,
    headers: { ...json, ...options.headers },
  });
  const [first] = answer.messages;
  return { status: answer.status, headers: answer.headers, text: answer.body, body: first ?? {} };
}

/** The status, and the kind of the failure. */
export async function refusal(...asked: Parameters<typeof admin>): Promise<string> {
  const { status, body } = await admin(...asked);
  return `${status} ${body['kind'] ?? 'fine'}`;
}

/** A name that nobody has, also when a test is tried again. */
export function fresh(name: string): string {
  return `${name}-${randomUUID().slice(0, 8)}`;
}

/** Makes a key; its secret is `key`. */
export async function made(gateway: Gateway, wishes: object): Promise<Message> {
  const { status, body } = await admin(gateway, '/keys', wishes);
  expect([status, body]).toEqual([201, body]);
  return body;
}

/** Makes a call that needs consent, and tells the id of its request. */
export async function asked(gateway: Gateway, tool: string, args: object, key = ANN): Promise<string> {
  const { message } = await use(gateway, 'u', tool, args, { key });
  expect(fate(message)).toBe('approval_required/no');
  return String(faultOf(message)['details']?.approval_id);
}

/** Has a tool fail with these words. */
export async function failed(gateway: Gateway, text: string, key = ANN): Promise<void> {
  const { message } = await use(gateway, 'u', 'echo', { script: [failing(text)] }, { key });
  expect(message['result']?.isError).toBe(true);
}

/** A stream that is read until it ends, or is left. */
export interface Followed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly incoming: IncomingMessage;
  text(): string;
  /** What came as `data`. */
  events(): Message[];
  ended(): boolean;
  leave(): void;
}

/** Opens a stream of failures. */
export function follow(
  gateway: { readonly url: string },
  path = '/faults/stream',
  headers: Record<string, string> = {},
): Promise<Followed> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${gateway.url}/-/admin/v1${path}`, {
      headers: { authorization: `Bearer ${OPS}`, ...headers },
      agent: false,
    });
    outgoing.once('error', reject).end();
    outgoing.once('response', (incoming) => {
      outgoing.on('error', () => undefined);
      let [text, over] = ['', false];
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      incoming
        .on('error', () => undefined)
        .once('close', () => {
          over = true;
        });
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        incoming,
        text: () => text,
        events: () => dataOf(text),
        ended: () => over,
        leave: () => outgoing.destroy(),
      });
    });
  });
}

function dataOf(text: string): Message[] {
  return text
    .split('\n\n')
    .flatMap((event) => event.split('\n'))
    .filter((line) => line.startsWith('data: {') && line.endsWith('}'))
    .map((line) => JSON.parse(line.slice(6)) as Message);
}
