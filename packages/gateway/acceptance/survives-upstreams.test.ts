/** Law 9: nothing a server says ends the process, stops another call, or leaves its own caller without an answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type Outcome, othersAreServed, outcome, startHouse } from './support/house.ts';
import { type Answer, eventsOf, type Message, post, send } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call, initialize } from './support/messages.ts';
import type { Step } from './support/puppet.ts';

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(() => http.close());
const gateway = keepGateway(() => startHouse(http, { timeout_ms: 1500, breaker: false }));

const FINE = { result: { content: [{ type: 'text', text: 'fine in the end' }] } };

/** A call whose server does this; it writes, so that nothing is repeated. */
function play(script: readonly Step[], name = 'pay'): Message {
  const request = call(name, { script }, 'mine');
  return { ...request, params: { ...request['params'], _meta: { progressToken: 'tok' } } };
}

/** What an ordinary caller sees of an answer; anything else is shown as it came. */
async function seen(where: string, answer: Promise<Answer>): Promise<string> {
  try {
    const { message, body } = await answer;
    const said = message['result']?.content?.[0]?.text;
    return said === 'fine in the end' && message['id'] === 'mine'
      ? 'fine'
      : `${where}: ${body.slice(0, 300)}`;
  } catch (error) {
    return `${where}: ${String(error)}`;
  }
}

/** The line before an ordinary answer, over each way a server can speak. */
async function interrupted(line: string): Promise<string[]> {
  const stdio: Step[] = [{ say: line }, { answer: FINE }];
  const stream: Step[] = [
    { head: 200, headers: { 'content-type': 'text/event-stream' } },
    { say: `data: ${line}\n\n` },
    { events: [FINE] },
  ];
  const opened = await post(at(gateway(), 's'), initialize());
  const session = String(opened.headers['mcp-session-id']);
  const accept = { accept: 'text/event-stream' };
  const listener = send(at(gateway(), 's'), undefined, { session, headers: accept, within: 2500 });
  listener.catch(() => undefined);
  const answers = await Promise.all([
    seen('s', post(at(gateway(), 's'), play(stdio))),
    seen('s session', post(at(gateway(), 's'), play(stdio), { session })),
    seen('u', post(at(gateway(), 'u'), play(stream))),
    seen('joined s', post(at(gateway(), ''), play(stdio, 's_pay'))),
    seen('joined u', post(at(gateway(), ''), play(stream, 'u_pay'))),
  ]);
  await send(at(gateway(), 's'), undefined, { session, method: 'DELETE' });
  return answers.filter((answer) => answer !== 'fine');
}

/** The line as the answer itself, over each way a server can speak. */
function overEachWay(line: string): Promise<Outcome[]> {
  const body: Step[] = [{ head: 200 }, { say: line }];
  const stream: Step[] = [
    { head: 200, headers: { 'content-type': 'text/event-stream' } },
    { say: `data: ${line}\n\n` },
  ];
  return Promise.all([
    outcome('s', post(at(gateway(), 's'), play([{ say: line }]))),
    outcome('u json', post(at(gateway(), 'u'), play(body))),
    outcome('u events', post(at(gateway(), 'u'), play(stream))),
    outcome('joined s', post(at(gateway(), ''), play([{ say: line }], 's_pay'))),
    outcome('joined u', post(at(gateway(), ''), play(body, 'u_pay'))),
    outcome('joined events', post(at(gateway(), ''), play(stream, 'u_pay'))),
  ]);
}

