/** Reading the configuration again: it applies, or it says that it needs a restart; calls in flight finish as they began. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { type Gateway, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { faultOf, type Message, post, send } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call } from './support/messages.ts';
import type { Step } from './support/puppet.ts';
import { failing } from './support/world.ts';

const HANG: Step[] = [{ hang: true }];

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(() => http.close());

describe('reading the file again', () => {
  const base = (): Message => ({ upstreams: { u: { url: http.url, timeout_ms: 3000 } } });
  const gateway = keepGateway(() => startGateway(base()));

  /** Each test starts from the same settings, known to be in force because a new endpoint is. */
  let round = 0;
  beforeEach(async () => {
    round += 1;
    const name = `m${round}`;
    gateway().rewrite({ upstreams: { ...base()['upstreams'], [name]: { url: http.url } } });
    await expect
      .poll(async () => (await post(at(gateway(), name), call('echo'))).status, { timeout: 4000 })
      .toBe(200);
  });

  /** Applied, or said to need a restart: one of them, soon. */
  async function appliedOrSaid(
    at: Gateway,
    logged: number,
    setting: string,
    applied: () => Promise<boolean>,
  ): Promise<void> {
    const [first = setting, last = setting] = setting.split('.');
    const said = (): boolean =>
      at
        .log()
        .slice(logged)
        .split('\n')
        .some((line) => (line.includes(last) || line.includes(first)) && /restart/i.test(line));
    await expect.poll(async () => (await applied()) || said(), { timeout: 4000, interval: 100 }).toBe(true);
  }

  it.each([
    [
      'faults.keep',
      { faults: { keep: 3 } },
      async (gate: Gateway) => {
        for (let index = 0; index < 6; index += 1) await post(at(gate, 'u'), call('nope'));
        return (
          (JSON.parse((await send(`${gate.url}/-/faults?limit=100`, undefined)).body) as Message)['faults']
            .length === 3
        );
      },
    ],
    [
      'limits.body_bytes',
      { limits: { body_bytes: 2048 } },
      async (gate: Gateway) =>
        (await post(at(gate, 'u'), call('echo', { text: 'x'.repeat(10_000) }))).status === 413,
    ],
    [
      'limits.message_bytes',
      { limits: { message_bytes: 2048 } },
      async (gate: Gateway) => {
        const big = { answer: { result: { content: [{ type: 'text', text: 'x'.repeat(10_000) }] } } };
        const { message } = await post(at(gate, 'u'), call('pay', { script: [big] }));
        return message['result']?.isError === true || message['error'] !== undefined;
      },
    ],
    [
      'dialect',
      { dialect: 'onx' },
      async (gate: Gateway) =>
        (await post(at(gate, 'u'), call('pay', { script: [failing('Order 1 was not found')] }))).message[
          'result'
        ]?.error !== undefined,
    ],
    [
      'joined.enabled',
      { joined: { enabled: false } },
      async (gate: Gateway) => (await post(at(gate, ''), ask('tools/list'))).status === 404,
    ],
    [
      'joined.separator',
      { joined: { separator: '.' } },
      async (gate: Gateway) => {
        const { message } = await post(at(gate, ''), ask('tools/list'));
        return (message['result']?.tools ?? []).some((tool: Message) => tool['name'] === 'u.echo');
      },
    ],
    [
      'keys',
      { keys: [{ name: 'a', key: 'a-key-0123456789' }] },
      async (gate: Gateway) => (await post(at(gate, 'u'), call('echo'))).status === 401,
    ],
    [
      'listen.allowed_hosts',
      { listen: { allowed_hosts: ['gate.example'] } },
      async (gate: Gateway) =>
        (await post(at(gate, 'u'), call('echo'), { headers: { host: 'gate.example' } })).status === 200,
    ],
  ] as [string, object, (gate: Gateway) => Promise<boolean>][])(
    'applies %s or says that it needs a restart',
    async (setting, change, applied) => {
      const logged = gateway().log().length;
      gateway().rewrite({ ...base(), ...change });
      await appliedOrSaid(gateway(), logged, setting, () => applied(gateway()));
    },
  );

  it.each([
    ['timeout_ms', { timeout_ms: 300 }, { script: HANG }, 'timeout'],
    [
      'dialect',
      { from: 'erlmcp' },
      { script: [{ answer: { error: { code: -32003, message: 'x' } } }] },
      'not_found',
    ],
  ] as [string, object, object, string][])('applies %s of an upstream', async (_name, change, args, kind) => {
    const now = async (): Promise<unknown> =>
      faultOf(
        (await post(at(gateway(), 'u'), call('pay', args), { within: 1000 }).catch(() => ({ message: {} })))
          .message,
      )['kind'];
    expect(await now()).not.toBe(kind);
    gateway().rewrite({ upstreams: { u: { ...base()['upstreams'].u, ...change } } });
    await expect.poll(now, { timeout: 6000 }).toBe(kind);
  });

  it('says that where to listen needs a restart', async () => {
    const before = gateway().log().length;
    gateway().rewrite({ ...base(), listen: { port: await freePort() } });
    await expect
      .poll(() => gateway().log().slice(before), { timeout: 4000 })
      .toMatch(/listen.*restart|restart.*listen/i);
    expect((await post(at(gateway(), 'u'), call('echo'))).status).toBe(200);
  });

  it('changes nothing when there is a mistake, and tells it', async () => {
    writeFileSync(
      join(gateway().folder, 'mayday.yaml'),
      'upstreams: { u: { url: "http://127.0.0.1:1/mcp", timeout: 1 } }',
    );
    await expect.poll(() => gateway().log(), { timeout: 4000 }).toContain('did you mean timeout_ms?');
    expect((await post(at(gateway(), 'u'), call('echo'))).status).toBe(200);
  });

  it('lets a call in flight finish as it began', async () => {
    const slow: Step[] = [
      { wait: 800 },
      { answer: { result: { content: [{ type: 'text', text: 'as before' }] } } },
    ];
    const open = post(at(gateway(), 'u'), call('pay', { script: slow }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    gateway().rewrite({ upstreams: { v: { url: http.url, timeout_ms: 100 } } });
    expect((await open).message['result']?.content[0].text).toBe('as before');
    await expect
      .poll(async () => (await post(at(gateway(), 'u'), call('echo'))).status, { timeout: 4000 })
      .toBe(404);
  });
});
