/** A text that leaves as bytes is still a text: what is secret in it does not leave. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

const LEAK = 'connect postgres://svc:hunter2Sup3r@10.0.0.5/x';
const base64 = (text: string, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(text, encoding).toString('base64');
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function returned(content: unknown): Promise<{ [key: string]: never }[]> {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  server.registerTool('t', {}, async () => ({ isError: true, content: [content] }) as never);
  const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
  return answer.result?.['content'] as never;
}

const resource = (more: object) => ({ type: 'resource', resource: { uri: 'a://b', ...more } });

describe('a text in base64', () => {
  it.each([
    ['a blob of plain text', resource({ mimeType: 'text/plain', blob: base64(LEAK) })],
    ['a blob of no type', resource({ blob: base64(LEAK) })],
    [
      'a blob of JSON',
      resource({ mimeType: 'application/json', blob: base64(JSON.stringify({ error: LEAK })) }),
    ],
    [
      'a blob that calls itself bytes',
      resource({ mimeType: 'application/octet-stream', blob: base64(LEAK) }),
    ],
    ['a picture that is a text', { type: 'image', mimeType: 'text/plain', data: base64(LEAK) }],
    ['a text that calls itself a picture', { type: 'image', mimeType: 'image/png', data: base64(LEAK) }],
    ['a sound that is a text', { type: 'audio', mimeType: 'audio/wav', data: base64(LEAK) }],
    [
      'a drawing',
      { type: 'image', mimeType: 'image/svg+xml', data: base64(`<svg><text>${LEAK}</text></svg>`) },
    ],
    ['an older encoding', resource({ mimeType: 'text/plain', blob: base64(`é ${LEAK}`, 'latin1') })],
    ['a wide encoding', resource({ mimeType: 'text/plain', blob: base64(`\uFEFF${LEAK}`, 'utf16le') })],
    [
      'a wide encoding that is declared',
      resource({ mimeType: 'text/plain; charset=utf-16le', blob: base64(LEAK, 'utf16le') }),
    ],
    ['a wide encoding of no type', resource({ blob: base64(LEAK, 'utf16le') })],
    [
      'a wide encoding, the other way round',
      resource({ blob: Buffer.from(LEAK, 'utf16le').swap16().toString('base64') }),
    ],
    [
      'an encoding that nobody knows',
      resource({ mimeType: 'text/plain; charset="x-none"', blob: base64(LEAK) }),
    ],
    ['a long one', resource({ mimeType: 'text/plain', blob: base64(`${'word '.repeat(15_000)}${LEAK}`) })],
  ])('loses its secrets: %s', async (_, block) => {
    const [first] = await returned(block);
    const { data, resource: held } = first as { data?: string; resource?: { blob: string } };
    const text = Buffer.from(data ?? held?.blob ?? '', 'base64').toString('utf8');
    expect(text).toMatch(/connect|word/);
    expect(text).not.toMatch(/hunter2|10\.0\.0\.5/);
  });

  it.each([
    ['a picture', { type: 'image', mimeType: 'image/png', data: PNG }],
    ['bytes', resource({ mimeType: 'application/octet-stream', blob: PNG })],
    ['a text without secrets', resource({ mimeType: 'text/plain', blob: base64('row 7: bad date\n') })],
  ])('stays to the byte when there are none: %s', async (_, block) => {
    expect((await returned(block))[0]).toEqual(block);
  });
});

describe('a text as bytes', () => {
  const bytes = new TextEncoder().encode(LEAK);
  const hex = Buffer.from(bytes).toString('hex');

  it.each<[string, object]>([
    ['an array of bytes', { structuredContent: { out: bytes } }],
    ['a few', { structuredContent: { out: new TextEncoder().encode('password=hunter2Zq9') } }],
    ['a few beside the result', { _meta: { 'x/out': new TextEncoder().encode('password=hunter2Zq9') } }],
    ['wide ones', { structuredContent: { out: new Uint16Array([...bytes]) } }],
    ['a list of them', { structuredContent: { out: [...bytes] } }],
    ['a list of characters', { structuredContent: { out: LEAK.split('') } }],
    ['beside the result', { _meta: { 'x/out': bytes } }],
    [
      'a buffer as it is shown',
      { shown: `No order: <Buffer ${hex.match(/../g)?.join(' ')} ... 7 more bytes>` },
    ],
    ['an array as it is shown', { shown: `No order: Uint8Array(46) [\n  ${[...bytes].join(', ')}\n]` }],
  ])('says no secret: %s', async (_, { shown = 'No order', ...more }: { shown?: string }) => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('t', {}, async () => {
      return { isError: true, content: [{ type: 'text', text: shown }], ...more } as never;
    });
    const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
    const said = JSON.stringify(answer.result);
    expect(said).toContain('No order');
    // h, u, n, t, e, r, one after the other, in whichever notation.
    expect(said).not.toMatch(
      /104\D+117\D+110\D+116\D+101\D+114|h\W+u\W+n\W+t\W+e\W+r|68 75 6e 74 65 72|hunter/,
    );
  });

  it.each<[string, object]>([
    ['numbers', { out: [3, 14, 15, 92, 65, 35, 89, 79, 32, 38] }],
    ['percentages', { out: [99, 98, 97, 96, 95, 94, 93, 92, 91, 90] }],
    ['words', { out: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] }],
    ['a text', { out: [...new TextEncoder().encode('no such order')] }],
  ])('leaves what is no secret: %s', async (_, structuredContent) => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    const content = [{ type: 'text', text: 'No order' }];
    server.registerTool('t', {}, async () => ({ isError: true, content, structuredContent }) as never);
    const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
    expect(answer.result?.['structuredContent']).toEqual(structuredContent);
  });
});
