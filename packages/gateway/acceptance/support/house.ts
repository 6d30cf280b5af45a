/** The house that most files use: one upstream of each kind, and the joined endpoint over all of them. */
import { expect } from 'vitest';
import { type Gateway, scratch, startGateway } from './gateway.ts';
import { type Answer, post, type SendOptions } from './http.ts';
import type { HttpPuppet } from './http-puppet.ts';
import { call } from './messages.ts';
import type { PuppetOptions } from './puppet.ts';
import { API_PATHS, openapiFile, stdio } from './world.ts';

/** `s` over stdio, `u` over HTTP, `o` an OpenAPI document; the empty name is the joined endpoint. */
export const ENDPOINTS = ['s', 'u', 'o', ''] as const;

/** What came of one request of many. */
export interface Outcome {
  readonly where: string;
  readonly status: number;
  readonly code: unknown;
  /** Whether a JSON-RPC message came back. */
  readonly told: boolean;
  readonly trouble?: string | undefined;
}

/** Starts the house; `settings` hold for every upstream. */
export function startHouse(
  http: HttpPuppet,
  settings: { readonly timeout_ms?: number; readonly [name: string]: unknown } = {},
  puppet: PuppetOptions = {},
  more: object = {},
): Promise<Gateway> {
  const folder = scratch();
  const { timeout_ms } = settings;
  // As patient with its start as with its calls.
  const opening = timeout_ms === undefined ? {} : { open_timeout_ms: timeout_ms };
  const upstreams = {
    s: stdio(puppet, { ...opening, ...settings }),
    u: { url: http.url, ...settings },
    o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin, ...settings },
  };
  return startGateway({ upstreams, ...more }, { folder });
}

/** The address of an endpoint. */
export function at(gateway: Gateway, name: string): string {
  return `${gateway.url}${name === '' ? '' : `/${name}`}/mcp`;
}

/** The same bytes to every endpoint in both eras, at once. */
export function everywhere(gateway: Gateway, body: string | Buffer, within = 5000): Promise<Outcome[]> {
  const eras = ['2025', '2026'] as const;
  return Promise.all(
    ENDPOINTS.flatMap((name) =>
      eras.map((era) => {
        const headers: Record<string, string> = era === '2026' ? { 'mcp-name': 'echo' } : {};
        return outcome(`/${name} ${era}`, post(at(gateway, name), body, { era, headers, within }));
      }),
    ),
  );
}

/** An answer, or why there is none, as data that an assertion can show. */
export async function outcome(where: string, answer: Promise<Answer>): Promise<Outcome> {
  try {
    const { status, message } = await answer;
    return { where, status, code: message['error']?.code, told: Object.keys(message).length > 0 };
  } catch (error) {
    return { where, status: 0, code: undefined, told: false, trouble: String(error) };
  }
}

/** Fails unless every endpoint serves an ordinary caller as if nothing had been. */
export async function othersAreServed(gateway: Gateway, options: SendOptions = {}): Promise<void> {
  const answers = await Promise.all(
    ENDPOINTS.map(async (name) => {
      const request = call(name === '' ? 's_echo' : 'echo', { text: 'hi' }, `w-${name}`);
      const answer = await post(at(gateway, name), request, { within: 3000, ...options }).catch(String);
      if (typeof answer === 'string') return answer;
      return [answer.status, answer.message['id'], answer.message['result']?.isError ?? false];
    }),
  );
  expect(answers).toEqual([
    [200, 'w-s', false],
    [200, 'w-u', false],
    [200, 'w-o', false],
    [200, 'w-', false],
  ]);
}
