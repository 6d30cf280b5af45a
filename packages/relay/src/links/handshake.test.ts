import { expect, it } from 'vitest';
import { peek } from '../framing/peek.ts';
import { Handshake, isReplayAnswer } from './handshake.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const see = (handshake: Handshake, text: string): unknown => handshake.see(bytes(text), peek(bytes(text)));

it('replays as much of the opening as the client has said', () => {
  const handshake = new Handshake();
  expect(handshake.replay).toBeUndefined();
  see(handshake, '{"method":"notifications/initialized"}');
  expect(handshake.replay).toBeUndefined();
  see(handshake, '{"id":7,\n"method":"initialize","params":{"n":12345678901234567890}}');
  expect(handshake.replay?.opening.toString()).toContain('"initialize"');
  expect(handshake.replay?.closing).toBeUndefined();
  see(handshake, '{"method":"notifications/initialized"}');
  see(handshake, '{"id":8,"method":"tools/list"}');
  expect([handshake.replay?.opening.toString(), handshake.replay?.closing?.toString()]).toEqual([
    '{"id":"mayday-replay","method":"initialize","params":{"n":12345678901234567890}}',
    '{"method":"notifications/initialized"}',
  ]);
});

it('replays no opening that was refused', () => {
  const handshake = new Handshake();
  const opening = bytes('{"id":7,"method":"initialize"}');
  const forget = handshake.see(opening, peek(opening));
  see(handshake, '{"id":8,"method":"initialize"}');
  forget?.();
  expect(handshake.replay).toBeDefined();
  handshake.see(opening, peek(opening))?.();
  expect(handshake.replay).toBeUndefined();
});

it.each([
  ['{"id":"mayday-replay","result":{}}', true],
  ['{"id":7,"result":{}}', false],
  ['{"error":{}}', false],
])('knows whether %s answers it', (text, is) => {
  expect(isReplayAnswer(bytes(text), peek(bytes(text)))).toBe(is);
});
