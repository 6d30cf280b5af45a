import { expect, it } from 'vitest';
import { encode } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import { ANYBODY } from './call.ts';
import type { Reply } from './reply.ts';
import { Session } from './session.ts';

/** A session with room for so much, and what it says that it holds. */
function sessionWith(room: number) {
  const told: number[] = [];
  const keeping = {
    size(bytes: number): boolean {
      const before = told.at(-1) ?? 0;
      if (bytes > room && bytes > before) return false;
      told.push(bytes);
      return true;
    },
    end: (): void => void told.push(-1),
  };
  const session = new Session(ANYBODY, () => 0, { keeping, opening: 100 });
  return { session, held: () => told.at(-1) };
}

/** A reader that notes what it is sent. */
function reader() {
  const events: string[] = [];
  const reply = {
    isDone: false,
    stream: () => {},
    event: (bytes: Buffer) => events.push(bytes.toString()) > 0,
    end: () => {},
    onDrain: () => {},
  };
  return { reply: reply as unknown as Reply, events };
}

const message = (text: string): Buffer =>
  encode({ jsonrpc: '2.0', method: 'notifications/x', params: { text } });

it('counts what waits for its client, and drops the oldest where there is no room', () => {
  const { session, held } = sessionWith(1000);
  const size = message('a'.repeat(300)).length;
  for (const letter of ['a', 'b', 'c', 'd']) session.tell(message(letter.repeat(300)));
  expect(held()).toBe(100 + 2 * size);
  const { reply, events } = reader();
  session.open(reply, undefined);
  expect(events.map((event) => /"text":"(.)/.exec(event)?.[1])).toEqual(['c', 'd']);
});

it('counts what is kept of its streams, and keeps none of what there is no room for', () => {
  const { session, held } = sessionWith(1000);
  const { reply, events } = reader();
  session.open(reply, undefined);
  session.tell(message('a'.repeat(300)));
  expect(held()).toBeGreaterThan(400);
  session.tell(message('b'.repeat(5000)));
  expect(events).toHaveLength(2);
  expect(held()).toBe(100);
});

it('counts its subscriptions, and refuses one more where there is no room', () => {
  const { session, held } = sessionWith(1000);
  const see = (verb: 'subscribe' | 'unsubscribe', uri: string) => {
    const body = encode({ jsonrpc: '2.0', id: 1, method: `resources/${verb}`, params: { uri } });
    return session.subscriptions.see(body, peek(body)).refusal?.kind;
  };
  const long = (name: string): string => `a://${name}`.padEnd(400, 'u');
  expect([see('subscribe', long('1')), see('subscribe', long('2')), see('subscribe', long('3'))]).toEqual([
    undefined,
    undefined,
    'quota_exhausted',
  ]);
  see('unsubscribe', long('1'));
  expect(held()).toBe(500);
});

it('holds nothing when it is over', async () => {
  const { session, held } = sessionWith(1000);
  session.tell(message('a'));
  await session.close();
  session.tell(message('b'));
  expect(held()).toBe(-1);
});
