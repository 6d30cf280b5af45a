import fc from 'fast-check';
import { expect, it } from 'vitest';
import { almostJson } from '../../test/bytes.ts';
import { idOf } from './ids.ts';
import { encode } from './json.ts';
import { hasMethod, peek, withoutExtras } from './peek.ts';

const at = (text: string) => peek(Buffer.from(text));

it.each([
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request', 'ping'],
  ['{"method":"tools/call","params":{"id":"no","method":"no"},"id":"a"}', 'request', 'tools/call'],
  [
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}',
    'notification',
    'notifications/progress',
  ],
  ['{"result":{"id":2},"jsonrpc":"2.0","id":7}', 'response', ''],
  ['{"error":{"code":1,"message":"}"},"id":7}', 'response', ''],
  ['{"error":{"code":1},"id":null}', 'response', ''],
  ['{"error":{"code":1}}', 'response', ''],
  [' \n{ "id" : 1 , "method" : "a\\u0062" }\r\n', 'request', 'ab'],
  ['{"\\u0069d":1,"\\u006dethod":"ping"}', 'request', 'ping'],
  ['{"id":1,"method":"x","params":null,"more":true}', 'request', 'x'],
])('sees the outside of %s', (text, kind, method) => {
  const seen = at(text);
  expect([seen.kind, seen.method, seen.why]).toEqual([kind, method, undefined]);
});

