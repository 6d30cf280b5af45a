import { expect, it } from 'vitest';
import { OwnWords } from './own-words.ts';

function wordsOf() {
  const notes: string[] = [];
  const words = new OwnWords('shop', (text) => notes.push(text));
  const hear = (message: object): unknown => {
    const said = words.own(Buffer.from(JSON.stringify(message)));
    return said === undefined ? undefined : JSON.parse(said.toString());
  };
  return { words, hear, notes };
}

const progress = (progressToken: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress: 1 },
});

it('tells of the progress of what it was asked, also when that is long ago, and of nothing else', () => {
  const { words, hear, notes } = wordsOf();
  words.give(7);
  words.give('mine');
  expect([hear(progress(7)), hear(progress('mine'))]).toEqual([progress(7), progress('mine')]);
  expect(notes).toEqual([]);
  for (const token of [8, '7', 'theirs', null, undefined]) expect(hear(progress(token))).toBeUndefined();
  expect(notes[0]).toBe('told of progress that it was not asked for');
});

it('remembers the last thousand tokens', () => {
  const { words, hear } = wordsOf();
  for (let token = 0; token <= 1000; token += 1) words.give(token);
  expect([hear(progress(0)), hear(progress(1))]).toEqual([undefined, progress(1)]);
});

it('takes back requests of its own alone', () => {
  const { hear } = wordsOf();
  const cancelled = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason: 'no need' },
  });
  const asked = { jsonrpc: '2.0', id: 5, method: 'ping' };
  expect(hear(asked)).toEqual({ ...asked, id: 'shop:5' });
  expect(hear(cancelled(5))).toEqual(cancelled('shop:5'));
  expect(hear(cancelled('other:5'))).toEqual(cancelled('shop:"other:5"'));
});

it('says everything else as it is', () => {
  const { hear } = wordsOf();
  const news = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
  expect(hear(news)).toEqual(news);
});
