/** What the caller sent as a key that opens nothing is quoted to it, thrown and returned, wherever the word `key` stands. */
import { fault } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

const KEYS = [
  'user:1001:profile',
  'cache:v2:orders:2026-11-18',
  'tenant-42/exports/2026-Q4/summary.csv',
  'invoices/2026/11/inv-991.pdf',
  'media/9f86d081884c7d65/thumb.jpg',
  'backup-20261118-021500-full.tar.zst',
  'd290f1ee-6c54-4b01-90e6-d701748f0851',
  '01HZX3K9T2QW8R7Y5M4N6P0ABC',
  '507f1f77bcf86cd799439011',
  'hT7kL2mN9pQ4rS6vW8xY0z',
  '8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d',
  'sales_2026_q3',
  'Ctrl+Shift+P',
  'ENG-991',
];

const WORDINGS: readonly ((key: string) => string)[] = [
  (key) => `Key ${key} not found`,
  (key) => `Key "${key}" not found`,
  (key) => `Key '${key}' does not exist`,
  (key) => `No such key: ${key}`,
  (key) => `The key ${key} does not exist in bucket b`,
  (key) => `Key not found: ${key}`,
  (key) => `NoSuchKey: The specified key does not exist: ${key}`,
  (key) => `No value found for key ${key}`,
  (key) => `Unknown key: ${key}`,
  (key) => `Object ${key} not found`,
  (key) => `Key already exists: ${key}`,
  (key) => `Object not found (bucket=b, key=${key})`,
  (key) => `<Error><Code>NoSuchKey</Code><Key>${key}</Key></Error>`,
];

const thrown = (text: string) => (): never => {
  throw new Error(text);
};
const returned = (text: string) => (): object => ({ isError: true, content: [{ type: 'text', text }] });

async function answerOf(make: () => unknown, args: object): Promise<string> {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  server.registerTool('t', { inputSchema: z.looseObject({}) }, async () => {
    await Promise.resolve();
    return make() as never;
  });
  return JSON.stringify(await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: args }));
}

describe.each(KEYS)('%s', (key) => {
  it.each(['key', 'path', 'fileKey'])('is quoted where it was sent as `%s`', async (name) => {
    const lost: string[] = [];
    for (const say of WORDINGS)
      for (const how of [thrown, returned])
        if (!(await answerOf(how(say(key)), { [name]: key })).includes(key))
          lost.push(`${how.name} ${say(key)}`);
    expect(lost).toEqual([]);
  });

  it('stays in members of what is returned, and in details of a fault', async () => {
    const members = (): object => ({
      isError: true,
      content: [{ type: 'text', text: 'no' }],
      structuredContent: { Code: 'NoSuchKey', Key: key },
      _meta: { 'acme/tried': { key } },
    });
    const details = (): never => {
      throw fault.notFound('No such key', { details: { key } });
    };
    const answer = await answerOf(members, { key });
    expect(answer).toContain(`"Key":"${key}"`);
    expect(answer).toContain(`"acme/tried":{"key":"${key}"}`);
    expect(await answerOf(details, { key })).toContain(`"key":"${key}"`);
  });
});

describe('comes back from nobody', () => {
  const AZURE = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
  const HEX = 'b7e23ec29af22b0b4e41da31e868d572';
  const WORD = 'Wq8vT2rYp0ZsLk4HnD6bXe1M';
  const GITHUB = `ghp_${'1a'.repeat(18)}`;

  it.each<readonly [string, object]>([
    [HEX, { api_key: HEX }],
    [WORD, { openai_key: WORD }],
    [AZURE, { azure_key: AZURE }],
    [AZURE, { storage_key: AZURE }],
    [AZURE, { account: 'x', key: AZURE }],
    [HEX, { search_key: HEX }],
    [HEX, { env: { AZURE_SEARCH_KEY: HEX } }],
    [AZURE, { env: { AZURE_STORAGE_KEY: AZURE } }],
    [WORD, { credentials: { key: WORD } }],
    [HEX, { auth: { type: 'apikey', key: HEX } }],
    [HEX, { auth: { key: HEX, secret: WORD } }],
    [WORD, { provider: 'openai', key: WORD }],
    [WORD, { username: 'ada', key: WORD }],
    [HEX, { type: 'api_key', key: HEX }],
    [GITHUB, { key: GITHUB }],
  ])('%s of %j', async (value, args) => {
    for (const text of [
      `Key ${value} not found`,
      `Key "${value}" does not exist`,
      `Value ${value} is unknown`,
    ])
      for (const how of [thrown, returned]) expect(await answerOf(how(text), args)).not.toContain(value);
  });

  it.each([
    ['AZURE_SEARCH_KEY', HEX],
    ['MEILI_SEARCH_KEY', HEX],
    ['S3_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqT9sLk4Hn'],
    ['cosmos_key', AZURE],
    ['heroku_key', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'],
  ])('the server’s own under %s', async (name, value) => {
    const ways: readonly (() => unknown)[] = [
      () => ({
        isError: true,
        content: [{ type: 'text', text: 'no' }],
        structuredContent: { config: { [name]: value } },
      }),
      () => ({
        isError: true,
        content: [{ type: 'text', text: 'no' }],
        _meta: { config: { [name]: value } },
      }),
      () => {
        throw fault.conflict('Refused', { details: { config: { [name]: value } } });
      },
      returned(JSON.stringify({ error: 'refused', config: { [name]: value } })),
      returned(`${name}=${value}`),
      returned(`Invalid ${name}: ${value}`),
      thrown(`Invalid ${name}: ${value}`),
    ];
    for (const way of ways) expect(await answerOf(way, { id: '7' })).not.toContain(value);
  });
});
