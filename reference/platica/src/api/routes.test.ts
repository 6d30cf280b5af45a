import { openCounts } from '@mayday/reference-shared';
import { memoryLogger, tempFolder } from '@mayday/reference-shared/testing';
import { expect, it, vi } from 'vitest';
import { createApi } from './api.ts';
import { mintKey } from './keys.ts';
import { openStore } from './store.ts';

const folder = tempFolder();
const store = openStore(folder);
const counts = openCounts(folder, 1000);
const authorization = `Bearer ${mintKey(store, ['ws_norte'])}`;
const api = createApi({ store, counts, logger: memoryLogger(), perSecond: 1000 });

/** Asks the interface; gives the status and the body. */
async function ask(
  method: string,
  path: string,
  body?: object,
): Promise<[number, { [field: string]: unknown }]> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await api(
    new Request(`http://x/api/v1${path}`, { method, headers: { authorization }, ...init }),
  );
  const text = await answer.text();
  return [answer.status, text === '' ? {} : JSON.parse(text)];
}

it('makes, finds, changes and deletes each kind of thing', async () => {
  const bodies = {
    clients: { name: 'Ana' },
    agents: { name: 'B' },
    campaigns: { name: 'C', agent_id: 'agt_ventas' },
    webhooks: { url: 'https://x.example', events: ['client.created'] },
  };
  for (const [plural, body] of Object.entries(bodies)) {
    const [made, thing] = await ask('POST', `/${plural}`, body);
    expect([made, thing]).toEqual([201, expect.objectContaining({ ...body, workspace: 'ws_norte' })]);
    const one = `/${plural}/${thing['id']}`;
    expect(await ask('GET', one)).toEqual([200, thing]);
    expect((await ask('GET', `/${plural}`))[1]['data']).toContainEqual(thing);
    expect(await ask('PATCH', one, {})).toEqual([200, thing]);
    expect(await ask('DELETE', one)).toEqual([204, {}]);
    expect((await ask('GET', one))[0]).toBe(404);
  }
});

it('connects an agent once', async () => {
  const { id } = (await ask('POST', '/agents', { name: 'B' }))[1];
  expect((await ask('POST', '/agents/agt_ventas/subagents', { subagent_id: id }))[1]['subagents']).toEqual([
    id,
  ]);
  expect(await ask('POST', '/agents/agt_ventas/subagents', { subagent_id: id })).toEqual([
    409,
    { code: 409, error: 'Already connected', details: `${id} is a subagent of agt_ventas.` },
  ]);
});

it('launches a campaign once', async () => {
  const { id, status } = (await ask('POST', '/campaigns', { name: 'C', agent_id: 'agt_ventas' }))[1];
  expect(status).toBe('draft');
  expect((await ask('POST', `/campaigns/${id}/launch`))[1]['status']).toBe('running');
  expect(await ask('POST', `/campaigns/${id}/launch`)).toEqual([
    422,
    { code: 422, error: 'Campaign already launched', details: 'It is running and cannot be launched again.' },
  ]);
});

it('keeps a launched campaign a campaign, and launches none whose agent is gone', async () => {
  const { id } = (await ask('POST', '/campaigns', { name: 'C', agent_id: 'agt_ventas' }))[1];
  const launched = await ask('POST', `/campaigns/${id}/launch`);
  expect(launched).toEqual([
    200,
    { id, name: 'C', agent_id: 'agt_ventas', workspace: 'ws_norte', status: 'running' },
  ]);
  expect(await ask('GET', `/campaigns/${id}`)).toEqual(launched);
  const { id: agent } = (await ask('POST', '/agents', { name: 'Short-lived' }))[1];
  const { id: orphan } = (await ask('POST', '/campaigns', { name: 'D', agent_id: agent }))[1];
  await ask('DELETE', `/agents/${agent}`);
  expect(await ask('POST', `/campaigns/${orphan}/launch`)).toEqual([
    404,
    { code: 404, error: 'Agent not found', details: `No agent ${agent} in ws_norte.` },
  ]);
  expect((await ask('GET', `/campaigns/${orphan}`))[1]['status']).toBe('draft');
});

it('keeps an agent that others were put under an agent', async () => {
  const { id } = (await ask('POST', '/agents', { name: 'Boss' }))[1];
  const connected = await ask('POST', `/agents/${id}/subagents`, { subagent_id: 'agt_ventas' });
  expect(connected).toEqual([200, { id, name: 'Boss', workspace: 'ws_norte', subagents: ['agt_ventas'] }]);
  expect(await ask('GET', `/agents/${id}`)).toEqual(connected);
});

it('names no agent that is not there, or not in a workspace', async () => {
  expect(await ask('POST', '/campaigns', { name: 'C', agent_id: 'agt_nobody' })).toEqual([
    404,
    { code: 404, error: 'Agent not found', details: 'No agent agt_nobody in ws_norte.' },
  ]);
  expect(await ask('GET', '/agents/agt_suelto')).toEqual([
    422,
    {
      code: 422,
      error: 'Agent without workspace',
      details: 'Assign agt_suelto to a workspace before you use it.',
    },
  ]);
});

it('puts no agent under itself', async () => {
  const [, { id }] = (await ask('POST', '/agents', { name: 'A' })) as [number, { id: string }];
  expect(await ask('POST', `/agents/${id}/subagents`, { subagent_id: id })).toEqual([
    422,
    { code: 422, error: 'Agent cannot be its own subagent', details: `${id} cannot be put under itself.` },
  ]);
});

/** May this connection write, or does another one hold the file? */
function canWrite(database: ReturnType<typeof openStore>): boolean {
  try {
    database.exec('BEGIN IMMEDIATE; COMMIT');
    return true;
  } catch {
    return false;
  }
}

it('lets no other process in between what it has read and what it writes', async () => {
  const { id: agent } = (await ask('POST', '/agents', { name: 'B' }))[1];
  const { id } = (await ask('POST', '/campaigns', { name: 'C', agent_id: agent }))[1];
  const other = openStore(folder);
  other.exec('PRAGMA busy_timeout = 0');
  const prepare = store.prepare.bind(store);
  let [reads, intruded] = [0, 0];
  const spy = vi.spyOn(store, 'prepare').mockImplementation((sql) => {
    const statement = prepare(sql);
    if (!/FROM things/.test(sql)) return statement;
    const get = statement.get.bind(statement) as (...values: unknown[]) => ReturnType<typeof statement.get>;
    statement.get = (...values: unknown[]) => {
      const row = get(...values);
      reads++;
      if (canWrite(other)) intruded++;
      return row;
    };
    return statement;
  });
  const changes: [string, string, object?][] = [
    ['POST', '/campaigns', { name: 'D', agent_id: agent }],
    ['PATCH', `/campaigns/${id}`, { agent_id: agent }],
    ['POST', `/campaigns/${id}/launch`],
    ['POST', '/agents/agt_ventas/subagents', { subagent_id: agent }],
    ['DELETE', `/campaigns/${id}`],
  ];
  const statuses: number[] = [];
  for (const change of changes) statuses.push((await ask(...change))[0]);
  spy.mockRestore();
  expect(statuses).toEqual([201, 200, 200, 200, 204]);
  expect([reads > 5, intruded]).toEqual([true, 0]);
});
