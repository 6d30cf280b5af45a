/** What stands beside the content of an error result has an end, as its texts have. */
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw } from './wire.ts';

const OPTIONS = { maxTextLength: 1000 };

async function answered(version: string, result: object): Promise<{ readonly [name: string]: unknown }> {
  const info = { name: 's', version: '1' };
  const work = (async () => ({ isError: true, content: [], ...result })) as never;
  const v1 = guardV1(new McpServerV1(info), OPTIONS);
  v1.registerTool('t', {}, work);
  const v2 = guard(new McpServer(info), OPTIONS);
  v2.registerTool('t', {}, work);
  const wire = await connectRaw((version === 'v1' ? v1 : v2) as never);
  const clientInfo = { name: 'c', version: '1' };
  await wire.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return (await wire.ask('tools/call', { name: 't', arguments: {} })).result as never;
}

const LONG = `${'x'.repeat(5_000_000)}`;
const CUT = `${'x'.repeat(1000)}… [4,999,000 more characters]`;

describe.each(['v1', 'v2'])('%s', (version) => {
  it.each(['structuredContent', '_meta'])('a long text in %s is cut', async (member) => {
    const result = await answered(version, { [member]: { id: 7, report: LONG, list: [{ more: LONG }] } });
    expect(result[member]).toMatchObject({ id: 7, report: CUT, list: [{ more: CUT }] });
  });

  it.each(['structuredContent', '_meta'])('so are too many texts and numbers in %s', async (member) => {
    const rows = Array.from({ length: 100_000 }, (_, n) => ({ n, text: 'a row of some report' }));
    const result = await answered(version, { [member]: { first: 1, rows, last: 2 } });
    const told = result[member] as { first: number; rows: unknown[]; last: number };
    expect(JSON.stringify(result).length).toBeLessThan(40_000);
    expect(told.first).toBe(1);
    expect(told.rows[0]).toEqual({ n: 0, text: 'a row of some report' });
    expect(told.rows.at(-1)).toMatch(/^… \[[\d,]+ more entries\]$/);
  });

  it('of too many members it is said how many more there were', async () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`name${n}`, 'a value']));
    const { structuredContent } = await answered(version, { structuredContent: many });
    expect(structuredContent).toMatchObject({ name0: 'a value' });
    expect(Object.entries(structuredContent as object).at(-1)).toEqual([
      '…',
      expect.stringMatching(/^\[[\d,]+ more entries\]$/),
    ]);
  });

  it('so is a long text of a resource, and what is said of a link', async () => {
    const content = [
      { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', text: LONG } },
      { type: 'resource_link', uri: 'a://b', name: 'b', description: LONG },
      { type: 'text', text: 'short', _meta: { more: LONG } },
    ];
    expect((await answered(version, { content }))['content']).toMatchObject([
      { resource: { uri: 'a://b', text: CUT } },
      { name: 'b', description: CUT },
      { text: 'short', _meta: { more: CUT } },
    ]);
  });

  it('so are many long texts of resources', async () => {
    const block = { type: 'resource', resource: { uri: 'a://b', text: LONG.slice(0, 900) } };
    const result = await answered(version, { content: Array.from({ length: 500 }, () => block) });
    expect(JSON.stringify(result).length).toBeLessThan(20_000);
  });

  it('pictures and bytes of resources stay as they are', async () => {
    const data = Buffer.from(Uint8Array.from({ length: 30_000 }, (_, n) => (n * 7919) % 256)).toString(
      'base64',
    );
    const content = [
      { type: 'image', mimeType: 'image/png', data },
      { type: 'resource', resource: { uri: 'a://b', mimeType: 'application/zip', blob: data } },
    ];
    expect((await answered(version, { content }))['content']).toMatchObject(content);
  });

  it('what is no failure, or short, stays as it is', async () => {
    const kept = { id: 7, list: [1, 'two', null, { three: true }], text: 'x'.repeat(1000) };
    expect((await answered(version, { structuredContent: kept }))['structuredContent']).toEqual(kept);
    const success = await answered(version, { isError: false, structuredContent: { report: LONG } });
    expect(success['structuredContent']).toEqual({ report: LONG });
  });

  it('no half of a secret is left where it is cut', async () => {
    const report = `${'x '.repeat(490)}key sk_live_51HxQyzAbCdEfGhIjKlMnOpQrStUv${' y'.repeat(9000)}`;
    const result = await answered(version, { structuredContent: { report } });
    expect(JSON.stringify(result)).not.toContain('sk_live');
  });
});
