/** What callers see of a failing answer, by the upstream's setting; what the operator keeps does not depend on it. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, json, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const SECRET = 'ghp_1234567890abcdefghijklmnopqrstuvwxyzA';
const PERSON = 'jane.doe@example.com';
const HOST = 'db7.prod.internal';
const WORDS = `Payment failed for ${PERSON} at ${HOST} with ${SECRET}`;
const RESULT = {
  isError: true,
  content: [
    { type: 'text', text: WORDS },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  ],
  structuredContent: { who: PERSON, where: HOST, with: SECRET },
  _meta: { 'acme/trace': HOST },
};

async function house(redaction: 'standard' | 'secrets' | 'off' | undefined, dialect = 'mayday') {
  const server = await upstream((body, response) => {
    const { id, params } = JSON.parse(body || '{}') as { id?: number; params?: { name?: string } };
    const error = { code: -32050, message: WORDS, data: { who: PERSON, with: SECRET } };
    if (params?.name === 'error') json(response, 200, { jsonrpc: '2.0', id, error });
    else json(response, 200, { jsonrpc: '2.0', id, result: RESULT });
  });
  const gateway = await open({
    dialect: dialect as 'mayday',
    upstreams: { pay: { url: server.url, redaction } },
  });
  return { gateway, own: `${gateway.url}/pay/mcp` };
}

const seen = (text: string): readonly boolean[] => [SECRET, PERSON, HOST].map((each) => text.includes(each));

it.each([
  [undefined, [false, false, false]],
  ['standard', [false, false, false]],
  ['secrets', [false, true, true]],
  ['off', [true, true, true]],
] as const)('with redaction %s callers see what it leaves', async (redaction, left) => {
  const { gateway, own } = await house(redaction);
  for (let i = 0; i < 3; i++) {
    const posted = await post(own, callTool('pay'));
    expect(seen(posted.text)).toEqual(left);
    expect(seen(JSON.stringify(faultIn(posted)))).toEqual(left);
    expect(posted.message.result).toMatchObject({
      content: expect.arrayContaining([{ type: 'image', data: 'aGk=', mimeType: 'image/png' }]),
      structuredContent: { who: expect.any(String) },
      _meta: { 'acme/trace': expect.any(String) },
    });
    expect(posted.message.result?._meta?.['dev.mayday/fault']).toBeDefined();
  }
  expect(seen((await post(`${gateway.url}/mcp`, callTool('pay_pay'))).text)).toEqual(left);
  const error = await post(own, callTool('error'));
  expect(seen(error.text)).toEqual(left);
  const kept = JSON.stringify(gateway.faults.list()) + gateway.logs.join('\n');
  expect(seen(kept)).toEqual([false, false, false]);
});

it('holds in a dialect with a document of its own, too', async () => {
  expect(seen((await post((await house('off', 'onx')).own, callTool('pay'))).text)).toEqual([
    true,
    true,
    true,
  ]);
  expect(seen((await post((await house('secrets', 'onx')).own, callTool('pay'))).text)).toEqual([
    false,
    true,
    true,
  ]);
});
