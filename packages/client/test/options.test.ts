/** Options that decide about harm are read, or refused: by one rule, wherever they are given. */
import { withRetries } from '@mayday/policy';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema as RESULT } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { resilientTools as aiTools } from '../src/agents/ai-sdk.ts';
import { resilientTools as langChainTools } from '../src/agents/langchain.ts';
import { resilientTools as mastraTools } from '../src/agents/mastra.ts';
import { resilientServer } from '../src/agents/openai-agents.ts';
import * as v2 from '../src/index.ts';
import * as v1 from '../src/v1.ts';
import { FLAVOURS } from './flavours.ts';
import { scriptedHttp, succeed } from './scripted-http.ts';

const INFO = { name: 'agent', version: '1.0.0' };
const server = { name: 'x', callTool: () => undefined, listTools: () => undefined };

const TAKERS: readonly [string, (options: object) => unknown][] = [
  ['v2', (options) => v2.resilient(new ClientV2(INFO), options)],
  ['v1', (options) => v1.resilient(new ClientV1(INFO), options)],
  ['the AI SDK', (options) => aiTools({}, options)],
  ['OpenAI’s agents', (options) => resilientServer(server as never, options)],
  ['LangChain', (options) => langChainTools([], options)],
  ['Mastra', (options) => mastraTools({}, options)],
];

describe.each(TAKERS)('%s', (_, take) => {
  it.each([
    [{ tools: new Map([['pay', { once: true }]]) }, 'Expected `tools` to be an object, got a Map'],
    [{ tools: { pay: new Map([['once', true]]) } }, 'Expected `tools.pay` to be an object, got a Map'],
    [
      { tools: { pay: { repeatable: 'no' } } },
      'Expected `tools.pay.repeatable` to be true or false, got string',
    ],
    [{ trustAnnotations: 'no' }, 'Expected `trustAnnotations` to be true or false, got string'],
    [{ onFault: 'log' }, 'Expected `onFault` to be a function, got string'],
    [{ upstream: Promise.resolve() }, 'Expected `upstream` to be an object, got a Promise'],
    [{ upstream: { pace: 'no' } }, 'Expected `pace` to be true or false, got string'],
    [
      { upstream: {} },
      'Expected `upstream` to be one that `createUpstream()` made, or options of one; leave it out for the defaults',
    ],
    [
      { upstream: { targetBreaker: { threshold: 3 } } },
      'Expected `targetBreaker.threshold` to be a number from 0 to 1, got 3',
    ],
    [
      { upstream: { targetBreaker: { consecutive: '3' } } },
      'Expected `targetBreaker.consecutive` to be a positive integer, got string',
    ],
    [
      { upstream: { targetBreaker: { openMs: -1 } } },
      'Expected `targetBreaker.openMs` to be a number of milliseconds, got -1',
    ],
    [
      { upstream: { targetBreaker: { thresold: 0.5 } } },
      'Unknown option `thresold` of `targetBreaker`; did you mean `threshold`?',
    ],
    [
      { upstream: { targetBreaker: null } },
      'Expected the options of `targetBreaker` to be an object, got null',
    ],
    [
      { upstream: { breaker: { threshold: 3 } } },
      'Expected `breaker.threshold` to be a number from 0 to 1, got 3',
    ],
    [{ upstream: { breaker: { onState: 1 } } }, 'Expected `breaker.onState` to be a function, got 1'],
    [{ upstream: { name: 5 } }, 'Expected `name` to be a text, got 5'],
    [{ upstream: { onEvent: 5 } }, 'Expected `onEvent` to be a function, got 5'],
    [{ upstream: { random: 5 } }, 'Expected `random` to be a function, got 5'],
    [
      { upstream: { clock: { now: 1 } } },
      'Expected `clock` to be a clock with `now` and `timer`, got object',
    ],
    [{ upstream: { budget: null } }, 'Expected the options of `budget` to be an object, got null'],
    [null, /^Expected the options of .* to be an object, got null$/],
    [{ atempts: 1 }, /^Unknown option `atempts` of .*; did you mean `attempts`\?$/],
    [new Map([['attempts', 1]]), /^Expected the options of .* to be an object, got a Map$/],
  ])('refuses %o', (options, message) => {
    expect(() => take(options as object)).toThrow(message);
  });
});

it('refuses a client of the other SDK, and names the import for it', () => {
  expect(() => v2.resilient(new ClientV1(INFO) as never)).toThrow(
    new TypeError(
      "Expected a client of SDK v2, got one of SDK v1: import { resilient } from '@mayday/client/v1'",
    ),
  );
  expect(() => v1.resilient(new ClientV2(INFO) as never)).toThrow(
    new TypeError(
      "Expected a client of SDK v1, got one of SDK v2: import { resilient } from '@mayday/client'",
    ),
  );
});

