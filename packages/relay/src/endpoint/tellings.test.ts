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
    tellings.during(within, { asked, onTold: () => heard.push(within + id) });
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

it('tells a call nothing that is over', () => {
  const tellings = new Tellings();
  const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call"}');
  let told = 0;
  const over = tellings.during('a', {
    asked: new AskedAs({ body, peek: peek(body) }),
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
