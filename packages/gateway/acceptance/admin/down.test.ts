/** The admin API while its store cannot be used, from docs/admin.md. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { admin, fresh, KEYS, made, refusal } from '../support/admin.ts';
import { scratch, startGateway } from '../support/gateway.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('while the store cannot be used', () => {
  it('that is told; a change may have been made, and the status is still there', async () => {
    const folder = scratch();
    folders.push(folder);
    const store = `file:${join(folder, 'mayday.db')}`;
    const upstreams = { u: { url: 'http://127.0.0.1:1/mcp' } };
    const gateway = await startGateway({ store, keys: KEYS, upstreams });
    const { id } = await made(gateway, { name: fresh('before') });
    rmSync(join(folder, 'mayday.db-wal'));
    await expect.poll(() => refusal(gateway, '/keys'), { timeout: 10_000 }).toBe('503 unavailable');
    const reads = [
      '/keys',
      `/keys/${id}`,
      '/approvals',
      '/faults',
      '/faults/groups',
      '/audit',
      '/audit/verify',
    ];
    const told = await Promise.all(reads.map((path) => refusal(gateway, path)));
    expect(told).toEqual(told.map(() => '503 unavailable'));
    const changes = await Promise.all([
      admin(gateway, '/keys', { name: fresh('down') }),
      admin(gateway, `/keys/${id}/rotate`, {}),
      admin(gateway, `/keys/${id}/revoke`, {}),
      admin(gateway, '/approvals/x/approve', {}),
      admin(gateway, '/approvals/x/reject', {}),
    ]);
    expect(changes.map(({ status, body }) => [status, body['kind'], body['executed']])).toEqual(
      changes.map(() => [503, 'unavailable', 'maybe']),
    );
    expect(changes.map(({ body }) => body['key'])).toEqual(changes.map(() => undefined));
    const usable = async (): Promise<unknown> => (await admin(gateway, '/status')).body['store']?.ok;
    await expect.poll(usable, { timeout: 10_000 }).toBe(false);
    expect(await refusal(gateway, '/openapi.json')).toBe('200 fine');
    await gateway.stop('SIGKILL');
  });
});
