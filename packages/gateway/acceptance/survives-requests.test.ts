/** Law 9: nothing a caller sends ends the process, stops another call, or stays without an answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, ENDPOINTS, everywhere, type Outcome, othersAreServed, startHouse } from './support/house.ts';
import { post } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { call, deep, modern } from './support/messages.ts';

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(() => http.close());
const gateway = keepGateway(() => startHouse(http, { timeout_ms: 2000 }));

const ENVELOPE = JSON.stringify(modern({})['params']._meta);

/** No message of a caller: refused with 400 and the code of a broken message. */
function notRefused(outcome: Outcome): boolean {
  return outcome.status !== 400 || (outcome.code !== -32700 && outcome.code !== -32600);
}

const callWith = (params: string, id = '1'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;

describe('bytes that are no JSON', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \r\n\t '],
    ['a NUL', '\0'],
    ['a cut message', '{"jsonrpc":'],
    ['a cut string', '{"jsonrpc":"2.0","id":1,"method":"tools/ca'],
    ['two messages', `${callWith('{}')}${callWith('{}')}`],
    ['words after it', `${callWith('{}')} and more`],
    ['a comma too many', '{"jsonrpc":"2.0","id":1,"method":"ping",}'],
    ['UTF-16', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}', 'utf16le')],
    ['brackets that never close', '['.repeat(200_000)],
    ['braces that never close', '{"a":'.repeat(100_000)],
  ])('%s is a parse error everywhere', async (_name, body) => {
    const outcomes = await everywhere(gateway(), body);
    expect(outcomes.filter(notRefused)).toEqual([]);
    await othersAreServed(gateway());
  });
});

describe('JSON that is no message', () => {
  it.each([
    ['an empty batch', '[]'],
    ['a batch', `[${callWith('{"name":"echo"}')}]`],
    ['a batch of nonsense', '[1,null,[]]'],
    ['null', 'null'],
    ['a number', '42'],
    ['a string', '"hello"'],
    ['an empty object', '{}'],
    ['an id that is an object', callWith('{"name":"echo"}', '{"toString":1}')],
    ['an id that is a list', callWith('{"name":"echo"}', '[1]')],
    ['an id that is true', callWith('{"name":"echo"}', 'true')],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":7}'],
    ['a method that is an object', '{"jsonrpc":"2.0","id":1,"method":{"toString":1}}'],
  ])('%s is refused everywhere', async (_name, body) => {
    const outcomes = await everywhere(gateway(), body);
    expect(outcomes.filter(notRefused)).toEqual([]);
    await othersAreServed(gateway());
  });
});

