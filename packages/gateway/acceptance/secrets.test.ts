/** Law 4: a secret in anything that fails reaches no caller, no log and no operator's page, whatever the form of the failure. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from './support/gateway.ts';
import { at, startHouse } from './support/house.ts';
import { type Answer, type Message, post, send } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call, initialize, modern } from './support/messages.ts';
import type { Step } from './support/puppet.ts';

const SECRET = 'sw0rdf1sh-9Q';
const WORDS = `connect failed: postgres://svc:${SECRET}@10.0.0.5:5432/prod`;
const STACK = `Error: ${WORDS}\n    at Pool.connect (/srv/app/db.js:17:9)`;
const STREAM = { 'content-type': 'text/event-stream' };
const NOTE = { method: 'notifications/message', params: { level: 'error', data: WORDS } };
const FINE = { result: { content: [{ type: 'text', text: 'fine' }] } };

let http: HttpPuppet;
beforeAll(async () => {
  const failed = `id: 7\ndata: {"jsonrpc":"2.0","id":"resumed","error":{"code":-32603,"message":${JSON.stringify(WORDS)}}}\n\n`;
  http = await startHttpPuppet({ sessions: true, get: [{ head: 200, headers: STREAM }, { say: failed }] });
});
afterAll(() => http.close());
const gateway = keepGateway(() => startHouse(http, { timeout_ms: 2000, breaker: false }));

/** All that one answer shows: the bytes, what they mean, and the headers. */
function shown(answer: Answer): string {
  return answer.body + JSON.stringify(answer.messages) + JSON.stringify(answer.headers);
}

/** What operators see: the log and their pages. */
async function kept(): Promise<string> {
  const pages = await Promise.all(
    ['/-/faults', '/-/status'].map((path) => send(gateway().url + path, undefined)),
  );
  return gateway().log() + pages.map((page) => page.body).join('');
}

async function keepsSecret(...answers: Promise<Answer>[]): Promise<Answer[]> {
  const all = await Promise.all(answers);
  for (const answer of all) {
    expect(shown(answer)).not.toContain(SECRET);
    expect(answer.body).not.toBe('');
  }
  expect(await kept()).not.toContain(SECRET);
  return all;
}

/** A script behind `_meta`, for requests that are no calls. */
function scripted(request: Message, script: readonly Step[]): Message {
  return {
    ...request,
    params: { ...request['params'], _meta: { ...request['params']._meta, 'test/puppet': { script } } },
  };
}

function calling(tool: string, script: readonly Step[]): Message {
  const request = call(tool, { script });
  return { ...request, params: { ...request['params'], _meta: { progressToken: 'tok' } } };
}

/** The same failing JSON text as a line, a body, an event, and joined. */
function everyWay(json: string): Promise<Answer>[] {
  const body: Step[] = [{ head: 200 }, { say: json }];
  const stream: Step[] = [{ head: 200, headers: STREAM }, { say: `data: ${json}\n\n` }];
  return [
    post(at(gateway(), 's'), calling('pay', [{ say: json }])),
    post(at(gateway(), 'u'), calling('pay', body)),
    post(at(gateway(), 'u'), calling('pay', stream)),
    post(at(gateway(), ''), calling('s_pay', [{ say: json }])),
    post(at(gateway(), ''), calling('u_pay', body)),
    post(at(gateway(), ''), calling('u_pay', stream)),
  ];
}