it.each([
  [undefined, 'undefined'],
  [null, 'null'],
  [{}, 'an object without `request`, `callTool`, `connect` and `close`'],
  [ClientV2, 'the class or function Client: make one first'],
  ['http://127.0.0.1/', 'string'],
])('refuses what is no client: %o', (given, got) => {
  const sentence = new TypeError(`Expected a client of the official SDK, got ${got}`);
  expect(() => v1.resilient(given as never)).toThrow(sentence);
  expect(() => v2.resilient(given as never)).toThrow(sentence);
});

it.each([
  [{ attempts: '3' }, 'Expected `attempts` to be a positive integer, got string'],
  [{ upstream: { concurrency: '5' } }, 'Expected `concurrency` to be a positive integer, got string'],
  [{ upstream: { patienceMs: '5' } }, 'Expected `patienceMs` to be a number of milliseconds, got string'],
  [{ deadlineMs: 0 }, 'Expected `deadlineMs` to be a positive number of milliseconds, got 0'],
  [{ attemptTimeoutMs: 0 }, 'Expected `attemptTimeoutMs` to be a positive number of milliseconds, got 0'],
  [{ deadlineMs: '5' }, 'Expected `deadlineMs` to be a positive number of milliseconds, got string'],
  [
    { tools: { pay: { deadlineMs: 0 } } },
    'Expected `tools.pay.deadlineMs` to be a positive number of milliseconds, got 0',
  ],
  [
    { patienceMs: 5 },
    'Unknown option `patienceMs` of a resilient client; did you mean `upstream: { patienceMs }`?',
  ],
  [
    { concurrency: 5 },
    'Unknown option `concurrency` of a resilient client; did you mean `upstream: { concurrency }`?',
  ],
])('refuses the value %o', (options, message) => {
  expect(() => v2.resilient(new ClientV2(INFO), options as never)).toThrow(new TypeError(message));
});

it('refuses a call that has no time', async () => {
  const client = v2.resilient(new ClientV2(INFO));
  await expect(client.call({ name: 'x' }, { deadlineMs: 0 })).rejects.toThrow(
    new TypeError('Expected `deadlineMs` to be a positive number of milliseconds, got 0'),
  );
});

it.each([
  ['v2', (transport: never) => v2.resilient(new ClientV2(INFO), { transport })],
  ['v1', (transport: never) => v1.resilient(new ClientV1(INFO), { transport })],
] as const)('says that a transport is no promise: %s', async (_, take) => {
  const client = take((async () => ({})) as never);
  await expect((client as { connect(): Promise<void> }).connect()).rejects.toThrow(
    new TypeError(
      'Expected a transport, got a promise: `transport` cannot be async; await what it needs before',
    ),
  );
});

it.each([
  [7, 'number'],
  [{}, 'object'],
])('says that %j is no transport', async (given, type) => {
  const client = v2.resilient(new ClientV2(INFO));
  await expect(client.connect(given as never)).rejects.toThrow(
    new TypeError(`Expected a transport of the SDK, got ${type}`),
  );
});

it.each([v1, v2])('refuses options that the transport does not have', ({ httpTransport }) => {
  const make = (options: object) => () => httpTransport('http://127.0.0.1/', options as never);
  expect(make({ headers: { authorization: 'x' } })).toThrow(
    'Unknown option `headers` of `httpTransport`; did you mean `requestInit: { headers }`?',
  );
  expect(make({ header: {} })).toThrow('did you mean `requestInit: { headers }`?');
  expect(make({ zzz: 1 })).toThrow(
    /^Unknown option `zzz` of `httpTransport`; it has (?:\w+, )*requestInit\b/,
  );
  expect(make({ requestInit: { headers: {} } })).not.toThrow();
});

it.each([v1, v2])('believes no declarations on a word that is none', ({ httpTransport, mendFetch }) => {
  const sentence = new TypeError('Expected `trustDeclarations` to be true or false, got string');
  const options = { trustDeclarations: 'false' } as never;
  expect(() => httpTransport('http://127.0.0.1/', options)).toThrow(sentence);
  expect(() => mendFetch(fetch, options)).toThrow(sentence);
  expect(() => httpTransport('http://127.0.0.1/', { fetch: 5 } as never)).toThrow(
    new TypeError('Expected `fetch` to be a function, got 5'),
  );
  expect(() => httpTransport('http://127.0.0.1/', { reconnectionOptions: 5 } as never)).toThrow(
    new TypeError('Expected `reconnectionOptions` to be an object, got 5'),
  );
  expect(() => mendFetch(fetch, null as never)).toThrow(
    'Expected the options of `mendFetch` to be an object',
  );
});

