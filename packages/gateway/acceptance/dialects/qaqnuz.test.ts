/** The gateway for callers who want `qaqnuz`, held against qaqnuz's page. */
import { describe, expect, it } from 'vitest';
import { DOOR, IDS, NO_JSON, NO_REQUEST, PUPPETS, SDKS, useDialectHouse } from '../support/dialect-house.ts';
import type { Message } from '../support/http.ts';
import { call } from '../support/messages.ts';
import { failing } from '../support/world.ts';

const house = useDialectHouse('qaqnuz');

/** One text and the flag, nothing else. */
function judge(message: Message): string {
  expect(message).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: expect.stringMatching(/\S/) }], isError: true },
  });
  return message['result'].content[0].text;
}

/** What is no call: JSON-RPC's own code and words, without `data`. */
function judgeProtocol(message: Message, codes: readonly number[], ids: readonly unknown[]): void {
  expect(message).toEqual({
    jsonrpc: '2.0',
    id: message['id'],
    error: { code: expect.any(Number), message: expect.stringMatching(/\S/) },
  });
  expect(codes).toContain(message['error'].code);
  expect(ids).toContain(message['id']);
}

const STANDARD = [-32700, -32600, -32601, -32602, -32603];
const INTERNALS = /hunter2|10\.0\.0\.5|jane\.doe|postgres:/;

describe.each(SDKS)('a plain server of SDK %s', (sdk) => {
  it('QA-4 QA-15 unknown tools get one sentence, whatever their names', async () => {
    const texts = [
      judge(await house.call(sdk, 'nonexistent_tool')),
      judge(await house.call(sdk, 'boook', { a: 1 })),
    ];
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).not.toMatch(/nonexistent|unknown|not found|exist|did you mean|rate limit/i);
  });

  it.each([
    ['missing', { guest: { email: 'a' } }, /seats/],
    ['of a wrong type', { guest: { email: 'a' }, seats: 'two' }, /seats/],
    ['unknown', { guest: { email: 'a' }, seats: 2, colour: 'red' }, /colour/],
  ])('QA-9 arguments that are %s: one text that names the field', async (_name, args, field) => {
    const text = judge(await house.call(sdk, 'book', args));
    expect(text).toMatch(field);
    expect(text).not.toMatch(/rate limit/i);
  });

  it.each(['error', 'type', 'secret', 'refused', 'timeout', 'parsed-404', 'parsed-500', 'parsed-503'])(
    'QA-2 QA-3 QA-6 a tool that throws (%s): one sanitized text',
    async (how) => {
      const text = judge(await house.call(sdk, 'fail', { how }));
      expect(text).not.toMatch(INTERNALS);
      expect(text).not.toMatch(/rate limit|ECONNREFUSED|ETIMEDOUT/i);
    },
  );

  it('QA-11 QA-26 a tool that throws 429 is a rate limit in words that the sample client finds', async () => {
    expect(judge(await house.call(sdk, 'fail', { how: 'parsed-429' }))).toMatch(/rate limit/i);
  });

  it("an unknown method is JSON-RPC's own -32601, without data", async () => {
    judgeProtocol(await house.ask(sdk, 'nonexistent/method'), [-32601], [1]);
  });
});

describe.each(PUPPETS)('a puppet (%s)', (puppet) => {
  it.each([
    ['a text', [{ type: 'text', text: 'Order not found' }]],
    [
      'two texts',
      [
        { type: 'text', text: 'Order not found' },
        { type: 'text', text: 'second' },
      ],
    ],
    [
      'a picture',
      [
        { type: 'text', text: 'Order not found' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    ],
  ])('QA-1 QA-4 a result that is marked as an error with %s is one text', async (_name, content) => {
    const more = { structuredContent: { step: 3 }, _meta: { 'com.example/run': 'r-17' } };
    const text = judge(
      await house.script(puppet, { answer: { result: { isError: true, content, ...more } } }),
    );
    expect(text).toContain('Order not found');
  });

  it.each(['Patient Maria is HIV positive', 'SELECT * FROM users WHERE id=7 failed', 'Stripe rejected it'])(
    'QA-6 words about nobody knows what do not cross: %s',
    async (said) => {
      expect(judge(await house.script(puppet, failing(said)))).toBe('Unknown failure');
    },
  );

  it('QA-2 an error of the server is a result too', async () => {
    const error = { code: -32603, message: 'Internal error', data: { host: '10.0.0.5' } };
    expect(judge(await house.script(puppet, { answer: { error } }))).not.toMatch(INTERNALS);
  });

  it('QA-11 QA-26 a rate limit of the server', async () => {
    expect(judge(await house.script(puppet, failing('Rate limit exceeded, try later')))).toMatch(
      /rate limit/i,
    );
  });

  it.each(NO_REQUEST)('%s is -32600 without data', async (_what, body) => {
    judgeProtocol((await house.raw(puppet, body)).message, [-32600], IDS);
  });

  it('what is no JSON is -32700 without data', async () => {
    judgeProtocol((await house.raw(puppet, NO_JSON)).message, [-32700], [null]);
  });
});

it('QA-1 QA-2 a server that falls silent ends with one text', async () => {
  expect(judge(await house.script('u', { hang: true }))).not.toMatch(/rate limit/i);
});

it('QA-2 QA-12 a server that is not there', async () => {
  expect(judge(await house.call('gone', 'echo'))).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|rate limit/i);
});

it('QA-14 missing, unknown and malformed keys get one Unauthorized', async () => {
  const forms = ['Bearer nobody-has-this', 'Basic YTpi', 'Bearer', ''];
  const bodies = new Set<string>();
  for (const authorization of forms) {
    const { status, body } = await house.raw('p', call('echo'), { headers: { authorization } });
    bodies.add(`${status} ${body}`);
  }
  expect(bodies.size).toBe(1);
  expect([...bodies][0]).toMatch(/Unauthorized/);
  expect([...bodies][0]).not.toMatch(/"data"|_meta|structuredContent/);
});

it.each(DOOR)('what the door refuses for its %s has no data', async (_what, status, body, options) => {
  const answer = await house.raw('p', body, options);
  expect(answer.status).toBe(status);
  judgeProtocol(answer.message, STANDARD, IDS);
});