describe('the negotiation', () => {
  const error = { code: -32000, message: WORDS, data: { stack: STACK } };
  it.each([
    ['s', { answer: { error } }],
    ['u', { answer: { error } }],
    ['u', { events: [{ error }] }],
  ] as [string, Step][])('a failing initialize at /%s', async (endpoint, step) => {
    const [answer] = await keepsSecret(post(at(gateway(), endpoint), scripted(initialize(), [step])));
    expect(answer?.message['error']?.code).toBe(-32000);
  });

  it.each([['s'], ['u']])('a failing server/discover at /%s', async (endpoint) => {
    const request = modern(scripted(ask('server/discover'), [{ answer: { error } }]));
    const [answer] = await keepsSecret(post(at(gateway(), endpoint), request, { era: '2026' }));
    expect(answer?.message['error']?.code).toBe(-32000);
  });

  it.each([
    [
      -32042,
      {
        elicitations: [{ mode: 'url', url: 'https://example.com/ask', elicitationId: 'e1', message: WORDS }],
      },
    ],
    [-32021, { requiredCapabilities: { sampling: {} }, note: WORDS }],
    [-32020, { mismatch: { header: 'a', body: 'b' }, note: WORDS }],
    [-32022, { supported: ['2026-07-28'], requested: '2099-01-01', note: WORDS }],
  ])('%s keeps its code and structure, not its secrets', async (code, data) => {
    const json = JSON.stringify({ jsonrpc: '2.0', id: '$ID', error: { code, message: WORDS, data } });
    const answers = await keepsSecret(...everyWay(json));
    for (const answer of answers) {
      expect(answer.message['error']?.code).toBe(code);
      expect(Object.keys(answer.message['error']?.data)).toEqual(expect.arrayContaining(Object.keys(data)));
    }
  });
});

describe('errors of odd forms', () => {
  const said = JSON.stringify(WORDS);
  it.each([
    ['an error that is a string', `{"jsonrpc":"2.0","id":$ID,"error":${said}}`],
    ['an error that is a list', `{"jsonrpc":"2.0","id":$ID,"error":[${said}]}`],
    ['an error without a message', `{"jsonrpc":"2.0","id":$ID,"error":{"code":1,"reason":${said}}}`],
    [
      'an error whose message is an object',
      `{"jsonrpc":"2.0","id":$ID,"error":{"code":1,"message":{"text":${said}}}}`,
    ],
    [
      'an error with data that is a string',
      `{"jsonrpc":"2.0","id":$ID,"error":{"code":1,"message":"x","data":${said}}}`,
    ],
    [
      'an error behind a result',
      `{"jsonrpc":"2.0","id":$ID,"result":{},"error":{"code":1,"message":${said}}}`,
    ],
    ['an escaped key error', `{"jsonrpc":"2.0","id":$ID,"err\\u006fr":{"code":1,"message":${said}}}`],
    [
      'isError that is "true"',
      `{"jsonrpc":"2.0","id":$ID,"result":{"isError":"true","content":[{"type":"text","text":${said}}]}}`,
    ],
    [
      'isError that is 1',
      `{"jsonrpc":"2.0","id":$ID,"result":{"isError":1,"content":[{"type":"text","text":${said}}]}}`,
    ],
    [
      'an escaped key isError',
      `{"jsonrpc":"2.0","id":$ID,"result":{"isErr\\u006fr":true,"content":[{"type":"text","text":${said}}]}}`,
    ],
    [
      'another escaped key isError',
      `{"jsonrpc":"2.0","id":$ID,"result":{"\\u0069sError":true,"content":[{"type":"text","text":${said}}]}}`,
    ],
    [
      'isError after blanks',
      `{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":${said}}],"isError"  :\\t true}}`.replace(
        '\\t',
        '\t',
      ),
    ],
    [
      'an escaped secret',
      `{"jsonrpc":"2.0","id":$ID,"error":{"code":1,"message":${said.replace('w0rd', '\\u0077\\u0030rd')}}}`,
    ],
    [
      'the _meta of a failing result',
      `{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":[],"_meta":{"com.example/cause":${said}}}}`,
    ],
    [
      'its structured content',
      `{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":[],"structuredContent":{"cause":${said}}}}`,
    ],
    [
      'its second block',
      `{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":[{"type":"text","text":"no"},{"type":"text","text":${said}}]}}`,
    ],
    [
      'its embedded resource',
      `{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":[{"type":"resource","resource":{"uri":"a:b","text":${said}}}]}}`,
    ],
    [
      'a stack in the text',
      `{"jsonrpc":"2.0","id":$ID,"result":{"isError":true,"content":[{"type":"text","text":${JSON.stringify(STACK)}}]}}`,
    ],
  ])('%s', async (_name, json) => {
    await keepsSecret(...everyWay(json));
  });
});