it('refuses the same where an upstream is made', () => {
  expect(() => v2.createUpstream({ targetBreaker: { windowMs: '1' } } as never)).toThrow(
    new TypeError('Expected `targetBreaker.windowMs` to be a number of milliseconds, got string'),
  );
  expect(() => v2.createUpstream(null as never)).toThrow(
    'Expected the options of an upstream to be an object',
  );
  v2.createUpstream({ name: 'shop', pace: true, breaker: false, targetBreaker: { consecutive: 3 } });
});

it.each([v1, v2])('says which address is none, without the secrets in it', ({ httpTransport }) => {
  expect(() => httpTransport('nope')).toThrow(
    new TypeError('Expected the address of `httpTransport` to be a whole URL, got "nope"'),
  );
  const wrong = 'http://ada:hunter2zebra9@exa mple.com/mcp';
  expect(() => httpTransport(wrong)).toThrow('Expected the address of `httpTransport`');
  expect(() => httpTransport(wrong)).not.toThrow('hunter2zebra9');
  expect(() => httpTransport(7 as never)).toThrow('to be a whole URL, got number');
});

it.each([
  [
    { call: { readOnly: true, repeatable: 'no' } },
    'Expected `call.repeatable` to be true or false, got string',
  ],
  [{ call: { readOnly: 'no' } }, 'Expected `call.readOnly` to be true or false, got string'],
  [
    { call: new Map([['once', true]]) },
    'Expected the options of the `call` of `withRetries` to be an object',
  ],
  [{ upstream: {} }, 'Expected `upstream` to be one that `createUpstream()` made'],
])('refuses %o beside a function', async (options, message) => {
  let calls = 0;
  const made = withRetries(async () => {
    calls += 1;
  }, options as never);
  await expect(made).rejects.toThrow(message);
  expect(calls).toBe(0);
});

it('refuses them beside a failure', () => {
  const failed = { isError: true, content: [] };
  expect(() => v2.readResult(failed, 0, { readOnly: 'no' } as never)).toThrow(
    'Expected `readOnly` to be true or false, got string',
  );
});

it.each(FLAVOURS)('refuses options of `call` beside `callTool`: $name', async ({ http, name }) => {
  await using scripted = await scriptedHttp((heard, response) => succeed(heard, response));
  const client = http(scripted.url);
  await client.connect();
  const callTool = client.callTool as (...args: unknown[]) => Promise<unknown>;
  for (const [option, meant] of [
    ['idempotencyKey', 'idempotencyKey'],
    ['idempotencykey', 'idempotencyKey'],
    ['once', 'once'],
    ['repeatable', 'repeatable'],
    ['attempts', 'attempts'],
  ]) {
    const options = { [option as string]: true };
    const called = callTool({ name: 'write' }, ...(name === 'SDK v1' ? [undefined, options] : [options]));
    await expect(called).rejects.toThrow(
      `Unknown option \`${option}\` of the SDK's own methods; did you mean \`call(params, { ${meant} })\`?`,
    );
  }
  expect(scripted.calls('write')).toBe(0);
  await client.close();
});

describe.each(FLAVOURS)('$name', ({ http }) => {
  it.each([
    ['idempotencyKey', 'idempotencyKey'],
    ['traceparent', undefined],
    ['idempotencykey', 'idempotencyKey'],
    ['once', 'once'],
    ['signal', 'signal'],
    ['deadlineMS', 'deadlineMs'],
  ])('refuses an option among what is sent: %s', async (option, meant) => {
    await using scripted = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(scripted.url);
    await client.connect();
    const params = { name: 'write', arguments: {}, [option]: 'k' };
    const refusal =
      meant && `Unknown parameter \`${option}\` of a call; did you mean \`call(params, { ${meant} })\`?`;
    for (const calling of [client.call(params), client.callTool(params as never)])
      expect(
        await Promise.resolve(calling).then(
          () => undefined,
          (error: Error) => error.message,
        ),
      ).toBe(refusal);
    expect(scripted.calls('write')).toBe(meant === undefined ? 2 : 0);
    await client.close();
  });
});

type Loose = (...args: readonly unknown[]) => Promise<unknown>;
interface LooseClient {
  readonly call: Loose;
  readonly callTool: Loose;
  readonly request: Loose;
}

