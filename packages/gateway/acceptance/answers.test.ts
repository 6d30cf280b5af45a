/** Every call has an answer in its time: `timeout_ms` is what a caller waits in all, whoever falls silent and wherever. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch } from './support/gateway.ts';
import { at, ENDPOINTS, startHouse } from './support/house.ts';
import { type Answer, faultOf, type Message, post } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call, initialize, modern } from './support/messages.ts';
import type { Step } from './support/puppet.ts';
import { stdio } from './support/world.ts';

const LIMIT = 2000;
const STREAM = { 'content-type': 'text/event-stream' };
const HANG: Step[] = [{ hang: true }];

const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

const gateway = keepGateway(async () => {
  const limits = { message_bytes: 65_536 };
  const started = await startHouse(http, { timeout_ms: LIMIT, breaker: false }, { ledger }, { limits });
  // As clients do: the tools are known, and with them which ones only read.
  await Promise.all(ENDPOINTS.map((name) => post(at(started, name), ask('tools/list'))));
  return started;
}, [ledger]);

/** A call that reads, so that it may be repeated; each has a key of its own. */
let keys = 0;
function reading(attempts: readonly (readonly Step[])[], name = 'lookup'): Message {
  keys += 1;
  return call(name, { key: `k${keys}`, attempts }, `id-${keys}`);
}

/** Any request whose script travels in its `_meta`. */
function silent(method: string, params: object = {}): Message {
  return ask(method, { ...params, _meta: { 'test/puppet': { script: HANG } } }, 'id-silent');
}

function api(script: readonly Step[], name = 'echo'): Message {
  return call(name, { script: JSON.stringify(script) }, 'id-api');
}

/** Given up once and in time, in the words of a time limit; anything else is shown as it came. */
async function givenUp(where: string, request: Message, answer: Promise<Answer>): Promise<string> {
  try {
    const { ms, message, body } = await answer;
    const right = faultOf(message)['kind'] === 'timeout' && message['id'] === request['id'];
    if (right && ms >= LIMIT - 100 && ms < 2 * LIMIT) return 'given up';
    return `${where}: ${Math.round(ms)} ms, ${body.slice(0, 200)}`;
  } catch (error) {
    return `${where}: ${String(error)}`;
  }
}

function giveUps(
  cases: readonly [string, string, Message][],
  era: '2025' | '2026' = '2025',
): Promise<string[]> {
  return Promise.all(
    cases.map(([name, endpoint, request]) =>
      givenUp(name, request, post(at(gateway(), endpoint), request, { era, within: 4 * LIMIT })),
    ),
  ).then((verdicts) => verdicts.filter((verdict) => verdict !== 'given up'));
}

const SILENCES: readonly [string, readonly Step[]][] = [
  ['no head', HANG],
  ['a head', [{ head: 200 }, { hang: true }]],
  ['a head and half a body', [{ head: 200 }, { say: '{"jsonrpc":"2.0","id":$ID,"res' }, { hang: true }]],
  ['a stream', [{ head: 200, headers: STREAM }, { hang: true }]],
  [
    'a stream with half an event',
    [{ head: 200, headers: STREAM }, { say: 'data: {"jsonrpc"' }, { hang: true }],
  ],
  ['a failing head', [{ head: 500 }, { hang: true }]],
  [
    'a stream of comments',
    [
      { head: 200, headers: STREAM },
      ...Array.from({ length: 12 }, () => [{ say: ': alive\n\n' }, { wait: LIMIT / 5 }]).flat(),
      { hang: true },
    ],
  ],
];

