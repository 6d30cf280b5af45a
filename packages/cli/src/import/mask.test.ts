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

test('what a reference falls back on is a value as any other', () => {
  expect(
    masked({
      env: { A: '${A:-hunter2}', B: '${B:-8080}', C: 'Bearer ${C:-hunter2}', D: '${env:D:-hunter2}' },
      headers: { E: '${input:an-id}', F: '${F-hunter2}', G: '${{ secrets.G }}' },
      args: [
        '${A:-hunter2}',
        'x=${A:-correct horse}',
        '${PORT:-8080}',
        '${A:-${B:-hunter2}}',
        '${A:-hunter2',
      ],
      url: 'https://${HOST:-hunter2}/mcp',
      command: '${HOME}/${A:-hunter2}',
    }),
  ).toEqual({
    env: { A: '${A:-[hidden]}', B: '${B:-8080}', C: 'Bearer ${C:-[hidden]}', D: '${env:D:-[hidden]}' },
    headers: { E: '${input:an-id}', F: '${F-[hidden]}', G: '${{ secrets.G }}' },
    args: ['${A:-[hidden]}', 'x=${A:-[hidden]}', '${PORT:-8080}', '${A:-[hidden]}', '${A:-[hidden]'],
    url: 'https://${HOST:-[hidden]}/mcp',
    command: '${HOME}/${A:-[hidden]}',
  });
  expect(
    secretsOf({
      args: ['--token', '${T:-hunter2}'],
      env: { API_KEY: '${API_KEY:-hunter2}', LOG: '${LOG:-debug}', PORT: '${PORT:-8080}' },
      headers: { Authorization: 'Bearer ${TOK:-hunter2}' },
    }),
  ).toEqual(['env.API_KEY', 'headers.Authorization', 'args']);
});

test.each(['', 'none', 'null', 'unset'])(
  'a reference that falls back on nothing is no secret: %s',
  (nothing) => {
    const entry = {
      env: { TOKEN: `\${GH_TOKEN:-${nothing}}` },
      headers: { Authorization: `Bearer \${KEY:-${nothing}}` },
    };
    expect([masked(entry), secretsOf(entry)]).toEqual([entry, []]);
  },
);

test('what a reference under the name of a secret falls back on is hidden, and the reference is not', () => {
  const entry = { env: { TOKEN: '${GH_TOKEN:-hunter2}', PASSWORD: '${PASSWORD:-12345}' } };
  expect(masked(entry)).toEqual({
    env: { TOKEN: '${GH_TOKEN:-[hidden]}', PASSWORD: expect.not.stringContaining('12345') },
  });
});

test.each<[string[], string[], string[]]>([
  [
    ['run', '-i', '--rm', '-e', 'SLACK_PAT=xK29dkS0Lqp1', '-e', 'API_KEY', 'mcp/slack'],
    ['run', '-i', '--rm', '-e', 'SLACK_PAT=[hidden]', '-e', 'API_KEY', 'mcp/slack'],
    ['args'],
  ],
  [['--env', 'OPENAI=xK29dkS0Lqp3'], ['--env', 'OPENAI=[hidden]'], ['args']],
  [['--env=OPENAI=xK29dkS0Lqp3'], ['--env=OPENAI=[hidden]'], ['args']],
  [['-eOPENAI=hunter'], ['-eOPENAI=[hidden]'], []],
  [['-e', 'LOG=debug', '-e', 'PORT=80'], ['-e', 'LOG=[hidden]', '-e', 'PORT=80'], []],
  [['--env', 'OPENAI_API_KEY', 'img'], ['--env', 'OPENAI_API_KEY', 'img'], []],
  [['--connection-string', 'xK29dkS0LqpF'], ['--connection-string', '[hidden]'], ['args']],
  [['--whatever=xK29dkS0LqpF'], ['--whatever=[hidden]'], ['args']],
  [['--pw', 'hunter'], ['--pw', '[hidden]'], ['args']],
  [
    ['-c', 'OPENAI=xK29dkS0Lqp5 PG="correct horse" exec npx x --api-key abcd'],
    ['-c', 'OPENAI=[hidden]'],
    ['args'],
  ],
  [
    ['-c', 'cd /srv && PG="correct horse" exec npx x --api-key "abcd" --dir /srv'],
    ['-c', 'cd /srv && PG=[hidden] exec npx x --api-key [hidden] --dir /srv'],
    ['args'],
  ],
  [['-c', "sh -c 'npx x --api-key abcd'"], ['-c', "sh -c 'npx x --api-key [hidden]"], ['args']],
  [
    ['--mode', 'read-only', '--region', 'us-east-1', '--dir', '/srv/a1B2', '--from', 'mcp==1.2.3'],
    ['--mode', 'read-only', '--region', 'us-east-1', '--dir', '/srv/a1B2', '--from', 'mcp==1.2.3'],
    [],
  ],
])('values behind flags and names are no more to be seen than env: %j', (args, shown, secrets) => {
  expect(masked({ args })).toEqual({ args: shown });
  expect(secretsOf({ args })).toEqual(secrets);
});

test('a command in one string is a command line too', () => {
  expect(masked({ command: 'npx -y x --api-key abcd' })).toEqual({ command: 'npx -y x --api-key [hidden]' });
  expect(secretsOf({ command: 'npx -y x --api-key abcd' })).toEqual(['command']);
});
