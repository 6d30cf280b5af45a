/** A reload applies everything that the settings table says it applies. */
import { afterEach, expect, it } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import { callTool, cleanUp, faultIn, json, open, post, settingsOf, upstream } from '../tools.ts';

afterEach(cleanUp);

async function failing() {
  const server = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, error: { code: -32603, message: 'no' } }),
  );
  const file = (more: Partial<SettingsFile>): SettingsFile => ({
    upstreams: { a: { url: server.url } },
    ...more,
  });
  const gateway = await open(file({}));
  const reload = (more: Partial<SettingsFile>): void => gateway.reload(settingsOf(file(more)));
  return { gateway, url: `${gateway.url}/a/mcp`, reload };
}

it('the number of faults that are kept', async () => {
  const { gateway, url, reload } = await failing();
  for (let i = 0; i < 3; i++) await post(url, callTool('x'));
  reload({ faults: { keep: 2 } });
  expect(gateway.faults.list()).toHaveLength(2);
  for (let i = 0; i < 3; i++) await post(url, callTool('x'));
  expect([gateway.faults.list().length, gateway.faults.total]).toEqual([2, 6]);
  reload({ faults: { keep: 0 } });
  await post(url, callTool('x'));
  expect(gateway.faults.list()).toEqual([]);
  reload({ faults: { keep: 5 } });
  await post(url, callTool('x'));
  expect(gateway.faults.list()).toHaveLength(1);
});

it('the largest body', async () => {
  const { url, reload } = await failing();
  const large = callTool('x', { a: 'y'.repeat(5000) });
  expect((await post(url, large)).status).toBe(200);
  reload({ limits: { body_bytes: 2048 } });
  expect((await post(url, large)).status).toBe(413);
  reload({});
  expect((await post(url, large)).status).toBe(200);
});

it('keys and dialects', async () => {
  const { url, reload } = await failing();
  reload({ keys: [{ name: 'ci', key: 'a-long-key' }], dialect: 'mayday' });
  expect((await post(url, callTool('x'))).status).toBe(401);
  const authorization = 'Bearer a-long-key';
  expect(faultIn(await post(url, callTool('x'), { authorization }))).toMatchObject({ kind: 'internal' });
  reload({ dialect: 'erlmcp' });
  expect((await post(url, callTool('x'))).message.error?.code).toBe(-32603);
});

it('nothing that needs a restart, and says so as long as it does', async () => {
  const { gateway, reload } = await failing();
  const { length } = gateway.logs;
  reload({ listen: { port: 0, host: '127.0.0.2' } });
  reload({ listen: { port: 0, host: '127.0.0.2' }, faults: { keep: 1 } });
  reload({});
  expect(gateway.logs.slice(length)).toEqual([
    'a restart is needed for listen.host',
    'reloaded: a; nothing else to apply',
    'a restart is needed for listen.host',
    'reloaded: a; changed: faults.keep',
    'reloaded: a; changed: faults.keep',
  ]);
});