describe('silence is given up once, in time', () => {
  it('of a process', async () => {
    const cases: [string, string, Message][] = [
      ['a tool that reads', 's', reading([HANG])],
      ['a tool that writes', 's', reading([HANG], 'pay')],
      ['tools/list', 's', silent('tools/list')],
      ['resources/read', 's', silent('resources/read', { uri: 'test://one' })],
      ['prompts/get', 's', silent('prompts/get', { name: 'hello' })],
      ['initialize', 's', { ...initialize({ _meta: { 'test/puppet': { script: HANG } } }), id: 'id-init' }],
    ];
    expect(await giveUps(cases)).toEqual([]);
  });

  it('of a process in a session', async () => {
    const opened = await post(at(gateway(), 's'), initialize());
    const session = String(opened.headers['mcp-session-id']);
    const request = reading([HANG]);
    const answer = post(at(gateway(), 's'), request, { session, within: 4 * LIMIT });
    expect(await givenUp('session', request, answer)).toBe('given up');
  });

  it('of an HTTP server, wherever it stops', async () => {
    expect(await giveUps(SILENCES.map(([name, script]) => [name, 'u', reading([script])]))).toEqual([]);
  });

  it('of an HTTP server, for a tool that writes', async () => {
    expect(await giveUps(SILENCES.map(([name, script]) => [name, 'u', reading([script], 'pay')]))).toEqual(
      [],
    );
  });

  it('of an HTTP server in 2026-07-28', async () => {
    const cases = SILENCES.map(([name, script]): [string, string, Message] => [
      name,
      'u',
      modern(reading([script])),
    ]);
    expect(await giveUps([...cases, ['a process', 's', modern(reading([HANG]))]], '2026')).toEqual([]);
  });

  it('of an HTTP API', async () => {
    const cases = SILENCES.slice(0, 3).flatMap(([name, script]): [string, string, Message][] => [
      [`${name}, GET`, 'o', api(script)],
      [`${name}, POST`, 'o', api(script, 'pay')],
    ]);
    expect(await giveUps(cases)).toEqual([]);
  });

  it('at the joined endpoint', async () => {
    const cases: [string, string, Message][] = [
      ['a process', '', reading([HANG], 's_lookup')],
      ['a process, writing', '', reading([HANG], 's_pay')],
      ...SILENCES.map(([name, script]): [string, string, Message] => [
        name,
        '',
        reading([script], 'u_lookup'),
      ]),
      ['an API', '', api(HANG, 'o_echo')],
    ];
    expect(await giveUps(cases)).toEqual([]);
  });

  it('after a first attempt that failed at once', async () => {
    const cases: [string, string, Message][] = [
      ['503, then silence', 'u', reading([[{ head: 503 }], HANG])],
      [
        'reset, then a silent stream',
        'u',
        reading([[{ reset: true }], [{ head: 200, headers: STREAM }, { hang: true }]]),
      ],
      ['joined: 503, then silence', '', reading([[{ head: 503 }], HANG], 'u_lookup')],
    ];
    expect(await giveUps(cases)).toEqual([]);
  });

  it('but not while there is progress', async () => {
    const note = { method: 'notifications/progress', params: { progressToken: '$TOKEN', progress: 1 } };
    const steps = Array.from({ length: 4 }, () => [{ events: [note] }, { wait: LIMIT / 2 }]).flat();
    const fine = { result: { content: [{ type: 'text', text: 'at last' }] } };
    const request = call('lookup', { script: [...steps, { events: [fine] }] });
    request['params']._meta = { progressToken: 'tok' };
    const answers = await Promise.all(['s', 'u'].map((name) => post(at(gateway(), name), request)));
    expect(answers.map((answer) => answer.message['result']?.content[0].text)).toEqual([
      'at last',
      'at last',
    ]);
  });
});

