/** Callers with tokens: whose a task is says their subject, at every worker and also when the token is renewed. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Gateway, scratch, startGateway } from '../../acceptance/support/gateway.ts';
import { type Issuer, inSeconds, RESOURCE, startIssuer } from '../../acceptance/support/issuer.ts';
import { ASKING, both, Client, type Headers } from './two-workers.ts';

const folder = scratch();
let login: Issuer;
let gateway: Gateway;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
beforeAll(async () => {
  login = await startIssuer();
  const oauth = { resource: RESOURCE, issuers: [{ name: 'login', issuer: login.url }] };
  gateway = await startGateway({ workers: 2, oauth, upstreams: { p: ASKING } }, { folder });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await login.down();
  rmSync(folder, { recursive: true, force: true });
});

let tokens = 0;
/** A token that nobody has sent before. */
async function token(sub: string): Promise<Headers> {
  const claims = { sub, jti: `token-${++tokens}`, exp: inSeconds(3600 + tokens) };
  return { authorization: `Bearer ${await login.token(claims)}` };
}

it.each(['/p/mcp', '/mcp'])('at %s', async (path) => {
  const url = gateway.url + path;
  const [first, second] = await both(url, await token('ann'));
  const task = await second.begin({ ask: 'elicitation/create' });
  const renewed = first.sending(await token('ann'));
  const waiting = renewed.wait(task);
  await renewed.answer(await waiting.next('elicitation/create'), { action: 'accept' });
  expect((await waiting.next()).result.content).toEqual([{ type: 'text', text: '{"action":"accept"}' }]);
  const [anew] = await both(url, await token('ann'));
  for (const client of [renewed, anew, new Client(url, await token('ann'))]) {
    expect((await client.ask('tasks/get', { taskId: task })).result).toMatchObject({ taskId: task });
    const { result } = await client.ask('tasks/list');
    expect(result.tasks.map(({ taskId }: { taskId: string }) => taskId)).toContain(task);
  }
  for (const client of [...(await both(url, await token('bob'))), new Client(url, await token('bob'))]) {
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      expect((await client.ask(method, { taskId: task })).error.data).toMatchObject({ kind: 'not_found' });
    const { result } = await client.ask('tasks/list');
    expect(result.tasks).toEqual([]);
  }
  const stolen = renewed.sending(await token('bob'));
  expect((await stolen.ask('tasks/get', { taskId: task })).status).toBe(404);
});
