/** Credentials of callers over the admin API: set and removed by somebody who is known, written down, and never read. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cleanUp } from '../tools.ts';
import { ANN, type House, openHouse } from './house.ts';

const SECRET = 'token-of-ann-1234';

let house: House;
beforeEach(async () => {
  house = await openHouse({
    upstreams: {
      search: { url: 'http://127.0.0.1:9/mcp', caller_credentials: 'authorization' },
      plain: { url: 'http://127.0.0.1:9/mcp' },
    },
    access: { rules: [] },
  });
});
afterEach(async () => {
  await house.close();
  await cleanUp();
});

it('are set and removed, with a row of the audit log each, and listed by name alone', async () => {
  const name = { caller: 'login:ann', upstream: 'search' };
  const set = await house.ask('POST', '/credentials', { body: { ...name, secret: SECRET } });
  const shown = { ...name, created_at: expect.stringMatching(/Z$/), changed_at: expect.stringMatching(/Z$/) };
  expect([set.status, set.body]).toEqual([200, shown]);
  expect(await house.store.credentials.find(name)).toBe(SECRET);
  const listed = await house.ask('GET', '/credentials');
  expect(listed.body).toEqual({ credentials: [shown] });
  const removed = await house.ask('POST', '/credentials/remove', { body: name });
  expect([removed.status, removed.body]).toEqual([200, { ...name, removed: true }]);
  const again = await house.ask('POST', '/credentials/remove', { body: name });
  expect([again.status, again.body.kind]).toEqual([404, 'not_found']);
  const { body } = await house.ask('GET', '/audit');
  expect(body.rows).toMatchObject([
    { actor: 'ops', action: 'credentials.set', target: 'search', details: { caller: 'login:ann' } },
    { actor: 'ops', action: 'credentials.remove', target: 'search', details: { caller: 'login:ann' } },
  ]);
  expect(JSON.stringify([set.body, listed.body, body, house.logs])).not.toContain(SECRET);
});

it.each([
  [{ caller: 'ann', upstream: 'serch', secret: SECRET }, 'did you mean search?'],
  [{ caller: 'ann', upstream: 'plain', secret: SECRET }, 'gets no credentials of callers'],
  [{ caller: 'ann', upstream: 'search', secret: 'short' }, 'secret'],
  [{ caller: 'ann', upstream: 'search', secret: `${SECRET}\r\nx: y` }, 'visible characters of ASCII'],
  [{ caller: ' ann', upstream: 'search', secret: SECRET }, 'no blanks around it'],
])('%j is refused, and says why without it', async (body, why) => {
  const refused = await house.ask('POST', '/credentials', { body });
  expect([refused.status, refused.body.kind]).toEqual([400, 'invalid_arguments']);
  expect(refused.body.detail).toContain(why);
  expect(JSON.stringify(refused.body)).not.toContain(SECRET);
});

it('is for operators alone', async () => {
  for (const method of ['GET', 'POST'])
    expect((await house.ask(method, '/credentials', { key: ANN })).status).toBe(403);
});