describe('a response that is no answer is told at once', () => {
  const OTHER = '{"jsonrpc":"2.0","id":"somebody-else","result":{"content":[]}}';
  const cases: [string, readonly Step[]][] = [
    ['202', [{ head: 202 }]],
    ['204', [{ head: 204 }]],
    ['205', [{ head: 205 }]],
    ['304', [{ head: 304 }]],
    ['200 without a body', [{ head: 200 }]],
    ['200 with blanks', [{ head: 200 }, { say: ' \n' }]],
    [
      '200 with a page',
      [{ head: 200, headers: { 'content-type': 'text/html' } }, { say: '<html>hi</html>' }],
    ],
    ['200 with {}', [{ head: 200 }, { say: '{}' }]],
    ['200 with half a message', [{ head: 200 }, { say: '{"jsonrpc":"2.0","id":$ID,"re' }]],
    ["200 with another's answer", [{ head: 200 }, { say: OTHER }]],
    ['a stream that ends', [{ head: 200, headers: STREAM }]],
    [
      'a stream that ends after a note',
      [{ events: [{ method: 'notifications/message', params: { level: 'info', data: 'x' } }] }],
    ],
    ["a stream with another's answer", [{ head: 200, headers: STREAM }, { say: `data: ${OTHER}\n\n` }]],
    ['a reset', [{ reset: true }]],
    ['a reset after the head', [{ head: 200 }, { wait: 20 }, { reset: true }]],
    ['a reset in the body', [{ head: 200 }, { say: '{"jsonrpc"' }, { wait: 20 }, { reset: true }]],
    ['a reset of a stream', [{ head: 200, headers: STREAM }, { wait: 20 }, { reset: true }]],
    ['a redirect to nowhere', [{ head: 302, headers: { location: 'http://127.0.0.1:1/' } }]],
    ['500 without a body', [{ head: 500 }]],
  ];

  async function toldAtOnce(
    name: string,
    endpoint: string,
    request: Message,
    limit = LIMIT,
  ): Promise<string> {
    try {
      const { ms, message, body } = await post(at(gateway(), endpoint), request, { within: 4 * LIMIT });
      const failed = message['error'] !== undefined || message['result']?.isError === true;
      const told = failed && message['id'] === request['id'] && ms < limit;
      return told ? 'told' : `${endpoint} ${name}: ${Math.round(ms)} ms, ${body.slice(0, 200)}`;
    } catch (error) {
      return `${endpoint} ${name}: ${String(error)}`;
    }
  }

  it.each([
    ['u', 'pay'],
    ['', 'u_pay'],
  ])('at /%s, for %s', async (endpoint, tool) => {
    const verdicts = await Promise.all(
      cases.map(([name, script]) => toldAtOnce(name, endpoint, reading([script], tool))),
    );
    expect(verdicts.filter((verdict) => verdict !== 'told')).toEqual([]);
  });

  it.each([
    ['u', 'pay'],
    ['', 'u_pay'],
  ])(
    "at /%s, another's answer in a stream as in a body: as output that is not valid",
    async (endpoint, tool) => {
      const ways: (readonly Step[])[] = [
        [{ head: 200 }, { say: OTHER }],
        [{ head: 200, headers: STREAM }, { say: `data: ${OTHER}\n\n` }],
      ];
      const told = ways.map((script) => post(at(gateway(), endpoint), reading([script], tool)));
      const faults = (await Promise.all(told)).map(({ message }) => faultOf(message));
      expect(faults.map(({ kind, executed }) => [kind, executed])).toEqual([
        ['invalid_output', 'maybe'],
        ['invalid_output', 'maybe'],
      ]);
    },
  );

  it('when a process ends', async () => {
    const limit = 2 * LIMIT; // the next process may be started after a pause
    expect(await toldAtOnce('exit 1', 's', reading([[{ exit: 1 }]], 'pay'), limit)).toBe('told');
    expect(await toldAtOnce('exit 0', 's', reading([[{ exit: 0 }]], 'pay'), limit)).toBe('told');
    expect(
      await toldAtOnce('half a line', 's', reading([[{ bytes: 'eyJqc29u' }, { exit: 0 }]], 'pay'), limit),
    ).toBe('told');
  });
});

describe('a message over the limit', () => {
  it('fails its own call for good, and no other', async () => {
    await post(at(gateway(), 's'), call('echo'), { within: 3000 });
    const fine = { result: { content: [{ type: 'text', text: 'undisturbed' }] } };
    const neighbour = post(at(gateway(), 's'), reading([[{ wait: 400 }, { answer: fine }]], 'pay'));
    const huge = { result: { content: [{ type: 'text', text: 'x'.repeat(200_000) }] } };
    const answers = await Promise.all([
      post(at(gateway(), 's'), reading([[{ wait: 100 }, { answer: huge }]], 'pay')),
      post(at(gateway(), 'u'), reading([[{ answer: huge }]], 'pay')),
      post(at(gateway(), 'u'), reading([[{ events: [huge] }]], 'pay')),
    ]);
    expect(answers.map((answer) => faultOf(answer.message)['retryable'])).toEqual([false, false, false]);
    expect((await neighbour).message['result']?.content[0].text).toBe('undisturbed');
  });
});

describe('what cannot start says why', () => {
  it.each([
    ['a missing program', { command: 'no-such-program-anywhere' }, /could not be started|not found/i],
    ['a missing folder', { ...stdio(), cwd: '/no/such/folder' }, /folder|directory|cwd/i],
  ])('%s', async (_name, upstream, words) => {
    const other = await startHouse(http, {}, {}, { upstreams: { x: upstream } });
    const answer = await post(at(other, 'x'), call('echo'), { within: 20_000 });
    await other.stop('SIGKILL');
    expect(answer.ms).toBeLessThan(4000);
    expect(answer.message['id']).toBe(1);
    expect(JSON.stringify(answer.message)).toMatch(words);
    expect(faultOf(answer.message)['executed']).toBe('no');
  });
});

describe('a rolling restart', () => {
  it('tells agents to try again, not that somebody cancelled', async () => {
    const other = await startHouse(http);
    await post(at(other, 's'), call('echo'));
    const open = ['s', 'u'].map((name) =>
      post(at(other, name), call('lookup', { script: HANG }), { within: 9000 }),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    const gone = other.stop('SIGTERM');
    const answers = await Promise.all(open);
    for (const { message } of answers) {
      expect(faultOf(message)['kind']).not.toBe('cancelled');
      expect(faultOf(message)['retryable']).toBe(true);
    }
    expect(await gone).toBe(0);
  });
});