describe('nonsense before an answer does not reach the answer', () => {
  const note = (method: string, params: string): string =>
    `{"jsonrpc":"2.0","method":"${method}","params":${params}}`;
  it.each([
    ['progress that is NaN', note('notifications/progress', '{"progressToken":$TOKEN,"progress":NaN}')],
    [
      'progress that is deep',
      note('notifications/progress', '{"progressToken":$TOKEN,"progress":1,"message":$DEEP}'),
    ],
    ['progress for a deep token', note('notifications/progress', '{"progressToken":$DEEP,"progress":1}')],
    [
      'progress for an object',
      note('notifications/progress', '{"progressToken":{"toString":1},"progress":1}'),
    ],
    ['progress without params', '{"jsonrpc":"2.0","method":"notifications/progress"}'],
    ['an update of a deep uri', note('notifications/resources/updated', '{"uri":$DEEP}')],
    ['an update of nonsense', note('notifications/resources/updated', '{bad}')],
    ['a changed list of nonsense', note('notifications/tools/list_changed', '[[[{bad}')],
    ['a deep log message', note('notifications/message', '{"level":"error","data":$DEEP}')],
    ['a log level that is an object', note('notifications/message', '{"level":{"toString":1},"data":NaN}')],
    [
      'a deep subscription',
      note(
        'notifications/subscriptions/acknowledged',
        '{"_meta":{"io.modelcontextprotocol/subscriptionId":$DEEP}}',
      ),
    ],
    ['a cancellation of nobody', note('notifications/cancelled', '{"requestId":{"toString":1}}')],
    ['an answer to nobody', '{"jsonrpc":"2.0","id":"never-asked","result":{}}'],
    ['an answer with an object as id', '{"jsonrpc":"2.0","id":{"toString":1},"result":{}}'],
    ['an answer with a deep id', '{"jsonrpc":"2.0","id":$DEEP,"result":{}}'],
    ['an answer with half a pair as id', '{"jsonrpc":"2.0","id":"\\ud800","result":{}}'],
    [
      'a request with an object as id',
      '{"jsonrpc":"2.0","id":{"toString":1},"method":"sampling/createMessage","params":{}}',
    ],
    [
      'a deep request',
      '{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"messages":$DEEP}}',
    ],
    ['a request for constructor', '{"jsonrpc":"2.0","id":"c","method":"constructor","params":{bad}}'],
    ['words', 'Server started on port 3000'],
    ['null', 'null'],
    ['a list', '[1,2,3]'],
    ['200,000 brackets', '$DEEP'],
    ['an empty line', ''],
  ])('%s', async (_name, line) => {
    expect(await interrupted(line)).toEqual([]);
    await othersAreServed(gateway());
  });
});

