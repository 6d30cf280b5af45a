/** APIs that send elsewhere: where that is followed, and what goes along. */
import { expect, it } from 'vitest';
import { faultIn } from '../../test/tools.ts';
import {
  type Answer,
  answers,
  ask,
  elsewhere,
  home,
  NOWHERE,
  seen,
  withWildApi,
} from '../../test/wild-api.ts';

withWildApi();

const redirect =
  (status: number, location: string): Answer =>
  (response) =>
    response.writeHead(status, { location }).end();

it('follows what reads to another path of the API', async () => {
  answers.set('GET /v1/list', redirect(301, '/v1/moved?page=1'));
  const { message } = await ask('list');
  expect(message.result?.['structuredContent']).toEqual({ ok: true });
  expect(seen[1]).toMatchObject({
    what: 'home GET /v1/moved?page=1&api_key=key-of-the-query',
    headers: { authorization: 'Bearer shop-token' },
  });
});

it('follows elsewhere only where the operator allows it, and without what the operator gives', async () => {
  answers.set('GET /v1/list', redirect(302, `${elsewhere}/signed?token=t`));
  expect(faultIn(await ask('list'))).toMatchObject({
    kind: 'misconfigured',
    message: `The API answered with a redirect (HTTP 302) that leads to ${elsewhere}, which is not followed; name it in origins, or change base_url`,
  });
  expect(seen).toHaveLength(1);
  await ask('list', { theme: 'dark' }, 'trusting');
  expect(seen[2]?.what).toBe('elsewhere GET /signed?token=t');
  expect(Object.keys(seen[2]?.headers ?? {}).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'host',
    'user-agent',
  ]);
});

it('does not come back from elsewhere with what the operator gives', async () => {
  answers.set('GET /v1/list', redirect(302, `${elsewhere}/back`));
  answers.set('GET /back', redirect(302, `${home}/v1/secret`));
  await ask('list', {}, 'trusting');
  expect(seen[2]?.what).toBe('home GET /v1/secret');
  expect(seen[2]?.headers).not.toHaveProperty('authorization');
});

it.each([301, 302, 307, 308])(
  'sends what changes something once, also when it is sent on: %i',
  async (status) => {
    answers.set('POST /v1/orders', redirect(status, '/v1/other'));
    expect(faultIn(await ask('order', { body: { item: 'x' } }))).toMatchObject({
      kind: 'misconfigured',
      executed: 'maybe',
    });
    expect(seen).toHaveLength(1);
  },
);

it('looks where it is told to look after a change', async () => {
  answers.set('POST /v1/orders', redirect(303, '/v1/orders/9'));
  const { message } = await ask('order', { body: { item: 'x' } });
  expect(message.result?.['structuredContent']).toEqual({ ok: true });
  expect(seen.map(({ what }) => what.split('?')[0])).toEqual([
    'home POST /v1/orders',
    'home GET /v1/orders/9',
  ]);
  expect(seen[1]?.body).toHaveLength(0);
});

it('does not take a place that cannot be reached after a change for a proof that nothing changed', async () => {
  answers.set('POST /v1/orders', redirect(303, `${NOWHERE}/orders/9`));
  const posted = await ask('order', { body: { item: 'x' } }, 'trusting');
  expect(faultIn(posted)).toMatchObject({ executed: 'maybe' });
  expect(seen).toHaveLength(1);
});

it('is not confused by redirects that are none', async () => {
  answers.set('GET /v1/list', (response) => response.writeHead(301).end());
  expect(faultIn(await ask('list'))).toMatchObject({
    kind: 'upstream_failed',
    message: 'The API answered with a redirect (HTTP 301) that does not say where to',
  });
  answers.set('GET /v1/list', (response) => response.writeHead(304, { etag: '"v7"' }).end());
  expect((await ask('list')).message.result).toMatchObject({
    content: [{ type: 'text', text: 'Not modified (HTTP 304)\nETag: "v7"' }],
  });
  answers.set('GET /v1/list', redirect(302, '/v1/list'));
  expect(faultIn(await ask('list'))).toMatchObject({ message: expect.stringContaining('on and on') });
});