describe.each(FLAVOURS)(
  '$name: a call that is none is refused with a sentence, and nothing is sent',
  ({ http }) => {
    const PAY = { name: 'write', arguments: {} };
    const NO_PARAMS = 'Expected the parameters of a call to be an object, as `{ name, arguments }`, got';
    const MISPLACED =
      "Unknown option `once` of the SDK's own methods; did you mean `call(params, { once })`?";

    it.each<[string, (client: LooseClient) => Promise<unknown>, string]>([
      [
        'no options',
        ({ call }) => call(PAY, null),
        'Expected the options of a call to be an object, got null',
      ],
      ['nothing', ({ call }) => call(), `${NO_PARAMS} undefined`],
      ['nothing, of the SDK', ({ callTool }) => callTool(), `${NO_PARAMS} undefined`],
      ['a name', ({ call }) => call('write', { amount: 1 }, null), `${NO_PARAMS} string`],
      ['a list', ({ call }) => call(['write', {}]), `${NO_PARAMS} an array`],
      [
        'a signal that is none',
        ({ call }) => call(PAY, { signal: 1 }),
        'Expected `signal` to be an AbortSignal, got number',
      ],
      [
        'args',
        ({ call }) => call({ name: 'write', args: {} }),
        'Unknown parameter `args` of a call; did you mean `arguments`?',
      ],
      [
        'input, of the SDK',
        ({ callTool }) => callTool({ name: 'write', input: {} }),
        'Unknown parameter `input` of a call; did you mean `arguments`?',
      ],
      [
        'tool',
        ({ call }) => call({ tool: 'write', arguments: {} }),
        'Unknown parameter `tool` of a call; did you mean `name`?',
      ],
      [
        'an option in the params of a request',
        ({ request }) => request({ method: 'tools/call', params: { ...PAY, once: true } }, RESULT),
        'Unknown parameter `once` of a call; did you mean `call(params, { once })`?',
      ],
      ['an option in the third place', ({ callTool }) => callTool(PAY, undefined, { once: true }), MISPLACED],
      [
        'an option behind the options of a call',
        ({ call }) => call(PAY, undefined, { once: true }),
        'Unknown option `once` in the third place of a call; did you mean `call(params, { once })`?',
      ],
      [
        'a key behind the options of a call',
        ({ call }) => call(PAY, {}, { idempotencyKey: 'x' }),
        'Unknown option `idempotencyKey` in the third place of a call; did you mean `call(params, { idempotencyKey })`?',
      ],
      [
        'a slip of the pen behind the options of a call',
        ({ call }) => call(PAY, {}, { deadlineMS: 5 }),
        'Unknown option `deadlineMS` in the third place of a call; did you mean `call(params, { deadlineMs })`?',
      ],
      [
        'a signal behind the options of a call',
        ({ call }) => call(PAY, undefined, { signal: new AbortController().signal }),
        'Unknown option `signal` in the third place of a call; did you mean `call(params, { signal })`?',
      ],
      [
        'an option of the SDK behind the options of a call',
        ({ call }) => call(PAY, undefined, { timeout: 5000 }),
        'Expected nothing behind the options of a call, got object',
      ],
      [
        'a number behind the options of a call',
        ({ call }) => call(PAY, undefined, 5000),
        'Expected nothing behind the options of a call, got number',
      ],
      ['an option in the second place', ({ callTool }) => callTool(PAY, { once: true }), MISPLACED],
      [
        'an option of a request in the third place',
        ({ request }) => request({ method: 'tools/call', params: PAY }, RESULT, { once: true }),
        MISPLACED,
      ],
    ])('%s', async (_what, calling, message) => {
      await using scripted = await scriptedHttp((heard, response) => succeed(heard, response));
      const client = http(scripted.url);
      await client.connect();
      await expect(calling(client as unknown as LooseClient)).rejects.toThrow(new TypeError(message));
      expect(scripted.calls('write')).toBe(0);
      await client.close();
    });

    it('what is named like it beside the right one, a schema and a signal are sent', async () => {
      await using scripted = await scriptedHttp((heard, response) => succeed(heard, response));
      const client = http(scripted.url);
      await client.connect();
      const { call, request } = client as unknown as LooseClient;
      await call({ ...PAY, tool: 'x', args: [] }, { signal: new AbortController().signal });
      await call({ name: 'write' });
      await call(PAY, {}, undefined);
      await request({ method: 'tools/call', params: PAY }, RESULT, { timeout: 5000 });
      expect(scripted.calls('write')).toBe(4);
      await client.close();
    });
  },
);
