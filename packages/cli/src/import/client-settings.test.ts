// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of clients
import { readSettings } from '@mayday/gateway';
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

test.each([{}, { TOKEN: 'of the shell', HOST: 'shell.example' }])(
  'what an entry gives as its own is its own, with %j around it',
  (env) => {
    const args = ['mcp-remote', 'https://x.example', '--header', 'Authorization:${TOKEN}'];
    const text = JSON.stringify({
      mcpServers: {
        one: { command: 'npx', args, env: { TOKEN: 'Bearer one' } },
        two: { command: 'npx', args, env: { TOKEN: 'Bearer two' } },
        far: {
          url: 'https://${HOST}/mcp',
          headers: { authorization: 'Bearer ${TOKEN}' },
          env: { TOKEN: 'three', HOST: 'far.example' },
        },
      },
    });
    const { settings, warnings } = readSettings(text, { env, parse: parseClientSettings('mcp.json') });
    expect(settings.upstreams.get('one')).toMatchObject({ args, env: { TOKEN: 'Bearer one' } });
    expect(settings.upstreams.get('two')).toMatchObject({ args, env: { TOKEN: 'Bearer two' } });
    expect(settings.upstreams.get('far')).toMatchObject({
      url: new URL('https://far.example/mcp'),
      headers: { authorization: 'Bearer three' },
    });
    expect(warnings.filter(({ message }) => /TOKEN|HOST|env /.test(message))).toEqual([]);
  },
);
