/** What is not shaped crosses as the bytes that came, from docs/shaping.md, and what is left out is in none of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call } from '../support/messages.ts';
import '../support/policy.ts';
import type { Step } from '../support/puppet.ts';
import { PATIENT } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const STREAM = { 'content-type': 'text/event-stream' };
const LEFT = '{ "name":"left", "inputSchema":{"type":"object","maximum":12345678901234567890.10},"x":1.0 }';
const GONE = '{"inputSchema":{"type":"object"},"name":"untold","description":"of a secret kind"}';
const OLD = '{"x":1e2 , "name" : "old", "description":"old \\u00e9 words","title":"T\\/t","y":-0.0}';
const NEW = '{"x":1e2 , "name" : "new", "description":"new words","title":"T\\/t","y":-0.0}';
const LIST = `{"jsonrpc":"2.0","id":$ID,"result":{ "extra":[1.00, 2],"tools":[${GONE}, ${LEFT}, ${OLD}],"_meta":{"name":"untold?no"}}}`;
const SHAPE = { deny: ['untold'], rename: { old: 'new' }, descriptions: { old: 'new words' } };

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(() => http.close());
const gateway = keepGateway(() =>
  startGateway({
    joined: PATIENT,
    upstreams: {
      u: { url: http.url, tools: SHAPE },
      s: stdio({}, { tools: SHAPE }),
      plain: { url: http.url },
      bad: { url: http.url, tools: SHAPE, breaker: false },
    },
    virtual: { v: { tools: ['u/*', 's/*'] }, alone: { tools: ['bad/*'] } },
  }),
);

function scripted(script: readonly Step[]): object {
  return ask('tools/list', { _meta: { 'test/puppet': { script } } });
}

describe('a list', () => {
  const WAYS: [string, string, Step[]][] = [
    ['as JSON', 'u', [{ head: 200 }, { say: LIST }]],
    ['as a stream', 'u', [{ head: 200, headers: STREAM }, { say: `event: message\ndata: ${LIST}\n\n` }]],
    ['in pieces', 'u', [{ head: 200 }, { say: LIST.slice(0, 150) }, { wait: 30 }, { say: LIST.slice(150) }]],
    ['as a line', 's', [{ say: LIST }]],
  ];
  it.each(WAYS)('that came %s keeps all other bytes', async (_what, endpoint, script) => {
    const { body } = await post(at(gateway(), endpoint), scripted(script));
    expect(body).toContain(LEFT);
    expect(body).toContain(NEW);
    expect(body).toContain('"extra":[1.00, 2]');
    expect(body).toContain('"_meta":{"name":"untold?no"}');
    expect(body).not.toContain('"untold"');
    expect(body).not.toContain('of a secret kind');
    expect(body).not.toContain('"old"');
    expect(body).not.toContain('old \\u00e9 words');
  });

  it('of an upstream without `tools` is the same text', async () => {
    const { body } = await post(at(gateway(), 'plain'), scripted([{ head: 200 }, { say: LIST }]));
    expect(body).toBe(LIST.replace('$ID', '1'));
  });

  it.each([
    ['escaped', '{"name":"unt\\u006fld","description":"of a secret kind"}'],
    ['named twice', '{"name":"left","name":"untold","description":"of a secret kind"}'],
    ['named by an escaped member', '{"n\\u0061me":"untold","description":"of a secret kind"}'],
    ['named last', `{"description":"of a secret kind","inputSchema":{"name":"left"},"name":"untold"}`],
  ])('does not show a tool that is %s', async (_what, hidden) => {
    const say = `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[${hidden},${LEFT}]}}`;
    const bodies = await Promise.all([
      post(at(gateway(), 'u'), scripted([{ head: 200 }, { say }])),
      post(at(gateway(), 's'), scripted([{ say }])),
    ]);
    expect(bodies.map(({ body }) => body).join()).not.toContain('of a secret kind');
  });

  it.each([
    ['with the tools twice', `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[],"tools":[${GONE}]}}`],
    [
      'with the result twice',
      `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[]},"result":{"tools":[${GONE}]}}`,
    ],
    ['with tools in an object', `{"jsonrpc":"2.0","id":$ID,"result":{"tools":{"0":${GONE}}}}`],
    ['with the result in a list', `{"jsonrpc":"2.0","id":$ID,"result":[{"tools":[${GONE}]}]}`],
    [
      'with an error beside it',
      `{"jsonrpc":"2.0","id":$ID,"error":{"code":1,"message":"x"},"result":{"tools":[${GONE}]}}`,
    ],
    ['with tools in a list of lists', `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[[${GONE}]]}}`],
    ['without a version', `{"id":$ID,"result":{"tools":[${GONE}]}}`],
  ])('%s does not show it either', async (_what, say) => {
    const bodies = await Promise.all([
      post(at(gateway(), 'bad'), scripted([{ head: 200 }, { say }])),
      post(at(gateway(), 'bad'), scripted([{ head: 200, headers: STREAM }, { say: `data: ${say}\n\n` }])),
      post(at(gateway(), 'alone'), scripted([{ head: 200 }, { say }])),
    ]);
    expect(bodies.map(({ body }) => body).join()).not.toContain('of a secret kind');
  });
});

describe('a success', () => {
  const RESULT =
    '{"jsonrpc":"2.0","id":$ID,"result":{"content":[ {"type":"text","text":"old un\\u0074old"}],"n":1.50}}';
  it.each([
    ['u', 'new', [{ head: 200 }, { say: RESULT }]],
    ['', 'u_new', [{ head: 200 }, { say: RESULT }]],
    ['v', 'u_new', [{ head: 200 }, { say: RESULT }]],
    ['s', 'new', [{ say: RESULT }]],
    ['', 's_new', [{ say: RESULT }]],
    ['v', 's_new', [{ say: RESULT }]],
  ] as [string, string, Step[]][])('at /%s of %s is the bytes that came', async (endpoint, name, script) => {
    const { body } = await post(at(gateway(), endpoint), call(name, { script }));
    expect(body).toContain(RESULT.replace('$ID', '1'));
  });
});
