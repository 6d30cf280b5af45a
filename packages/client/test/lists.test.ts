/** What the SDK looks at before it sends is known only on a connection: a list waits for one, and is never empty for want of it. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FLAVOURS, type Tested } from './flavours.ts';

const SERVER = fileURLToPath(new URL('./scripted-stdio.ts', import.meta.url));
const START_MS = 300;

const ALL = {
  tools: [{ name: 'read' }],
  prompts: [{ name: 'greet' }],
  resources: [{ uri: 'file:///a' }],
  resourceTemplates: [{ uriTemplate: 'file:///{name}' }],
};

async function listAll(client: Tested): Promise<object> {
  const lists = await Promise.all([
    client.listTools(),
    client.listPrompts(),
    client.listResources(),
    client.listResourceTemplates(),
  ]);
  return Object.assign({}, ...lists) as object;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(FLAVOURS)('$name', ({ stdio }) => {
  const slowly = (options: object = {}): Tested =>
    stdio([SERVER, 'dies', String(START_MS)], { deadlineMs: 10_000, ...options });

  it('lists what there is while a call has it connect again', async () => {
    const client = slowly();
    await client.connect();
    await client.call({ name: 'write' }); // its process dies of it
    const call = client.call({ name: 'pid' });
    await pause(START_MS / 3);
    expect(await listAll(client)).toMatchObject(ALL);
    expect(await call).toMatchObject({ ok: true });
    await client.close();
  });

  it('connects again for a list alone', async () => {
    const client = slowly();
    await client.connect();
    await client.call({ name: 'write' });
    expect(await listAll(client)).toMatchObject(ALL);
    await client.close();
  });

  it('lists what there is although the call that had it connect again has run out of time', async () => {
    const client = slowly();
    await client.connect();
    await client.call({ name: 'write' });
    expect(await client.call({ name: 'pid' }, { deadlineMs: START_MS / 3 })).toMatchObject({ ok: false });
    expect(await listAll(client)).toMatchObject(ALL);
    await client.close();
  });

  it('waits for the first connection too', async () => {
    const client = slowly();
    const connected = client.connect();
    expect(await listAll(client)).toMatchObject(ALL);
    await connected;
    await client.close();
  });

  it('waits no longer than the deadline, nor than who asks', async () => {
    const client = slowly({ deadlineMs: START_MS / 3 });
    const connected = client.connect().catch(() => undefined);
    const late = { fault: { kind: 'timeout', executed: 'no' } };
    await expect(client.listTools()).rejects.toMatchObject(late);
    await connected;
    await client.close();
    const patient = slowly();
    const opening = patient.connect();
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), START_MS / 3);
    const left = { fault: { kind: 'cancelled', executed: 'no' } };
    await expect(patient.listTools(undefined, leaving)).rejects.toMatchObject(left);
    await opening;
    await patient.close();
  });

  it('says so after it was closed', async () => {
    const client = slowly();
    await client.connect();
    await client.close();
    const gone = { fault: { kind: 'disconnected', origin: 'local', executed: 'no' } };
    await expect(client.listTools()).rejects.toMatchObject(gone);
    await expect(client.listPrompts()).rejects.toMatchObject(gone);
    await expect(client.listResources()).rejects.toMatchObject(gone);
    await expect(client.listResourceTemplates()).rejects.toMatchObject(gone);
  });
});