describe('HTTP of odd forms', () => {
  const json = `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32603,"message":${JSON.stringify(WORDS)}}}`;
  const spread = json.replace(SECRET, `${SECRET.slice(0, 5)}|${SECRET.slice(5)}`).split('|');
  const packed = (type: string, bytes: Buffer): Step[] => [
    { head: 200, headers: { 'content-type': 'application/json', 'content-encoding': type } },
    { bytes: bytes.toString('base64') },
  ];
  const fixed = json.replace('$ID', '1');
  it.each([
    ...[201, 203, 206, 400, 403, 404, 409, 422, 429, 500, 502, 503].map((head): [string, Step[]] => [
      `status ${head}`,
      [{ head }, { say: json }],
    ]),
    ['a plain text with 500', [{ head: 500, headers: { 'content-type': 'text/plain' } }, { say: STACK }]],
    [
      'a page with 502',
      [{ head: 502, headers: { 'content-type': 'text/html' } }, { say: `<h1>${WORDS}</h1>` }],
    ],
    [
      'a page with 200',
      [{ head: 200, headers: { 'content-type': 'text/html' } }, { say: `<h1>${WORDS}</h1>` }],
    ],
    ['a body behind a BOM', [{ head: 200 }, { say: `\ufeff${json}` }]],
    [
      'a body in two pieces',
      [{ head: 200 }, { say: spread[0] ?? '' }, { wait: 20 }, { say: spread[1] ?? '' }],
    ],
    ['a stream behind a BOM', [{ head: 200, headers: STREAM }, { say: `\ufeffdata: ${json}\n\n` }]],
    ['a stream with CR', [{ head: 200, headers: STREAM }, { say: `data: ${json}\r\r` }]],
    ['a stream with CRLF', [{ head: 200, headers: STREAM }, { say: `data: ${json}\r\n\r\n` }]],
    ['a stream without the blank', [{ head: 200, headers: STREAM }, { say: `data:${json}\n\n` }]],
    [
      'data over two lines',
      [{ head: 200, headers: STREAM }, { say: `data: ${json.replace('"error"', '\ndata: "error"')}\n\n` }],
    ],
    [
      'an event in two pieces',
      [
        { head: 200, headers: STREAM },
        { say: `data: ${spread[0]}` },
        { wait: 20 },
        { say: `${spread[1]}\n\n` },
      ],
    ],
    ['a last event without an end', [{ head: 200, headers: STREAM }, { say: `data: ${json}` }]],
    [
      'an event of another name',
      [{ head: 200, headers: STREAM }, { say: `event: error\ndata: ${json}\n\n` }],
    ],
    [
      'a type in capitals',
      [
        { head: 200, headers: { 'content-type': 'Text/Event-Stream; charset=UTF-8' } },
        { say: `data: ${json}\n\n` },
      ],
    ],
    [
      'a type with a suffix',
      [{ head: 200, headers: { 'content-type': 'application/problem+json' } }, { say: json }],
    ],
    ['no type', [{ head: 200, headers: {} }, { say: json }]],
    ['gzip', packed('gzip', gzipSync(fixed))],
    ['deflate', packed('deflate', deflateSync(fixed))],
    ['brotli', packed('br', brotliCompressSync(fixed))],
  ] as [string, Step[]][])('%s', async (_name, script) => {
    await keepsSecret(
      post(at(gateway(), 'u'), call('pay', { script })),
      post(at(gateway(), ''), call('u_pay', { script })),
      post(at(gateway(), 'u'), modern(call('pay', { script })), { era: '2026' }),
    );
  });

  it('a failing answer on a resumed stream', async () => {
    const opened = await post(at(gateway(), 'u'), initialize());
    const session = String(opened.headers['mcp-session-id']);
    const headers = { accept: 'text/event-stream', 'last-event-id': '6' };
    await keepsSecret(send(at(gateway(), 'u'), undefined, { session, headers }));
  });

  it('an API that fails', async () => {
    const script = (steps: Step[]): Message => call('echo', { script: JSON.stringify(steps) });
    await keepsSecret(
      post(at(gateway(), 'o'), script([{ head: 500 }, { say: JSON.stringify({ error: WORDS }) }])),
      post(
        at(gateway(), 'o'),
        script([{ head: 400 }, { say: JSON.stringify({ detail: [{ loc: ['query', 'q'], msg: WORDS }] }) }]),
      ),
      post(
        at(gateway(), 'o'),
        script([{ head: 502, headers: { 'content-type': 'text/html' } }, { say: `<pre>${STACK}</pre>` }]),
      ),
      post(at(gateway(), ''), call('o_echo', { script: JSON.stringify([{ head: 500 }, { say: WORDS }]) })),
    );
  });
});

