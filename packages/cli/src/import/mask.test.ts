// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of clients
import { expect, test } from 'vitest';
import { masked, secretsOf } from './mask.ts';

test('every value of env and headers is hidden that is no flag, small number or reference', () => {
  expect(
    masked({
      x: {
        env: { A: 'hunter2', B: 'true', C: '8080', D: '${D}', E: 'Bearer ${env:E}', F: '$F' },
        headers: { 'x-any': 'word', nested: { deep: 'word' } },
      },
    }),
  ).toEqual({
    x: {
      env: { A: '[hidden]', B: 'true', C: '8080', D: '${D}', E: 'Bearer ${env:E}', F: '$F' },
      headers: { 'x-any': '[hidden]', nested: { deep: '[hidden]' } },
    },
  });
});

test.each([
  [
    ['--api-key', 'abcd'],
    ['--api-key', '[hidden]'],
  ],
  [
    ['--api-key=abcd', 'abcd'],
    ['--api-key=[hidden]', 'abcd'],
  ],
  [
    ['--header', 'X: y'],
    ['--header', '[hidden]'],
  ],
  [['postgresql://u:pw12345@h/db'], ['postgresql://[credentials:1]@h/db']],
  [
    ['-y', '@modelcontextprotocol/server-github'],
    ['-y', '@modelcontextprotocol/server-github'],
  ],
  [
    ['-k', 'abcd', '-p', 'hunter2'],
    ['-k', '[hidden]', '-p', '[hidden]'],
  ],
  [
    ['-p', '8080', '-p', '@scope/package'],
    ['-p', '8080', '-p', '@scope/package'],
  ],
  [
    ['mcp-remote', 'https://x.example/s/OGQ5ZmE3NzItYzQ5Yy00/mcp'],
    ['mcp-remote', 'https://x.example/s/[hidden]/mcp'],
  ],
])('of the arguments %j', (args, expected) => {
  expect(masked({ args })).toEqual({ args: expected });
});

test('secrets are named by where they are', () => {
  expect(
    secretsOf({
      command: 'x',
      args: ['--token', 'abcd'],
      env: {
        API_KEY: 'abc',
        LOG_LEVEL: 'debug',
        OTHER: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
        KEY: '${K}',
      },
    }),
  ).toEqual(['env.API_KEY', 'env.OTHER', 'args']);
  expect(
    secretsOf({ url: 'https://x.example/mcp?api_key=abcd1234', headers: { Authorization: 'Bearer a' } }),
  ).toEqual(['headers.Authorization', 'url']);
});

test.each([
  [
    'https://mcp.zapier.com/api/mcp/s/OGQ5ZmE3NzItYzQ5Yy00/mcp',
    'https://mcp.zapier.com/api/mcp/s/[hidden]/mcp',
    ['url'],
  ],
  [
    'https://api.example.com/v1/streamable-http-server/mcp',
    'https://api.example.com/v1/streamable-http-server/mcp',
    [],
  ],
])('of the URL %s', (url, shown, secrets) => {
  expect(masked({ url })).toEqual({ url: shown });
  expect(secretsOf({ url })).toEqual(secrets);
});

test('a reference among the arguments is no secret, and neither is the package that npx is to run', () => {
  expect(secretsOf({ args: ['--header', 'Authorization: Bearer ${T}'] })).toEqual([]);
  expect(secretsOf({ args: ['-p', 'some-package', 'run'] })).toEqual([]);
  expect(secretsOf({ args: ['-k', 'abcd'] })).toEqual(['args']);
});
