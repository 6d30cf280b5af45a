/** A name or an origin that no request could ever carry is a mistake; what can only mean one thing is taken for it. */
import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';

/** How it is read, or what is told of it, in a file of five lines. */
function read(name: string, said: string): unknown {
  const text = `upstreams:\n  u: { command: node }\nlisten:\n  ${name}:\n    - ${JSON.stringify(said)}\n`;
  try {
    const { listen } = readSettings(text, { file: 'mayday.yaml', env: {} }).settings;
    return [...listen.allowedHosts, ...listen.allowedOrigins];
  } catch (error) {
    return (error as Error).message;
  }
}

const ORIGIN = 'mayday.yaml:5: listen.allowed_origins.0: ';
const HOST = 'mayday.yaml:5: listen.allowed_hosts.0: ';

describe('an origin', () => {
  it.each([
    ['*', '*'],
    ['null', 'null'],
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://Example.com:443', 'https://example.com'],
    ['HTTP://example.com:80/', 'http://example.com'],
    ['http://example.com:8080', 'http://example.com:8080'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
    ['http://[2001:DB8::1]:8080', 'http://[2001:db8::1]:8080'],
    ['chrome-extension://abcdef/', 'chrome-extension://abcdef'],
    ['tauri://localhost', 'tauri://localhost'],
  ])('%s', (said, kept) => {
    expect(read('allowed_origins', said)).toEqual([kept]);
  });

  it.each([
    ['example.com', 'Expected an origin, with its scheme and without a path, such as https://example.com'],
    [
      'Example.com:8080',
      'Expected an origin, with its scheme and without a path, such as https://example.com:8080',
    ],
    [
      'HTTPS://example.com/app?x=1',
      'Expected an origin, with its scheme and without a path, such as https://example.com',
    ],
    [
      'https://ann:hunter22@example.com',
      'Expected an origin, with its scheme and without a path, such as https://example.com',
    ],
    ['', 'Expected an origin, with its scheme and without a path, such as https://app.example.com'],
    ['https://app.example.com:99999', 'Expected a port from 1 to 65535, or none'],
    ['https://app.example.com:0', 'Expected a port from 1 to 65535, or none'],
    ['https://*.example.com', 'Origins are compared whole; write each of them, or * for all'],
  ])('not %s', (said, wrong) => {
    expect(read('allowed_origins', said)).toContain(ORIGIN + wrong);
  });
});

describe('a name of this host', () => {
  it.each([
    ['*', '*'],
    ['x', 'x'],
    ['MCP.example.com', 'mcp.example.com'],
    ['example.com:8080', 'example.com:8080'],
    ['2001:DB8::1', '[2001:db8::1]'],
    ['[2001:db8::1]:8080', '[2001:db8::1]:8080'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['my_host', 'my_host'],
  ])('%s', (said, kept) => {
    expect(read('allowed_hosts', said)).toEqual([kept]);
  });

  it.each([
    [
      'https://Example.com',
      'Expected a name as a Host header has it, without scheme and path, such as example.com',
    ],
    [
      'example.com/mcp',
      'Expected a name as a Host header has it, without scheme and path, such as example.com',
    ],
    ['', 'Expected a name as a Host header has it, without scheme and path, such as mcp.example.com'],
    ['mcp.example.com:0', 'Expected a port from 1 to 65535, or none'],
    ['[::1]:65536', 'Expected a port from 1 to 65535, or none'],
    ['*.example.com', 'Names are compared whole; write each of them, or * for all'],
  ])('not %s', (said, wrong) => {
    expect(read('allowed_hosts', said)).toContain(HOST + wrong);
  });
});