it.each([
  ['', 'not_json'],
  ['Server is running', 'not_json'],
  ['{"id":1,"result":{"cut', 'not_json'],
  ['{"id":1,"result":{}} trailing', 'not_json'],
  ['{"id":1 "result":{}}', 'not_json'],
  ['{"id":1,"method":"x","params":{bad}}', 'not_json'],
  ['{"id":1,"result":{"progress":NaN}}', 'not_json'],
  ['{"id":1,"method":"a\nb"}', 'not_json'],
  ['\ufeff{"id":1,"method":"x"}', 'not_json'],
  ['[{"id":1,"method":"ping"}]', 'batch'],
  ['[', 'not_json'],
  ['"text"', 'not_a_message'],
  ['{"id":1}', 'not_a_message'],
  ['{"id":1,"method":7}', 'not_a_message'],
  ['{"id":1,"id":2,"method":"x"}', 'ambiguous'],
  ['{"id":1,"\\u0069d":2,"method":"x"}', 'ambiguous'],
  ['{"id":1,"method":"tools/list","method":"tools/call"}', 'ambiguous'],
  ['{"id":1,"method":"tools/list","Method":"tools/call"}', 'ambiguous'],
  ['{"id":1,"method":"x","param\u017f":{}}', 'ambiguous'],
  ['{"id":1,"method":"x","params":{},"params":{}}', 'ambiguous'],
  ['{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"x"}', 'ambiguous'],
  ['{"id":1,"result":{},"result":{}}', 'ambiguous'],
  ['{"id":1,"method":"x","result":{}}', 'ambiguous'],
  ['{"id":1,"method":"tools/call","params":{"name":"a","name":"b"}}', 'ambiguous'],
  ['{"id":1,"method":"tools/call","params":{"name":"a","Name":"b"}}', 'ambiguous'],
  ['{"id":1,"method":"tools/call","params":{"_meta":{},"_meta":{}}}', 'ambiguous'],
  ...[
    'progressToken',
    'dev.mayday/idempotency-key',
    'dev.mayday/executed',
    'dev.mayday/deadline',
    'dev.mayday/attempt',
    'dev.mayday/call',
    'dev.mayday/dialect',
    'io.modelcontextprotocol/protocolVersion',
    'io.modelcontextprotocol/clientCapabilities',
    'io.modelcontextprotocol/clientInfo',
    'io.modelcontextprotocol/logLevel',
    'io.modelcontextprotocol/related-task',
    'io.modelcontextprotocol/subscriptionId',
  ].flatMap((key): [string, 'ambiguous'][] => [
    [`{"id":1,"method":"tools/call","params":{"_meta":{"${key}":1,"x":2,"${key}":3}}}`, 'ambiguous'],
    [`{"id":1,"method":"tools/call","params":{"_meta":{"${key.toUpperCase()}":1}}}`, 'ambiguous'],
  ]),
  [
    '{"id":1,"method":"tools/call","params":{"_meta":{"dev.mayday\\/deadline":1,"dev.mayday/deadline":2}}}',
    'ambiguous',
  ],
  ['{"id":1,"method":"tools/call","params":{"_meta":{"progre\u017fsToken":1}}}', 'ambiguous'],
  ['{"method":"notifications/cancelled","params":{"requestId":1,"requestId":2}}', 'ambiguous'],
  ['{"method":"notifications/progress","params":{"progressToken":1,"ProgressToken":2}}', 'ambiguous'],
  ['{"id":1,"method":"tasks/get","params":{"taskId":"a","taskId":"b"}}', 'ambiguous'],
  ['{"id":1,"method":"tasks/get","params":{"taskId":"a","TaskId":"b"}}', 'ambiguous'],
  ['{"id":1,"method":"tasks/update","params":{"taskid":"b"}}', 'ambiguous'],
  ['{"id":1,"method":"tools/call","params":{"name":"a","task":{},"Task":{}}}', 'ambiguous'],
  ['{"id":1,"method":"tools/call","params":{"name":"a","requestState":"a","requeststate":"b"}}', 'ambiguous'],
  [
    '{"id":1,"method":"tools/call","params":{"name":"a","inputResponses":{},"InputResponses":{}}}',
    'ambiguous',
  ],
  ['{"id":1,"method":"completion/complete","params":{"ref":{},"Ref":{}}}', 'ambiguous'],
  ['{"id":1,"method":"completion/complete","params":{"ref":{"name":"a","Name":"b"}}}', 'ambiguous'],
  ['{"id":1,"method":"completion/complete","params":{"ref":{"name":"a","name":"b"}}}', 'ambiguous'],
  ['{"id":1,"method":"completion/complete","params":{"ref":{"name":"a","URI":"b"}}}', 'ambiguous'],
  ['{"id":1,"method":"completion/complete","params":{"ref":{"type":"a","Type":"b"}}}', 'ambiguous'],
  ['{"id":1,"method":"subscriptions/listen","params":{"Notifications":{}}}', 'ambiguous'],
  [
    '{"id":1,"method":"subscriptions/listen","params":{"notifications":{"resourcesubscriptions":["a"]}}}',
    'ambiguous',
  ],
  [
    '{"id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":[],"resourceSubscriptions":["a"]}}}',
    'ambiguous',
  ],
  [
    '{"id":1,"method":"subscriptions/listen","params":{"notifications":{"taskIds":[],"taskIds":["a"]}}}',
    'ambiguous',
  ],
  ['{"id":1,"method":"subscriptions/listen","params":{"notifications":{"TaskIDs":["a"]}}}', 'ambiguous'],
  ['{"id":null,"method":"ping"}', 'bad_id'],
  ['{"id":{"toString":1},"method":"ping"}', 'bad_id'],
  ['{"id":{"toString":1},"result":{}}', 'bad_id'],
  ['{"id":[1],"method":"ping"}', 'bad_id'],
  ['{"id":true,"method":"ping"}', 'bad_id'],
  ['{"id":1.5,"method":"ping"}', 'bad_id'],
  ['{"id":9007199254740993,"method":"ping"}', 'bad_id'],
  ['{"id":1e400,"method":"ping"}', 'bad_id'],
  [`{"id":"${'x'.repeat(70_000)}","method":"ping"}`, 'bad_id'],
])('says what is wrong with %s', (text, why) => {
  expect([at(text).kind, at(text).why]).toEqual(['invalid', why]);
});

it.each([
  '{"id":1,"method":"tools/call","params":{"name":"a","arguments":{"taskId":1,"TaskId":2,"ref":1,"Ref":2}}}',
  '{"id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"a"},"context":{"arguments":{"a":"","A":""}}}}',
  '{"id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["a"],"toolsListChanged":true}}}',
])('takes %s', (text) => {
  expect([at(text).kind, at(text).why]).toEqual(['request', undefined]);
});

it.each(['1', '-1', '0', '"a"', '""', '"\\ud83d\\ude00"', '9007199254740991', '1.0', '1e3'])(
  'takes the id %s',
  (id) => {
    expect(at(`{"id":${id},"method":"ping"}`).kind).toBe('request');
  },
);

it('says that bytes are no UTF-8', () => {
  const bytes = Buffer.concat([Buffer.from('{"id":1,"method":"'), Buffer.from([0xe9]), Buffer.from('"}')]);
  expect(peek(bytes).why).toBe('not_utf8');
});

it('lets arguments say things twice: they are not its business', () => {
  expect(at('{"id":1,"method":"tools/call","params":{"name":"a","arguments":{"b":1,"b":2}}}').kind).toBe(
    'request',
  );
});