describe('beside the answer', () => {
  const progress = {
    method: 'notifications/progress',
    params: { progressToken: '$TOKEN', progress: 1, message: WORDS },
  };
  it.each([
    ['a log message', NOTE],
    [
      'a log message with an object',
      { method: 'notifications/message', params: { level: 'error', data: { error: WORDS } } },
    ],
    ['a progress message', progress],
  ])('%s', async (_name, note) => {
    const stream: Step[] = [{ events: [note, FINE] }];
    await keepsSecret(
      post(at(gateway(), 's'), calling('pay', stream)),
      post(at(gateway(), 'u'), calling('pay', stream)),
      post(at(gateway(), ''), calling('s_pay', stream)),
      post(at(gateway(), ''), calling('u_pay', stream)),
    );
  });

  it('a log message on the stream of a session', async () => {
    const opened = await post(at(gateway(), 's'), initialize());
    const session = String(opened.headers['mcp-session-id']);
    const pieces: string[] = [];
    const stop = new AbortController();
    const headers = { accept: 'text/event-stream' };
    const listener = send(at(gateway(), 's'), undefined, {
      session,
      headers,
      signal: stop.signal,
      onText: (text) => pieces.push(text),
    });
    listener.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await keepsSecret(
      post(
        at(gateway(), 's'),
        call('pay', { script: [{ events: [NOTE] }, { wait: 100 }, { answer: FINE }] }),
        { session },
      ),
    );
    stop.abort();
    expect(pieces.join('')).not.toContain(SECRET);
  });

  it('standard error, also of a process that dies', async () => {
    const steps: Step[] = [{ stderr: WORDS }, { stderr: `PASSWORD=${SECRET}` }, { wait: 50 }, { exit: 3 }];
    await keepsSecret(post(at(gateway(), 's'), call('pay', { script: steps })));
  });

  it('a tool name, an argument and a method of a caller stay out of the log', async () => {
    await Promise.all([
      post(at(gateway(), 's'), call(WORDS)),
      post(at(gateway(), 'o'), call('echo', { nope: WORDS })),
      post(at(gateway(), 's'), ask(WORDS)),
      post(at(gateway(), ''), call(`s_${WORDS}`)),
    ]);
    expect(await kept()).not.toContain(SECRET);
  });
});

describe('the operator’s own credentials', () => {
  it('in addresses and headers are in no answer, log or page', async () => {
    const other = await startGateway({
      upstreams: {
        gone: { url: 'http://127.0.0.1:1/mcp', headers: { authorization: `Bearer ${SECRET}` } },
        dead: {
          command: process.execPath,
          args: ['-e', `process.stderr.write('key ${SECRET}'); process.exit(4)`],
          env: { API_KEY: SECRET },
        },
      },
    });
    const answers = await Promise.all([
      post(at(other, 'gone'), call('echo')),
      post(at(other, 'dead'), call('echo')),
      post(at(other, ''), ask('tools/list')),
      send(`${other.url}/-/status`, undefined),
      send(`${other.url}/-/faults`, undefined),
    ]);
    const seen = answers.map(shown).join('\n');
    await other.stop('SIGKILL');
    expect(seen).not.toContain(SECRET);
  });
});
