import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOW } from '../../acceptance/program.ts';
import { referenceArguments } from '../../acceptance/reference.ts';
import { closeAll, connectEveryWay, WAYS, type Way } from '../../acceptance/six-ways.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';
import { type Bridge, KEY, openBridge, passed } from './bridge.ts';

const BODY = '{"code":404,"error":"Client not found","details":"..."}';
let bridge: Bridge;
let channels: Map<Way, Channel>;
beforeAll(async () => {
  bridge = await openBridge(() => ({ status: 404, body: BODY }));
  const args = referenceArguments('platica', ['--data', bridge.folder, '--api-url', bridge.backend.url]);
  channels = await connectEveryWay(bridge.server.mcp, args, {
    headers: { authorization: `Bearer ${KEY}` },
    env: { PLATICA_API_KEY: KEY },
  });
}, SLOW);
afterAll(async () => {
  await closeAll(channels);
  await bridge.close();
});

describe.each(WAYS)('%s', (way) => {
  const call = (tool: string, args: Wire): Promise<Wire> =>
    callTool(channels.get(way) as Channel, tool, args);

  it('PL-20 PL-21 PL-22 PL-23: arguments that break the schema are an execution error with every issue', async () => {
    const before = bridge.backend.visits.length;
    const answer = await call('create_client', { email: 7, phone: false });
    expect(answer.error).toBeUndefined();
    expect(answer.result.isError).toBe(true);
    const { issues } = answer.result.structuredContent;
    expect(issues.map((issue: Wire) => Object.keys(issue).sort())).toEqual(
      issues.map(() => ['code', 'message', 'path']),
    );
    expect(issues.map((issue: Wire) => issue.path)).toEqual([['name'], ['email'], ['phone']]);
    expect(issues.map((issue: Wire) => issue.code)).toEqual(['invalid_type', 'invalid_type', 'invalid_type']);
    const lines = issues.map((issue: Wire) => `${issue.path.join('.')}: ${issue.message}`);
    expect(answer.result.content[0].text.split('\n')).toEqual(lines);
    expect(bridge.backend.visits.length).toBe(before);
  });

  it('PL-21 PL-22: a path inside a list is a path', async () => {
    const { result } = await call('create_webhook', { url: 'https://x.example', events: ['a', 7] });
    expect(result.structuredContent.issues.map((issue: Wire) => issue.path)).toEqual([['events', 1]]);
    expect(result.content[0].text).toMatch(/^events\.1: /);
  });

  it('PL-2 PL-5 PL-14: a failure of the interface is its body, raw and parsed', async () => {
    const { result } = await call('get_client', { id: 'cli_1' });
    expect(result).toMatchObject(passed(BODY));
  });

  it('PL-15: a tool that does not exist is an exception in the client', async () => {
    const answer = await call('no_such_tool', {});
    expect([answer.result, answer.error?.code]).toEqual([undefined, -32602]);
  });
});
