import fc from 'fast-check';
import { expect, it } from 'vitest';
import { peek } from '../framing/peek.ts';
import { isAnswerAgain, Lasting } from './lasting.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const see = (lasting: Lasting, text: string): (() => void) | undefined =>
  lasting.see(bytes(text), peek(bytes(text)));
const level = (name: string): string => `{"id":1,"method":"logging/setLevel","params":{"level":"${name}"}}`;
const subscribe = (uri: string, un = ''): string =>
  `{"id":7,\n"method":"resources/${un}subscribe","params":{"uri":"${uri}"}}`;
const again = (lasting: Lasting): string[] => lasting.again.map(String);

it('asks again for the last level and for what is subscribed to, in order', () => {
  const lasting = new Lasting();
  for (const text of [level('info'), subscribe('a://1'), subscribe('a://2'), level('debug')])
    see(lasting, text);
  see(lasting, subscribe('a://1'));
  see(lasting, '{"id":2,"method":"tools/list"}');
  see(lasting, '{"method":"logging/setLevel","params":{"level":"error"}}');
  expect(again(lasting)).toEqual([
    '{"id":"mayday-again-1","method":"logging/setLevel","params":{"level":"debug"}}',
    '{"id":"mayday-again-2","method":"resources/subscribe","params":{"uri":"a://1"}}',
    '{"id":"mayday-again-3","method":"resources/subscribe","params":{"uri":"a://2"}}',
  ]);
});

it('forgets what was ended, and what the server refused', () => {
  const lasting = new Lasting();
  see(lasting, level('info'));
  see(lasting, level('loud'))?.();
  see(lasting, subscribe('a://1'));
  see(lasting, subscribe('a://2'))?.();
  expect(again(lasting)).toHaveLength(2);
  see(lasting, subscribe('a://1', 'un'))?.();
  expect([again(lasting).length, lasting.isListening]).toEqual([2, true]);
  see(lasting, subscribe('a://1', 'un'));
  expect([again(lasting).length, lasting.isListening]).toEqual([1, false]);
});

it('begins anew with the client', () => {
  const lasting = new Lasting();
  for (const text of [level('info'), subscribe('a://1'), '{"id":1,"method":"initialize"}'])
    see(lasting, text);
  expect(lasting.again).toEqual([]);
});

it('holds so much and no more', () => {
  const lasting = new Lasting();
  for (let i = 0; i < 1500; i++) see(lasting, subscribe(`a://${i}`));
  see(lasting, subscribe(`b://${'x'.repeat(5000)}`));
  expect(lasting.again).toHaveLength(1000);
});

it('has subscribed to what the client has subscribed to, whatever the order', () => {
  const step = fc.tuple(fc.constantFrom('', 'un'), fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const lasting = new Lasting();
      const model = new Set<number>();
      for (const [un, n] of steps) {
        see(lasting, subscribe(`a://${n}`, un));
        if (un === '') model.add(n);
        else model.delete(n);
      }
      expect(lasting.again).toHaveLength(model.size);
    }),
  );
});

it.each([
  ['{"id":"mayday-again-3","result":{}}', true],
  ['{"id":"mayday-replay","result":{}}', false],
  ['{"id":3,"result":{}}', false],
  ['{"error":{}}', false],
])('knows whether %s answers one of them', (text, is) => {
  expect(isAnswerAgain(bytes(text), peek(bytes(text)))).toBe(is);
});
