import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { post, rpcResponse } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { startPlatform } from '../test/platform.ts';

describe('abuse', () => {
  it('bad input of every kind gets an answer and leaves the platform serving', async () => {
    const { url, key, call } = await startPlatform({ perKey: 10_000, perBrand: 10_000 });
    const caller = key();
    const headers = { authorization: `Bearer ${caller}` };
    const code = async (body: string) => (await rpcResponse(await post(url, body, headers))).error?.code;
    expect(await code('{"jsonrpc":')).toBe(-32700);
    expect(await code('{"jsonrpc":"2.0","id":1,"method":"no/such"}')).toBe(-32601);
    expect(await code('{"jsonrpc":"2.0","id":1}')).toBe(-32600);
    expect((await post(url, `"${'x'.repeat(2_000_000)}"`, headers)).status).toBe(413);

    const odd = [
      null,
      5,
      'x',
      true,
      [],
      { name: { $ne: null } },
      { name: 'x'.repeat(100_000) },
      { __proto__: 1 },
    ];
    const answers = await Promise.all(
      ['find_contacts', 'add_contact', 'issue_refund', 'nope', '', '\u0000'].flatMap((name) =>
        odd.map((args) => call(caller, name, args)),
      ),
    );
    expect(answers).toHaveLength(48);
    expect(answers.filter((answer) => answer.result?.isError !== true)).toEqual([]);
    expect((await call(caller, 'find_contacts', { name: 'a' })).result.isError).toBe(false);
  });

  it('keys are not in the database, only their digests', async () => {
    const { key, folder, call } = await startPlatform();
    const caller = key();
    await call(caller, 'add_contact', { name: 'Ada' });
    const bytes = ['', '-wal']
      .map((end) => readFileSync(join(folder, `qaqnuz.sqlite${end}`), 'latin1'))
      .join('');
    expect(bytes).not.toContain(caller);
    expect(bytes).toContain(createHash('sha256').update(caller).digest('hex'));
    expect(caller).toMatch(/^qx_live_[\w-]{32}$/);
  });

  it('one brand sees nothing of another', async () => {
    const { key, call } = await startPlatform();
    const [acme, other] = [key(), key(undefined, 'other')];
    const { id } = JSON.parse((await call(acme, 'add_contact', { name: 'Ada' })).result.content[0].text);
    expect((await call(acme, 'get_contact', { id })).result.isError).toBe(false);
    expect((await call(other, 'get_contact', { id })).result.isError).toBe(true);
    expect((await call(other, 'find_contacts', { name: 'Ada' })).result.content[0].text).toBe('[]');
  });
});
