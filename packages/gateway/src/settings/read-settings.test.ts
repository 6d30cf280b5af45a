import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type ConfigError, readConfig } from './read-config.ts';
import { CONFIG_SCHEMA } from './schema.ts';

function problems(text: string, env = {}): readonly string[] {
  try {
    readConfig(text, { file: 'mayday.yaml', env });
    return [];
  } catch (error) {
    return (error as ConfigError).message.split('\n');
  }
}

it('reads a whole configuration', () => {
  const text = `
listen: { port: 0 }
dialect: mcp
upstreams:
  files: { command: npx, args: [server], env: { TOKEN: 'x-\${TOKEN}' } }
  search: { url: 'https://search.example/mcp', from: closient, breaker: false }
  shop: { openapi: ./shop.yaml, base_url: 'https://shop.example', retry: { attempts: 2 } }
keys: [{ name: ci, key: '\${KEY:-0123456789}', dialect: onx }]
`;
  expect(readConfig(text, { env: { TOKEN: 's3cret' } })).toMatchObject({
    upstreams: { files: { env: { TOKEN: 'x-s3cret' } }, search: { breaker: false } },
    keys: [{ key: '0123456789' }],
  });
});

it('reports every mistake with its line, in order', () => {
  const text = `dialekt: mayday
upstreams:
  files:
    command: npx
    timeout: 5
  search:
    url: ftp://x
    from: closeint
  Both: { command: a, url: 'http://b' }
  none: {}
`;
  expect(problems(text)).toEqual([
    'mayday.yaml:1: dialekt: Unknown setting; did you mean dialect?',
    'mayday.yaml:5: upstreams.files.timeout: Unknown setting; did you mean timeout_ms?',
    'mayday.yaml:7: upstreams.search.url: Expected a value that must match pattern "^https?://"',
    'mayday.yaml:8: upstreams.search.from: Unknown value; did you mean closient?',
    'mayday.yaml:9: upstreams.Both: Expected a name of lower-case letters, digits and hyphens',
    'mayday.yaml:9: upstreams.Both: An upstream has one of command, url and openapi; here are command and url',
    'mayday.yaml:10: upstreams.none: An upstream has one of command, url and openapi; none of them is here',
  ]);
});

it('names a variable that is not set, and never the value of one that is', () => {
  const text = `upstreams:
  a:
    url: http://x
    headers: { authorization: "Bearer \${A} \${B}" }
`;
  const [said] = problems(text, { B: 'hunter2' });
  expect(said).toBe(
    'mayday.yaml:4: upstreams.a.headers.authorization: The environment variable A is not set',
  );
});

it('reports text that is no YAML', () => {
  expect(problems('upstreams:\n  a: [1,\n')[0]).toMatch(/^mayday\.yaml:\d+: /);
});

it('asks for upstreams', () => {
  expect(problems('{}')).toEqual(['mayday.yaml:1: upstreams is missing']);
  expect(problems('')).toHaveLength(1);
});

it('publishes the schema that it checks with', () => {
  const file = new URL('../../schema/config.schema.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(CONFIG_SCHEMA);
});