describe('messages that go wrong further in', () => {
  const nested = deep(200_000);
  it.each([
    ['params: {bad}', callWith('{bad}')],
    ['NaN in arguments', callWith('{"name":"echo","arguments":{"n":NaN}}')],
    ['Infinity in arguments', callWith('{"name":"echo","arguments":{"n":-Infinity}}')],
    ['a single quote', callWith("{'name':'echo'}")],
    ['an envelope of nonsense', callWith('{"name":"echo","_meta":{bad}}')],
    ['200,000 brackets in arguments', callWith(`{"name":"echo","arguments":{"text":${nested}}}`)],
    ['200,000 brackets in _meta', callWith(`{"name":"echo","_meta":{"progressToken":1,"a":${nested}}}`)],
    ['200,000 brackets as params', callWith(nested)],
    ['200,000 brackets as id', callWith('{"name":"echo"}', nested)],
    [
      '200,000 braces',
      callWith(`{"name":"echo","arguments":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`),
    ],
    ['200,000 brackets in a body', callWith(`{"name":"pay","arguments":{"body":{"a":${nested}}}}`)],
    ['a name that is an object', callWith('{"name":{"toString":1},"arguments":{}}')],
    ['a name that is a list', callWith('{"name":["echo"],"arguments":{}}')],
    ['a name that is null', callWith('{"name":null}')],
    ['params that are null', callWith('null')],
    ['params that are a list', callWith('["echo"]')],
    ['params that are a string', callWith('"echo"')],
    ['_meta that is a number', callWith('{"name":"echo","_meta":1}')],
    ['_meta that is null', callWith('{"name":"echo","_meta":null}')],
    ['arguments that are a string', callWith('{"name":"echo","arguments":"x"}')],
    ['a number without end', callWith(`{"name":"echo","arguments":{"n":1${'0'.repeat(100_000)}}}`)],
    ['1e999', callWith('{"name":"echo","arguments":{"n":1e999}}')],
    ['a token that is an object', callWith('{"name":"echo","_meta":{"progressToken":{"toString":1}}}')],
    ['a token with half a pair', callWith('{"name":"echo","_meta":{"progressToken":"\\ud800"}}')],
    ['half a pair in a path', callWith('{"name":"echo","arguments":{"text":"\\udc00"}}')],
    [
      'bytes that are not UTF-8',
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'),
        Buffer.from([0xff, 0xfe, 0xc0]),
        Buffer.from('"}}'),
      ]),
    ],
    ['the method constructor', '{"jsonrpc":"2.0","id":1,"method":"constructor","params":{}}'],
    ['the method __proto__', '{"jsonrpc":"2.0","id":1,"method":"__proto__","params":{}}'],
    ['the tool constructor', callWith('{"name":"constructor","arguments":{}}')],
    ['the tool s_constructor', callWith('{"name":"s___proto__","arguments":{}}')],
    ['a cursor that is deep', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":${nested}}}`],
    [
      'a uri that is an object',
      '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":{"toString":1}}}',
    ],
    [
      'an initialize of nonsense',
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":{},"capabilities":[[]]}}',
    ],
    [
      'a deep initialize',
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${nested}}}`,
    ],
    ['discover of nonsense', '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{bad}}'],
    ['a subscription to nonsense', '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{bad}}'],
  ])('%s is answered everywhere, and nobody notices', async (_name, body) => {
    const outcomes = await everywhere(gateway(), body);
    expect(outcomes.filter((outcome) => !outcome.told)).toEqual([]);
    await othersAreServed(gateway());
  });
});

describe('responses and notifications nobody waits for', () => {
  it.each([
    ['a response whose id is an object', '{"jsonrpc":"2.0","id":{"toString":1},"result":{}}'],
    ['a response to nothing', '{"jsonrpc":"2.0","id":"never-asked","result":{}}'],
    ['a deep response', `{"jsonrpc":"2.0","id":1,"result":${deep(200_000)}}`],
    ['a response of nonsense', '{"jsonrpc":"2.0","id":1,"result":{bad}}'],
    ['an error without an id', '{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}'],
    [
      'cancelling an object',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"toString":1}}}',
    ],
    ['cancelling with nonsense', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{bad}}'],
    [
      'cancelling 200,000 brackets',
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${deep(200_000)}}}`,
    ],
    [
      'progress of nonsense',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{"a":1},"progress":NaN}}',
    ],
    ['an unknown notification', '{"jsonrpc":"2.0","method":"notifications/constructor"}'],
  ])('%s', async (_name, body) => {
    const outcomes = await everywhere(gateway(), body);
    expect(outcomes.filter((outcome) => ![200, 202, 400, 404].includes(outcome.status))).toEqual([]);
    await othersAreServed(gateway());
  });
});

describe('ids come back as they went', () => {
  it.each([
    ['half a pair', '"\\ud800"'],
    ['an empty text', '""'],
    ['a text like a number', '"1"'],
    ['__proto__', '"__proto__"'],
    ['zero', '0'],
    ['a negative number', '-7'],
    ['the largest exact integer', '9007199254740991'],
    ['a long text', `"${'x'.repeat(10_000)}"`],
    ['quotes and escapes', '"\\"\\\\\\n\\u0001 ü 🙂"'],
  ])('%s', async (_name, id) => {
    const eras = ['2025', '2026'] as const;
    const answers = await Promise.all(
      ENDPOINTS.flatMap((name) =>
        eras.map((era) => {
          const tool = name === '' ? 's_echo' : 'echo';
          const body = callWith(`{"name":"${tool}","arguments":{"text":"hi"},"_meta":${ENVELOPE}}`, id);
          return post(at(gateway(), name), body, { era, headers: { 'mcp-name': tool } });
        }),
      ),
    );
    expect(answers.map((answer) => answer.message['id'])).toEqual(Array(8).fill(JSON.parse(id)));
    expect(answers.map((answer) => answer.message['result']?.isError ?? false)).toEqual(Array(8).fill(false));
    await othersAreServed(gateway());
  });
});

describe('texts that cost time', () => {
  it.each([
    ['key='],
    ['ak='],
    ['sk='],
    ['key_='],
    ['pin='],
    ['otp='],
    ['cvv='],
    ['password: '],
    ['a@'],
    ['://'],
  ])('a tool named %s over and over delays nobody', async (piece) => {
    const name = piece.repeat(Math.ceil(40_000 / piece.length));
    const started = performance.now();
    const [answer] = await Promise.all([post(at(gateway(), 's'), call(name)), othersAreServed(gateway())]);
    expect(performance.now() - started).toBeLessThan(2000);
    expect(answer.message).not.toEqual({});
  });
});
