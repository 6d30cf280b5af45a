/** An endpoint that nobody can stall, from docs/shaping.md: who is missing from a virtual server is named, and costs the others nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize } from '../support/messages.ts';
import { fate } from '../support/policy.ts';
import type { Step } from '../support/puppet.ts';
import { found, names, told } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const HANG: Step[] = [{ hang: true }];
const WHO = 'dev.mayday/unavailable';
let [well, deaf]: HttpPuppet[] = [];
beforeAll(async () => {
  well = await startHttpPuppet();
  deaf = await startHttpPuppet({ on: { 'tools/list': HANG } });
});
afterAll(async () => {
  await Promise.all([well?.close(), deaf?.close()]);
});
const gateway = keepGateway(() =>
  startGateway({
    joined: { part_timeout_ms: 3000 },
    upstreams: {
      gone: { url: 'http://127.0.0.1:1/mcp' },
      deaf: { url: deaf?.url },
      well: { url: well?.url },
      ghost: { command: 'no-such-program-anywhere' },
      odd: stdio({ on: { 'tools/list': [{ answer: { result: null } }] } }),
      mute: stdio({ on: { initialize: HANG, 'server/discover': HANG } }),
    },
    virtual: {
      some: { tools: ['mute/*', 'ghost/*', 'well/*', 'deaf/*', 'gone/*'] },
      lazy: { tools: ['gone/*', 'well/*'], discovery: 'lazy' },
      dead: { tools: ['gone/*', 'ghost/*'] },
      fine: { tools: ['well/*'] },
      half: { tools: ['odd/*', 'well/*'] },
    },
  }),
);

describe('a virtual server of which most are missing', () => {
  it('lists the rest, and names the missing in the order of the file', async () => {
    const { message } = await post(at(gateway(), 'some'), ask('tools/list'), { within: 20_000 });
    expect(message['result']?.tools.map(({ name }: { name: string }) => name)).toEqual([
      'well_echo',
      'well_pay',
      'well_lookup',
    ]);
    expect(message['result']?._meta?.[WHO]).toEqual(['gone', 'deaf', 'ghost', 'mute']);
  });

  it('is opened', async () => {
    const { message } = await post(at(gateway(), 'some'), initialize(), { within: 20_000 });
    expect(message['result']?.capabilities?.tools).toEqual({ listChanged: true });
    expect(message['result']?.capabilities).not.toHaveProperty('prompts');
    expect(message['result']?.capabilities).not.toHaveProperty('resources');
  });

  it('calls go to their own server', async () => {
    expect(await told(gateway(), 'some', 'well_echo', { text: 'hi' })).toBe('echo: hi');
    const { message } = await post(at(gateway(), 'some'), call('gone_echo'), { within: 20_000 });
    expect(fate(message)).toMatch(/\/no$/);
  });

  it('the log says it once', async () => {
    await post(at(gateway(), 'fine'), ask('tools/list'));
    for (let time = 0; time < 3; time += 1) {
      await post(at(gateway(), 'some'), ask('tools/list'), { within: 20_000 });
    }
    const lines = gateway()
      .log()
      .split('\n')
      .filter((line) => line.includes('fault upstream=deaf method=tools/list'));
    expect(lines).toHaveLength(1);
  });
});

it('one of which nobody is missing names nobody', async () => {
  const { message } = await post(at(gateway(), 'fine'), ask('tools/list'));
  expect(message['result']?._meta?.[WHO]).toBeUndefined();
  expect(await names(gateway(), 'fine')).toEqual(['well_echo', 'well_pay', 'well_lookup']);
});

it('one of which all are missing fails, with the reason', async () => {
  const { message } = await post(at(gateway(), 'dead'), ask('tools/list'), { within: 20_000 });
  expect(fate(message)).toMatch(/^(unavailable|misconfigured|disconnected|not_found)/);
  expect(message['error']?.message.length).toBeGreaterThan(5);
});

it('a search names the missing too', async () => {
  expect(await found(gateway(), 'lazy', 'search_tools', {})).toMatchObject({
    total: 3,
    unavailable: ['gone'],
  });
  expect(await names(gateway(), 'lazy')).toEqual(['search_tools', 'describe_tools', 'call_tool']);
});

it('a server whose list is none is missing', async () => {
  const { message } = await post(at(gateway(), 'half'), ask('tools/list'), { within: 20_000 });
  expect(message['result']?._meta?.[WHO]).toEqual(['odd']);
  expect(message['result']?.tools).toHaveLength(3);
});
