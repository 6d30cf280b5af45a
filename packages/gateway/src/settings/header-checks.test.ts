import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';

/** What is wrong with an upstream, with the line that says it. */
function wrong(upstream: string): string {
  try {
    readSettings(`upstreams:\n  a:\n    ${upstream.replaceAll('\n', '\n    ')}\n`, { env: {} });
    return 'fine';
  } catch (error) {
    return (error as Error).message.replace('upstreams.a.', '');
  }
}

describe('a server over HTTP', () => {
  const sent = (name: string, value: string): string =>
    wrong(`url: http://127.0.0.1:9/mcp\nheaders:\n  ${name}: ${JSON.stringify(value)}`);

  it.each([
    ['Content-Type', 'text/plain'],
    ['content-type', ''],
    ['content-type', 'application/jsonl'],
    ['Content-Encoding', 'gzip'],
    ['accept-encoding', 'gzip'],
    ['accept', 'text/html'],
    ['Mcp-Session-Id', 'x'],
    ['mcp-session-id', ''],
    ['MCP-Protocol-Version', '2025-06-18'],
    ['mcp-method', 'tools/call'],
    ['mcp-name', 'x'],
    ['last-event-id', '1'],
  ])('writes %s: %j itself', (name, value) => {
    expect(sent(name, value).replace(/^settings:[45]: /, '')).toBe(
      `headers.${name.toLowerCase()}: The gateway writes this header itself; leave it out`,
    );
  });

  it.each(['Proxy-Authorization', 'proxy-connection', 'HTTP2-Settings'])('is not sent %s', (name) => {
    expect(sent(name, 'Basic YTpi')).toContain('This header is for a proxy and is not sent on');
  });

  it.each([
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Accept', 'application/json, text/event-stream'],
    ['accept', 'application/json'],
    ['accept', '*/*'],
    ['accept-encoding', 'identity'],
    ['Host', 'inside.example'],
    ['mcp-param-region', 'eu'],
    ['user-agent', 'x'],
    ['traceparent', 'x'],
  ])('is sent %s: %s', (name, value) => {
    expect(sent(name, value)).toBe('fine');
  });
});

describe('an API', () => {
  const api = (more: string): string => wrong(`openapi: ./api.json\n${more}`);
  const KEY = 'idempotency_header';

  it.each([
    [
      'base_url: http://x/v1?key=hunter2',
      'base_url: A query in it is not sent; put its names and values into query',
    ],
    ['operations: []', 'operations: Expected at least one operation; leave it out for all of them'],
    [`${KEY}: Authorization`, `${KEY}: This header is not free to carry a key`],
    [`${KEY}: content-length`, `${KEY}: This header is not free to carry a key`],
    [`${KEY}: Host`, `${KEY}: This header is not free to carry a key`],
    [`${KEY}: mcp-session-id`, `${KEY}: This header is not free to carry a key`],
    [`${KEY}: Cookie`, `${KEY}: This header is not free to carry a key`],
    [
      `${KEY}: X-Key\nheaders: { x-key: fixed }`,
      `${KEY}: headers has it too, the same for all calls; keep one of them`,
    ],
  ])('is not told %s', (more, why) => {
    expect(api(more)).toBe(`settings:4: ${why}`);
  });

  it('has no key where a credential is', () => {
    const store = '\nstore: { url: "memory:", secret: a-secret-of-the-store }';
    const both = `openapi: ./api.json\n${KEY}: X-Key\ncaller_credentials: x-key`;
    const text = `upstreams:\n  a:\n    ${both.replaceAll('\n', '\n    ')}${store}\n`;
    expect(() => readSettings(text, { env: {} })).toThrow(
      'caller_credentials sends a credential in this header',
    );
  });

  it.each([
    'base_url: http://x/v1?',
    'operations: [one]',
    `${KEY}: Idempotency-Key`,
    'headers: { content-type: application/vnd.api+json, accept: text/html, accept-encoding: gzip, host: x }',
  ])('is told %s', (more) => {
    expect(api(more)).toBe('fine');
  });
});
