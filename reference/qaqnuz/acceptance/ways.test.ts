import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOW } from '../../acceptance/program.ts';
import { referenceArguments } from '../../acceptance/reference.ts';
import { closeAll, connectEveryWay, WAYS, type Way } from '../../acceptance/six-ways.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';
import { ALL_SCOPES, openPlatform, type Platform, textOf } from './platform.ts';

let platform: Platform;
let channels: Map<Way, Channel>;
let strangers: Map<Way, Channel>;
beforeAll(async () => {
  platform = await openPlatform();
  const { key } = await platform.issue('acme', ALL_SCOPES);
  const args = referenceArguments('qaqnuz', ['--data', platform.folder, '--provider', platform.provider.url]);
  platform.provider.reply = () => ({ status: 500, body: 'boom' });
  channels = await connectEveryWay(platform.server.mcp, args, {
    headers: { authorization: `Bearer ${key}` },
    env: { QAQNUZ_KEY: key },
  });
  strangers = await connectEveryWay(platform.server.mcp, args, {
    ways: ['raw over HTTP', 'SDK v1 over HTTP', 'SDK v2 over HTTP'],
  });
}, SLOW);
afterAll(async () => {
  await Promise.all([closeAll(channels), closeAll(strangers)]);
  await platform.close();
});

/** What every client sees of a failure: nothing but a text, whatever the revision adds to each result. */
async function seen(channel: Channel | undefined, tool: string, args: Wire): Promise<Wire> {
  const answer = await callTool(channel as Channel, tool, args);
  expect(answer).not.toHaveProperty('error');
  expect(answer.result?.isError).toBe(true);
  expect(answer.result?.content?.length).toBe(1);
  expect(answer.result).not.toHaveProperty('structuredContent');
  return textOf(answer);
}

describe.each(WAYS)('%s', (way) => {
  const at = (): Channel | undefined => channels.get(way);

  it('QA-2 QA-4 QA-9: wrong arguments are a result with one text', async () => {
    expect(await seen(at(), 'find_contacts', {})).toMatch(/name/);
  });

  it('QA-2 QA-4 QA-15: so is a tool that cannot be reached', async () => {
    expect(await seen(at(), 'no_such_tool', {})).toBe('This tool is not available for your key.');
  });

  it('QA-2 QA-4 QA-12: and a provider that fails', async () => {
    expect(await seen(at(), 'check_stock', { sku: 'A1' })).not.toContain('boom');
  });

  it('QA-2 QA-4 QA-10: and an action that needs approval', async () => {
    expect(await seen(at(), 'issue_refund', { order: 'w1', amount_cents: 5 })).toMatch(/requires approval/);
  });

  it('QA-24: a success is not an error', async () => {
    const { result } = await callTool(at() as Channel, 'find_contacts', { name: 'a' });
    expect(result.isError ?? false).toBe(false);
  });
});

describe('without a key', () => {
  it.each(['raw over HTTP', 'SDK v1 over HTTP', 'SDK v2 over HTTP'] as const)(
    'QA-14: %s sees Unauthorized and no tools',
    async (way) => {
      expect(await seen(strangers.get(way), 'find_contacts', { name: 'a' })).toBe('Unauthorized');
      expect((await strangers.get(way)?.request('tools/list'))?.result?.tools).toEqual([]);
    },
  );
});
