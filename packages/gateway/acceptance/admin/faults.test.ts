/** Failures over the admin API, from docs/admin.md: listed, grouped, followed. */
import { afterEach, describe, expect, it } from 'vitest';
import { admin, EVE, type Followed, failed, follow, fresh, made, OPS, refusal } from '../support/admin.ts';
import { keepHouse } from '../support/admin-house.ts';
import type { Message } from '../support/http.ts';
import { pause } from '../support/policy.ts';

const { gateway } = keepHouse((url) => ({
  upstreams: { u: { url: url, retry: { attempts: 1 }, breaker: false } },
}));

const streams: Followed[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.leave();
});
async function opened(...where: Parameters<typeof follow>): Promise<Followed> {
  const stream = await follow(...where);
  streams.push(stream);
  return stream;
}

async function listed(query = ''): Promise<Message[]> {
  return (await admin(gateway(), `/faults${query}`)).body['faults'];
}

/** Has a tool fail in this way, and tells what the journal has of it. */
async function journalled(text: string): Promise<Message> {
  await failed(gateway(), text);
  await expect.poll(async () => (await listed())[0]?.['message'], { timeout: 10_000 }).toContain(text);
  return (await listed())[0] ?? {};
}

const letters = (): string => `${fresh('').replace(/[^a-f]/g, '')}qwertz`;

describe('failures', () => {
  it('are listed, the newest first, redacted', async () => {
    const [first, second] = [`The ${letters()} is broken`, `The ${letters()} is empty`];
    await journalled(first);
    const fault = await journalled(second);
    expect(fault).toMatchObject({
      origin: expect.stringMatching(/\S/),
      upstream: 'u',
      kind: expect.stringMatching(/\S/),
    });
    expect(fault['id']).toMatch(/^\S+$/);
    expect(Math.abs(Date.parse(fault['at']) - Date.now())).toBeLessThan(30_000);
    expect((await listed('?limit=2')).map(({ message }) => message)).toEqual([
      expect.stringContaining(second),
      expect.stringContaining(first),
    ]);
    expect(await listed('?limit=1')).toEqual([fault]);
    await failed(gateway(), 'password=hunter2-correct-horse is wrong');
    await pause(600);
    expect((await admin(gateway(), '/faults')).text).not.toContain('hunter2-correct-horse');
  });

  it('after one that is named come the oldest first', async () => {
    const start = await journalled(`Begins with ${letters()}`);
    const texts = [`Then ${letters()} fell`, `Then ${letters()} rose`, `Then ${letters()} slept`];
    for (const text of texts) await journalled(text);
    const found = await listed(`?after=${start['id']}`);
    expect(found.map(({ message }) => message)).toEqual(texts.map((text) => expect.stringContaining(text)));
    expect(await listed(`?after=${start['id']}&limit=1`)).toEqual([found[0]]);
    expect(await listed(`?after=${found[2]?.['id']}`)).toEqual([]);
    expect(await listed(`?after=${start['id']}&group=${found[1]?.['fingerprint']}`)).toEqual([found[1]]);
  });

  it('of one kind that say the same are a group', async () => {
    const word = letters();
    const one = await journalled(`Order 17 of ${word} was not found`);
    const two = await journalled(`Order 4711 of ${word} was not found`);
    expect(two['fingerprint']).toBe(one['fingerprint']);
    const groups: Message[] = (await admin(gateway(), '/faults/groups')).body['groups'];
    expect(groups[0]).toMatchObject({
      fingerprint: one['fingerprint'],
      count: 2,
      upstream: 'u',
      kind: one['kind'],
    });
    expect((await admin(gateway(), '/faults/groups?limit=1')).body['groups']).toEqual([groups[0]]);
    expect((await listed(`?group=${one['fingerprint']}`)).map(({ id }) => id)).toEqual([
      two['id'],
      one['id'],
    ]);
    const { status, body } = await admin(gateway(), `/faults/groups/${one['fingerprint']}`);
    expect([status, body['count'], body['faults'].map((each: Message) => each['id'])]).toEqual([
      200,
      2,
      [two['id'], one['id']],
    ]);
    const counted: number[] = body['counts'].map((each: Message) => each['count']);
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(2);
    const later = await admin(gateway(), `/faults/groups/${one['fingerprint']}?since=2999-01-01T00:00:00Z`);
    expect([later.status, later.body['count'], later.body['counts']]).toEqual([200, 2, []]);
  });

  it('of a group that there is none of are not found', async () => {
    expect(await refusal(gateway(), '/faults/groups/1.0000000000000000')).toBe('404 not_found');
    expect(await refusal(gateway(), '/faults/groups/%27%20OR%201=1--')).toBe('404 not_found');
    expect(await listed('?group=1.0000000000000000')).toEqual([]);
    expect(await listed('?group=*')).toEqual([]);
    expect(await listed('?group=%25')).toEqual([]);
  });

  it('after an id that there is none of: refused, or nothing that is not so', async () => {
    for (const id of ['x', '-1', '1.5', '%00', '99999999999999999999999']) {
      const { status } = await admin(gateway(), `/faults?after=${id}`);
      expect([id, [200, 400].includes(status)]).toEqual([id, true]);
    }
  });
});

