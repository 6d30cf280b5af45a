import { expect, test } from 'vitest';
import { parseClientSettings } from './client-settings.ts';

const large = (history: string, command: string): string =>
  JSON.stringify({ history: history.repeat(300_000), mcpServers: { a: { command } } });

test('of a large file, what is not about servers is not read again', () => {
  const parse = parseClientSettings('mcp.json');
  const first = parse(large('x', 'node'));
  expect(first?.value).toEqual({ upstreams: { a: { command: 'node' } } });
  expect(parse(large('y', 'node'))).toBe(first);
  expect(parse(large('y', 'deno'))?.value).toEqual({ upstreams: { a: { command: 'deno' } } });
  expect(parse(`// mine\n${large('y', 'bun')}`)?.value).toEqual({ upstreams: { a: { command: 'bun' } } });
  expect(parse(large('y', 'node').slice(0, -1))?.problems).toHaveLength(1);
});
