/** What stands in bytes that are no text is read too: nothing that is surely a secret leaves in them, and all else stays where it was. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

const TOKEN = 'ghp_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2bC4';
const STARS = '*'.repeat(TOKEN.length);
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
const OCTETS = 'application/octet-stream';

async function returned(content: readonly unknown[], more: object = {}): Promise<{ [key: string]: never }[]> {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  server.registerTool('t', {}, async () => ({ isError: true, content, ...more }) as never);
  const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
  return answer.result?.['content'] as never;
}

const resource = (held: Buffer, mimeType?: string) => ({
  type: 'resource',
  resource: { uri: 'file:///x', mimeType, blob: held.toString('base64') },
});
const image = (held: Buffer) => ({ type: 'image', mimeType: 'image/png', data: held.toString('base64') });

/** The bytes of a block, as they leave. */
async function left(block: unknown): Promise<Buffer> {
  const [first] = (await returned([block])) as { data?: string; resource?: { blob: string } }[];
  return Buffer.from(first?.data ?? first?.resource?.blob ?? '', 'base64');
}

describe('bytes that are no text', () => {
  const say = (secret: string): readonly [string, Buffer][] => [
    ['a zero before', bytes([0], `token ${secret}`)],
    ['a zero behind', bytes(`token ${secret}`, [0])],
    ['memory', bytes([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0], `token ${secret}`, [0, 0xfe, 0xff])],
    ['a database', bytes('SQLite format 3\0', `token ${secret}`, [0, 1, 2])],
    [
      'a picture with a text',
      bytes([0x89], 'PNG\r\n\x1a\n\0\0\0\x40tEXt', `Comment\0token ${secret}`, [9, 8, 7, 6]),
    ],
    ['a setting', bytes([0, 1], `api_key=${secret}`, [0])],
    [
      'a private key',
      bytes([0], '-----BEGIN PRIVATE KEY-----\nMIIEvQ', `${secret}\n-----END PRIVATE KEY-----`, [0]),
    ],
    ['wide letters', bytes([0, 1, 0, 2], [...Buffer.from(`token ${secret}`, 'utf16le')], [3, 0xff])],
    [
      'wide letters, the other way round',
      bytes([0, 1, 0, 2], [...Buffer.from(`token ${secret}`, 'utf16le').swap16()], [0xff]),
    ],
  ];
  const after = new Map(say(STARS));

  it.each(say(TOKEN))('lose it where it stands, and nothing else: %s', async (what, held) => {
    for (const block of [resource(held, OCTETS), image(held)]) {
      const safe = await left(block);
      expect(safe).toHaveLength(held.length);
      for (const encoding of ['latin1', 'utf16le'] as const)
        expect(safe.toString(encoding)).not.toContain(TOKEN);
      if (what !== 'a private key') expect(safe.equals(after.get(what) as Buffer)).toBe(true);
    }
  });

  it('lose a password that a name tells', async () => {
    const safe = await left(resource(bytes([0], 'password=Xk9#mQ2vTr81', [0]), OCTETS));
    expect(safe.toString('latin1')).toBe('\0password=************\0');
  });

  it('stay as they are where somebody reads a letter in each', async () => {
    const held = bytes('line 1 caf', [0xe9], `\ntoken ${TOKEN}\n`);
    const safe = await left(resource(held, 'text/plain'));
    expect(safe.toString('latin1')).toMatch(/^line 1 caf\xe9\ntoken \[token:1\]\n$/);
  });

  it('are said to be in the encoding in which they were written anew', async () => {
    const held = Buffer.from(`ключ: token ${TOKEN}`, 'utf16le');
    const [block] = (await returned([resource(held, 'text/plain; charset=utf-16le')])) as unknown as {
      resource: { mimeType: string; blob: string };
    }[];
    expect(Buffer.from(block?.resource.blob ?? '', 'base64').toString()).toBe('ключ: token [token:1]');
    expect(block?.resource.mimeType).toBe('text/plain; charset=utf-8');
  });

  it('do not leave where more text stands in them than anybody reads', async () => {
    const held = bytes([0], `${'lorem ipsum '.repeat(100_000)}token ${TOKEN}`);
    const [first, second] = await returned([resource(held, OCTETS), image(held)]);
    const text = expect.stringMatching(/^\[left out: /);
    expect(first).toEqual({ type: 'resource', resource: { uri: 'file:///x', mimeType: 'text/plain', text } });
    expect(second).toEqual({ type: 'text', text });
  });
});

describe('bytes without a secret', () => {
  // Numbers that look as if by chance, the same each time.
  const noise = (size: number, seed: number): Buffer => {
    const held = Buffer.alloc(size);
    for (let at = 0, next = seed; at < size; at++) {
      next = (Math.imul(next, 1_103_515_245) + 12_345) >>> 0;
      held[at] = next >>> 16;
    }
    return held;
  };

  it('stay to the byte', async () => {
    const blocks = Array.from({ length: 60 }, (_, seed) => image(noise(20_000, seed)));
    expect(await returned(blocks)).toEqual(blocks);
  });

  it('keep the order of what stands beside them', async () => {
    const blob = Buffer.from(`token ${TOKEN}`).toString('base64');
    const blocks = [
      { type: 'resource', resource: { blob, mimeType: 'text/plain', uri: 'a://b' } },
      {
        resource: { uri: 'a://b', blob: noise(400, 1).toString('base64'), mimeType: OCTETS },
        type: 'resource',
      },
      { type: 'resource', resource: { mimeType: 'text/plain', text: `token ${TOKEN}`, uri: 'a://b' } },
    ];
    const names = (block: { resource?: object }) => [Object.keys(block), Object.keys(block.resource ?? {})];
    // The SDK has an order of its own, which is that of a success.
    const passed = await returned(blocks, { isError: false });
    expect((await returned(blocks)).slice(0, 3).map(names)).toEqual(passed.map(names));
  });
});

it('what is no base64 under the name of bytes is a text', async () => {
  const [block] = await returned([{ type: 'image', mimeType: 'image/png', data: `token ${TOKEN}` }]);
  expect(JSON.stringify(block)).not.toContain(TOKEN);
});

it('what a success holds stays', async () => {
  const block = resource(bytes([0], `token ${TOKEN}`), OCTETS);
  expect(await returned([block], { isError: false })).toEqual([block]);
});
