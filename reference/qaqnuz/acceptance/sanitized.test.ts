import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../acceptance/http.ts';
import { type Kit, startKit } from '../../acceptance/kit.ts';
import { SLOW } from '../../acceptance/program.ts';
import { callTool, type Wire } from '../../acceptance/wire.ts';
import { ALL_SCOPES, openPlatform, type Platform } from './platform.ts';

/** Secrets, personal data, a provider's own words, a trace, internal identifiers: and what of it must not cross. */
const CORPUS: [string, string, RegExp][] = [
  ['a bearer token', 'Sent Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLWhlcmU', /eyJhbGci/],
  ['an API key', 'Used sk_live_4eC39HqLyjWDarjtT1zdp7dc for it', /4eC39HqLy/],
  ['a password', 'Login with password=hunter2correct failed', /hunter2/],
  ['an e-mail address', 'Mailed to jane.doe@example.com', /jane\.doe/],
  ['a telephone number', 'Called +52 55 1234 5678 in vain', /1234 5678/],
  ['a card number', 'Charged 4111 1111 1111 1111', /4111 1111/],
  ['a stack trace', 'Broke\n    at refund (/srv/app/src/refund.ts:12:34)', /refund\.ts|\/srv\/app/],
  [
    'an SQL error',
    'ERROR: duplicate key value violates unique constraint "orders_pkey"',
    /orders_pkey|duplicate key/,
  ],
  ['a connection string', 'connect postgres://svc:s3cr3tpw@10.0.0.5:5432/prod', /s3cr3tpw|10\.0\.0\.5/],
  ['an internal identifier', 'Row 550e8400-e29b-41d4-a716-446655440000 is stale', /550e8400/],
  ['an internal host', 'upstream billing-7.internal.example:8443 refused', /billing-7\.internal/],
];

let platform: Platform;
let ada: Endpoint;
let kit: Kit;
beforeAll(async () => {
  [platform, kit] = await Promise.all([openPlatform(), startKit('qaqnuz')]);
  ada = platform.caller(`Bearer ${(await platform.issue('acme', ALL_SCOPES)).key}`);
}, SLOW);
afterAll(() => Promise.all([platform.close(), kit.stop()]));

describe.each(CORPUS)('%s', (name, words, leak) => {
  it(`QA-3 QA-6 QA-7 QA-30: ${name} that a provider says does not cross`, async () => {
    const said: Wire[] = [];
    for (const [status, body] of [
      [500, words],
      [404, JSON.stringify({ error: words, code: words })],
      [200, JSON.stringify({ [words]: words, pieces: words })],
    ] as const) {
      platform.provider.reply = () => ({ status, headers: { 'content-type': 'application/json' }, body });
      const answer = await callTool(ada, 'check_stock', { sku: 'A1' });
      expect(answer.result?.isError).toBe(true);
      said.push(answer);
    }
    expect(JSON.stringify(said)).not.toMatch(leak);
  });

  it(`QA-3 QA-6 QA-30: ${name} in an exception does not cross the kit`, async () => {
    for (const kind of ['internal', 'upstreamFailed', 'notFound', 'conflict', 'forbidden', 'rateLimited']) {
      const answer = await callTool(kit.pipe, 'raise', { kind, message: words });
      expect([kind, answer.result?.isError]).toEqual([kind, true]);
      expect(JSON.stringify(answer)).not.toMatch(leak);
    }
  });
});

describe('what is written down', () => {
  it('QA-6 QA-7: the envelopes are as clean as the wire', async () => {
    const written = JSON.stringify(await platform.envelopes(60));
    expect(CORPUS.filter(([, , leak]) => leak.test(written)).map(([name]) => name)).toEqual([]);
  });
});

describe('what was sent', () => {
  it.each([
    ['find_contacts', { name: 7, password: 'hunter2' }],
    ['issue_refund', { order: ['jane.doe@example.com'], amount_cents: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' }],
    ['get_contact', { id: { secret: 'hunter2' } }],
  ])('QA-6 QA-7: %s does not repeat the values in %j', async (tool, args) => {
    const answer = await callTool(ada, tool, args);
    expect(answer.result?.isError).toBe(true);
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|jane\.doe|4eC39HqLy/);
  });
});