describe('an answer that is nonsense is still answered', () => {
  it.each([
    ['an error without an id', '{"jsonrpc":"2.0","error":{"code":-32603,"message":"lost"}}'],
    ['a deep error without an id', '{"jsonrpc":"2.0","error":{"code":-32603,"message":"lost","data":$DEEP}}'],
    ['an error with id null', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'],
    ['a result that is a string', '{"jsonrpc":"2.0","id":$ID,"result":"fine"}'],
    ['a result that is null', '{"jsonrpc":"2.0","id":$ID,"result":null}'],
    ['a deep result', '{"jsonrpc":"2.0","id":$ID,"result":$DEEP}'],
    ['a deep failing result', '{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":$DEEP}}'],
    [
      'a deep text',
      '{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":[{"type":"text","text":$DEEP}]}}',
    ],
    [
      'content that is an object',
      '{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":{"text":"x"}}}',
    ],
    ['content of nulls', '{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":[null,1,"x"]}}'],
    ['an error that is a string', '{"jsonrpc":"2.0","id":$ID,"error":"went wrong"}'],
    ['an error that is a list', '{"jsonrpc":"2.0","id":$ID,"error":["went","wrong"]}'],
    ['an error that is null', '{"jsonrpc":"2.0","id":$ID,"error":null}'],
    ['a deep error', '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32603,"message":"x","data":$DEEP}}'],
    ['an error whose code is a text', '{"jsonrpc":"2.0","id":$ID,"error":{"code":"E_FAIL","message":"x"}}'],
    [
      'an error whose message is an object',
      '{"jsonrpc":"2.0","id":$ID,"error":{"code":1,"message":{"toString":1}}}',
    ],
    ['an error whose code is endless', '{"jsonrpc":"2.0","id":$ID,"error":{"code":1e999,"message":"x"}}'],
    [
      'a wait without end',
      '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32010,"message":"x","data":{"retry_after":1e305}}}',
    ],
    ['both result and error', '{"jsonrpc":"2.0","id":$ID,"result":{},"error":{"code":1,"message":"x"}}'],
    ['neither', '{"jsonrpc":"2.0","id":$ID}'],
  ])('%s', async (_name, line) => {
    const outcomes = await overEachWay(line);
    expect(outcomes.filter((each) => !each.told)).toEqual([]);
    await othersAreServed(gateway());
  });
});

describe('an answer that is no JSON is passed on or told', () => {
  it.each([
    ['isError that is NaN', '{"jsonrpc":"2.0","id":$ID,"result":{"isError":NaN,"content":[]}}'],
    ['an answer cut in the middle', '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"te'],
    ['an answer of nonsense', '{"jsonrpc":"2.0","id":$ID,"result":{bad}}'],
  ])('%s', async (_name, line) => {
    const outcomes = await overEachWay(line);
    expect(outcomes.filter((each) => each.status === 0)).toEqual([]);
    await othersAreServed(gateway());
  });
});

it('an error that names no request is told to one that has no method', async () => {
  const lost: Step[] = [{ say: '{"jsonrpc":"2.0","error":{"code":-32603,"message":"lost"}}' }];
  const request = ask('', { _meta: { 'test/puppet': { script: lost } } }, 'mine');
  const [told] = await Promise.all([
    outcome('s', post(at(gateway(), 's'), request)),
    outcome('s', post(at(gateway(), 's'), play([{ wait: 300 }, { answer: FINE }]))),
  ]);
  expect(told?.status).toBe(200);
  await othersAreServed(gateway());
});

describe('a server that says too much', () => {
  it('answers twice: the caller gets one answer, the next caller his own', async () => {
    const twice: Step[] = [
      { answer: FINE },
      { answer: { result: { content: [{ type: 'text', text: 'late' }] } } },
    ];
    const answer = await post(at(gateway(), 's'), play(twice));
    expect(answer.messages.filter((message) => 'result' in message)).toHaveLength(1);
    const next = await post(at(gateway(), 's'), call('echo', { text: 'next' }, 'mine'));
    expect(next.message).toEqual({
      jsonrpc: '2.0',
      id: 'mine',
      result: { content: [{ type: 'text', text: 'echo: next' }] },
    });
  });

  it('writes 5,000 lines of standard error: nobody is warned about listeners', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
    const answer = post(at(gateway(), 's'), play([{ stderr: lines }, { answer: FINE }]));
    expect(await seen('s', answer)).toBe('fine');
    expect(gateway().log()).not.toContain('MaxListenersExceeded');
  });

  it('sends 20 MB of progress: the caller that reads gets all of it', async () => {
    const note = {
      method: 'notifications/progress',
      params: { progressToken: '$TOKEN', progress: 1, message: '$DEEP' }, // 400 kB of text
    };
    const burst: Step[] = [
      ...Array.from({ length: 10 }, () => ({ events: Array.from({ length: 5 }, () => note) })),
      { answer: FINE },
    ];
    const answer = await post(at(gateway(), 's'), play(burst), { within: 40_000 });
    expect(answer.message['result']?.content[0].text).toBe('fine in the end');
    expect(eventsOf(answer.body).filter((message) => 'method' in message)).toHaveLength(50);
  });

  it('writes escape codes: the log and the answer hold none', async () => {
    const evil = '\u001b[2J\u001b]0;owned\u0007 gone';
    await post(
      at(gateway(), 's'),
      play([{ stderr: evil }, { answer: { error: { code: -32603, message: evil } } }]),
    );
    await post(at(gateway(), 's'), ask(`${evil}/list`));
    expect(gateway().log()).not.toContain('\u001b');
  });

  it('asks to wait for ever: the wait is a number of this world', async () => {
    const steps: Step[] = [
      { head: 503, headers: { 'retry-after': '1e+305', 'content-type': 'text/plain' } },
      { say: 'busy' },
    ];
    const answer = await post(at(gateway(), 'u'), play(steps));
    const wait = Number(answer.headers['retry-after'] ?? 0);
    expect(wait).toBeLessThanOrEqual(366 * 86_400);
    expect(answer.body).not.toMatch(/\d{20,}|e\+\d/);
  });
});