it('refuses deep nesting wherever it stands', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  expect(at(`{"id":1,"result":${deep}}`).why).toBe('too_deep');
  expect(at(`{"id":${deep},"result":1}`).why).toBe('too_deep');
  expect(at(deep).why).toBe('too_deep');
  expect(at('['.repeat(200_000)).why).toBe('too_deep');
  const shallow = '{"id":1,"method":"x","params":{"a":[[1]]}}';
  expect(peek(Buffer.from(shallow), { maxDepth: 4 }).kind).toBe('request');
  expect(peek(Buffer.from(shallow), { maxDepth: 3 }).why).toBe('too_deep');
});

it('knows where the params stand', () => {
  const text = '{"id":1,"method":"x","params": {"a":1} }';
  const { paramsStart, paramsEnd } = at(text);
  expect(text.slice(paramsStart, paramsEnd)).toBe('{"a":1}');
});

it('sees what JSON.parse sees, for any result', () => {
  const id = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.jsonValue(), id, (result, said) => {
      const bytes = encode({ jsonrpc: '2.0', result, id: said });
      const seen = peek(bytes);
      expect(seen.kind).toBe('response');
      expect(idOf(bytes, seen)).toBe(said);
    }),
  );
});

it('understands a message as JSON.parse does, or not at all', () => {
  const message = fc.record(
    {
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.oneof(fc.string(), fc.jsonValue()),
      params: fc.jsonValue(),
    },
    { requiredKeys: ['id', 'method'] },
  );
  let taken = 0;
  fc.assert(
    fc.property(almostJson(message), (bytes) => {
      const seen = peek(bytes);
      fc.pre(seen.kind !== 'invalid');
      taken++;
      const parsed = JSON.parse(bytes.toString('utf8')) as { id?: unknown; method?: unknown };
      expect([idOf(bytes, seen), seen.method]).toEqual([parsed.id ?? undefined, parsed.method ?? '']);
    }),
    { numRuns: 2000, maxSkipsPerRun: 10_000 },
  );
  expect(taken).toBeGreaterThan(1000);
});

it('never throws, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(peek(Buffer.from(bytes)).kind).toMatch(/^(invalid|request|notification|response)$/);
    }),
  );
});

it('leaves out members that JSON-RPC does not know, and nothing else', () => {
  const text = ' {"a":1, "jsonrpc" : "2.0","\\u0069d":7 ,"method":"é","b":{"id":1},"params":{"c":1e400}}';
  expect(at(text).hasExtras).toBe(true);
  const without = withoutExtras(Buffer.from(text));
  expect(without.toString()).toBe('{"jsonrpc" : "2.0","\\u0069d":7,"method":"é","params":{"c":1e400}}');
  expect(peek(without)).toMatchObject({ kind: 'request', method: 'é', isVersion2: true, hasExtras: false });
});

it.each([
  ['{"jsonrpc":"2.0","id":1,"method":"initialize"}', true],
  ['{"jsonrpc":"2.0","id":1,"method":"\\u0069nitialize"}', true],
  ['{"jsonrpc":"2.0","method":"notifications/initialized"}', false],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"initialize"}}', false],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"C:\\\\"}}', false],
  ['{"jsonrpc":"2.0","id":1,"method":"initialize"', false],
  ['', false],
])('knows whether the method of %s is initialize: %s', (text, is) => {
  expect(hasMethod(Buffer.from(text), 'initialize')).toBe(is);
});

it('takes for the method what the walk takes for it, whatever the bytes', () => {
  const message = fc.record({ id: fc.integer(), method: fc.constantFrom('ping', 'pi\\ng', 'other', 'p') });
  fc.assert(
    fc.property(almostJson(message), (bytes) => {
      expect(hasMethod(bytes, 'ping')).toBe(peek(bytes).method === 'ping');
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['"tools/call"', 'tools/call'],
  ['"tools\\/call"', 'tools/call'],
  ['"t\\u006fols/call"', 'tools/call'],
  ['"tools/calls"', 'tools/calls'],
  ['"Tools/call"', 'Tools/call'],
])('reads the method %s as %s', (written, method) => {
  expect(at(`{"jsonrpc":"2.0","id":1,"method":${written}}`)).toMatchObject({ kind: 'request', method });
});

it.each([
  ['0', 'request'],
  ['-0', 'request'],
  ['999999999999999', 'request'],
  ['9007199254740991', 'request'],
  ['9007199254740993', 'invalid'],
  ['1e3', 'request'],
  ['1.5', 'invalid'],
])('takes the id %s for that of a message that is %s', (id, kind) => {
  expect(at(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`).kind).toBe(kind);
});
