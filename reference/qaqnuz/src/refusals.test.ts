import { TEXTS as QAQNUZ_TEXTS } from '@mayday/core/dialects/qaqnuz';
import { describe, expect, it } from 'vitest';
import { startPlatform } from '../test/platform.ts';
import { TOOLS } from './tools.ts';

describe('refusals that tell nothing', () => {
  it('QA-14 an unknown, a revoked and an expired key and a malformed header get one answer, to the byte', async () => {
    const { store, key, bytes, advance } = await startPlatform();
    const good = key();
    const revoked = store.keys.issue('acme', ['contacts.read']);
    store.keys.revoke(revoked.id);
    const expired = store.keys.issue('acme', ['contacts.read'], Date.parse('2026-11-15T12:00:01Z'));
    advance(1000);
    const answers = await Promise.all(
      [
        'Bearer qx_live_nobodyhasthiskey',
        `Bearer ${revoked.key}`,
        `Bearer ${expired.key}`,
        'Basic YTpi',
        '',
        'Bearer',
        `Bearer ${good} ${good}`,
        good,
        undefined,
      ].map((header) => bytes(header, 'find_contacts', { name: 'a' })),
    );
    expect([...new Set(answers)]).toHaveLength(1);
    expect(answers[0]).toContain('{"type":"text","text":"Unauthorized"}');
    for (const header of [`Bearer ${good}`, `bearer ${good}`])
      expect(await bytes(header, 'find_contacts', { name: 'a' })).toContain('"isError":false');
  });

  it('QA-10 QA-15 a tool that is unknown, disabled, sensitive or out of scope is one and the same', async () => {
    const { key, bytes } = await startPlatform();
    const all = `Bearer ${key()}`;
    const reader = `Bearer ${key(['contacts.read'])}`;
    const answers = await Promise.all([
      bytes(all, 'no_such_tool'),
      bytes(all, 'constructor'),
      bytes(all, 'export_contacts'),
      bytes(all, 'impersonate_user', { user: 'ada' }),
      bytes(all, 'impersonate_user', { wrong: 1 }),
      bytes(reader, 'add_contact', { name: 'Ada' }),
      bytes(reader, 'issue_refund', { order: 'o', amount_cents: 1 }),
    ]);
    expect([...new Set(answers)]).toHaveLength(1);
    expect(answers[0]).toContain(QAQNUZ_TEXTS.unreachable);
  });

  it('QA-33 a list without entitlement, or without a good key, is empty and says no more', async () => {
    const { store, key, url } = await startPlatform();
    const list = async (authorization: string) => {
      const response = await fetch(new URL('/mcp', url), {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
      return response.text();
    };
    const [good, reader] = [key(), key(['contacts.read'], 'other')];
    expect(await list(`Bearer ${reader}`)).toContain('get_contact');
    expect(await list(`Bearer ${reader}`)).not.toContain('add_contact');
    expect(await list(`Bearer ${good}`)).not.toMatch(/export_contacts|impersonate_user/);
    const revoked = store.keys.issue('other', ['contacts.read']);
    store.keys.revoke(revoked.id);
    const expired = store.keys.issue('other', ['contacts.read'], Date.parse('2026-11-15T12:00:00Z'));
    store.keys.entitle('acme', false);
    const empty = [
      await list(`Bearer ${good}`),
      await list(`Bearer ${revoked.key}`),
      await list(`Bearer ${expired.key}`),
      await list('Bearer qx_live_nobody'),
      await list('x'),
    ];
    expect([...new Set(empty)]).toHaveLength(1);
    expect(empty[0]).toContain('{"tools":[]}');
  });

  it('no tool needs a scope that is not <resource>.<action>', () => {
    for (const { scope } of Object.values(TOOLS)) expect(scope).toMatch(/^[a-z]+\.[a-z]+$/);
  });
});
