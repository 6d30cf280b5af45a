import { expect, it } from 'vitest';
import { peek } from '../framing/peek.ts';
import { AskedAs } from '../links/asked-as.ts';
import { Tellings } from './tellings.ts';

/** The ids of those of three calls, two of them in session `a`, that hear of work when this is said in a session. */
function heardBy(session: string | undefined, said: string): string[] {
  const tellings = new Tellings();
  const heard: string[] = [];
  for (const [within, id] of [
    ['a', '1'],
    ['a', '"2"'],
    ['b', '1'],
  ] as const) {
    const body = Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/call"}`);
    const asked = new AskedAs({ body, peek: peek(body) });
    tellings.during(within, { asked, onTold: () => heard.push(within + id), isSayingMore: () => false });
  }
  const message = Buffer.from(said);
  tellings.hear(session, message, peek(message));
  return heard;
}

it.each([
  ['a log', 'a', '{"jsonrpc":"2.0","method":"notifications/message"}', ['a1', 'a"2"']],
  ['a log of another session', 'c', '{"jsonrpc":"2.0","method":"notifications/message"}', []],
  ['a log of no session', undefined, '{"jsonrpc":"2.0","method":"notifications/message"}', []],
  ['a changed list', 'a', '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', []],
  [
    'other resources',
    'a',
    '{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}',
    ['a1', 'a"2"'],
  ],
  ['a question taken back', 'a', '{"jsonrpc":"2.0","method":"notifications/cancelled"}', ['a1', 'a"2"']],
  ['a result', 'a', '{"jsonrpc":"2.0","id":1,"result":{}}', ['a1']],
  ['an error', 'b', '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"x"}}', ['b1']],
  ['a result under a number as text', 'a', '{"jsonrpc":"2.0","id":"1","result":{}}', ['a1']],
  ['a result under a text as number', 'a', '{"jsonrpc":"2.0","id":2,"result":{}}', ['a"2"']],
  ['a result under no id', 'a', '{"jsonrpc":"2.0","id":null,"result":{}}', ['a1', 'a"2"']],
  ['an error under no id', 'a', '{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}', ['a1', 'a"2"']],
  ['a result that nobody waits for', 'a', '{"jsonrpc":"2.0","id":3,"result":{}}', []],
])('%s', (_, session, said, heard) => {
  expect(heardBy(session, said)).toEqual(heard);
});

const TOKEN = (token: unknown, method = 'notifications/progress'): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params: { progressToken: token, progress: 1 } });

/** Which of three calls without a session hear of work: under `one`, `two` and no token, the first with the stream where it is said. */
function heardOfStrangers(said: string): string[] {
  const tellings = new Tellings();
  const heard: string[] = [];
  const asked = [
    ', "params":{"_meta":{"progressToken":"one"}}',
    ', "params":{"_meta":{"progressToken":2}}',
    '',
  ].map((params, at) => {
    const body = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call"${params}}`);
    return new AskedAs({ body, peek: peek(body) }, 70 + at);
  });
  for (const one of asked)
    tellings.during(undefined, {
      asked: one,
      onTold: () => heard.push(String(one.id)),
      isSayingMore: () => false,
    });
  const message = Buffer.from(said);
  tellings.hear(undefined, message, peek(message), asked[0]);
  return heard;
}

it.each([
  ['progress of another', TOKEN(2), ['71']],
  ['progress of another, as text', TOKEN('2'), ['71']],
  ['its own progress', TOKEN('one'), []],
  ['progress of nobody', TOKEN('x'), []],
  ['a log with the token of another', TOKEN(2, 'notifications/message'), ['71']],
  ['a log without', '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}', []],
  ['a change with a token', TOKEN(2, 'notifications/tools/list_changed'), []],
  ['progress of another, in a list', `[${TOKEN(2)}]`, ['71']],
  ['the result of another', '{"jsonrpc":"2.0","id":72,"result":{}}', ['72']],
  ['a result under no id', '{"jsonrpc":"2.0","id":null,"result":{}}', []],
  ['what is no message', '{"paid":1}', []],
])('among strangers: %s', (_, said, heard) => {
  expect(heardOfStrangers(said)).toEqual(heard);
});

it('tells a call nothing that is over', () => {
  const tellings = new Tellings();
  const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call"}');
  let told = 0;
  const over = tellings.during('a', {
    asked: new AskedAs({ body, peek: peek(body) }),
    isSayingMore: () => false,
    onTold: () => {
      told += 1;
    },
  });
  const answer = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}');
  tellings.hear('a', answer, peek(answer));
  over();
  tellings.hear('a', answer, peek(answer));
  expect(told).toBe(1);
});