describe('a stream', () => {
  it('begins with what is new, in the form of the page', async () => {
    const before = await journalled(`Before ${letters()} it was`);
    const stream = await opened(gateway());
    expect([stream.status, stream.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    await expect.poll(stream.text).toMatch(/^: failures follow\n\n/);
    const fault = await journalled(`After ${letters()} it was`);
    await expect.poll(stream.events, { timeout: 8000 }).toEqual([fault]);
    expect(stream.text()).toContain(`\n\nid: ${fault['id']}\nevent: message\ndata: {`);
    expect(stream.text()).not.toContain(before['message']);
  });

  it('goes on where another has ended, by Last-Event-ID or after; nothing is lost', async () => {
    const start = await journalled(`Breaks with ${letters()}`);
    const one = await journalled(`Lost ${letters()} or not`);
    const two = await journalled(`Found ${letters()} or not`);
    const several = await Promise.all([
      opened(gateway(), '/faults/stream', { 'last-event-id': start['id'] }),
      opened(gateway(), `/faults/stream?after=${start['id']}`),
      opened(gateway(), `/faults/stream?after=${start['id']}&group=${two['fingerprint']}`),
    ]);
    await expect
      .poll(() => several.map((each) => each.events().length), { timeout: 8000 })
      .toEqual([2, 2, 1]);
    expect(several.map((each) => each.events())).toEqual([[one, two], [one, two], [two]]);
    const three = await journalled(`Goes ${letters()} on`);
    await expect
      .poll(() => several.slice(0, 2).map((each) => each.events().at(-1)), { timeout: 8000 })
      .toEqual([three, three]);
  });

  it('ends with its key, within three seconds', async () => {
    const { key, id } = await made(gateway(), { name: fresh('streamer'), role: 'operator' });
    const stream = await opened(gateway(), '/faults/stream', { authorization: `Bearer ${key}` });
    expect(stream.status).toBe(200);
    await admin(gateway(), `/keys/${id}/revoke`, {});
    await expect.poll(stream.ended, { timeout: 6000 }).toBe(true);
  });

  it('is one of 32; one more is too many, until one is left', async () => {
    let open: Followed[] = [];
    const all = async (): Promise<number[]> => {
      for (const stream of open) stream.leave();
      await pause(1500);
      const keys = Array.from({ length: 32 }, (_, index) => (index % 2 === 0 ? OPS : EVE));
      open = await Promise.all(
        keys.map((key) => opened(gateway(), '/faults/stream', { authorization: `Bearer ${key}` })),
      );
      return open.map(({ status }) => status);
    };
    // Places of those who have just left may be taken for a moment.
    await expect.poll(all, { timeout: 20_000, interval: 10 }).toEqual(Array.from({ length: 32 }, () => 200));
    expect(await refusal(gateway(), '/faults/stream')).toBe('429 overloaded');
    expect(await refusal(gateway(), '/faults')).toBe('200 fine');
    const fault = await journalled(`For ${letters()} all`);
    await expect
      .poll(() => open.map((each) => each.events()[0]?.['id']), { timeout: 8000 })
      .toEqual(Array.from({ length: 32 }, () => fault['id']));
    for (const stream of open) stream.leave();
    const again = async (): Promise<number> => {
      const stream = await opened(gateway());
      stream.leave();
      return stream.status;
    };
    await expect.poll(again, { timeout: 5000 }).toBe(200);
  });
});
