/** The gateway for callers who want `platica`, held against Platica's page. */
import { describe, expect, it } from 'vitest';
import { DOOR, IDS, NO_JSON, NO_REQUEST, PUPPETS, SDKS, useDialectHouse } from '../support/dialect-house.ts';
import type { Message } from '../support/http.ts';
import { call } from '../support/messages.ts';
import { failing } from '../support/world.ts';

const house = useDialectHouse('platica');

/** An execution error: `isError`, one text, and a body that is JSON also parsed; nothing else. */
function judgeExecution(message: Message): {
  readonly text: string;
  readonly structured: Message | undefined;
} {
  expect(Object.keys(message).toSorted()).toEqual(['id', 'jsonrpc', 'result']);
  const { isError, content, structuredContent, ...others } = message['result'];
  expect(others).toEqual({});
  expect(isError).toBe(true);
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
  return { text: content[0].text, structured: structuredContent };
}

/** A protocol error: code and message, no data. */
function judgeProtocol(message: Message, codes: readonly number[], ids: readonly unknown[] = [1]): string {
  expect(message).toEqual({
    jsonrpc: '2.0',
    id: message['id'],
    error: { code: expect.any(Number), message: expect.stringMatching(/\S/) },
  });
  expect(codes).toContain(message['error'].code);
  expect(ids).toContain(message['id']);
  return message['error'].message;
}

const BODY = '{ "code": 404, "error": "Client not found", "details": "No client jane.doe@example.com" }';

describe.each(SDKS)('a plain server of SDK %s', (sdk) => {
  it('PL-15 an unknown tool cannot be executed: -32602', async () => {
    judgeProtocol(await house.call(sdk, 'nonexistent_tool'), [-32602]);
  });

  it("an unknown method is JSON-RPC's own -32601", async () => {
    judgeProtocol(await house.ask(sdk, 'nonexistent/method'), [-32601]);
  });

  it.each([
    ['missing', { guest: { email: 'a' } }, ['seats']],
    ['of a wrong type', { guest: { email: 'a' }, seats: 'two' }, ['seats']],
  ])(
    'PL-20 PL-21 PL-22 arguments that are %s: the issue, as text and in Zod format',
    async (_name, args, path) => {
      const { text, structured } = judgeExecution(await house.call(sdk, 'book', args));
      expect(structured).toEqual({
        issues: [{ path, message: expect.stringMatching(/\S/), code: expect.any(String) }],
      });
      expect(text).toBe(`seats: ${structured?.['issues'][0].message}`);
    },
  );

  it.each(['error', 'type', 'parsed-404', 'parsed-500'])(
    'PL-5 a tool that fails with words (%s): the text as the server sent it',
    async (how) => {
      const { text, structured } = judgeExecution(await house.call(sdk, 'fail', { how }));
      const words: Record<string, string> = {
        error: 'The flux capacitor is out of plutonium',
        type: "Cannot read properties of undefined (reading 'id')",
        'parsed-404': 'Request failed with status code 404',
        'parsed-500': 'Request failed with status code 500',
      };
      expect(text).toBe(words[how]);
      expect(structured).toBeUndefined();
    },
  );
});

describe.each(PUPPETS)('a puppet (%s)', (puppet) => {
  it('PL-5 PL-14 a text stays as it is, without structure', async () => {
    const { text, structured } = judgeExecution(
      await house.script(puppet, failing('The printer is out of paper')),
    );
    expect(text).toBe('The printer is out of paper');
    expect(structured).toBeUndefined();
  });

  it('PL-5 PL-14 a body in a text stays raw, people in it and all, and comes parsed too', async () => {
    const { text, structured } = judgeExecution(await house.script(puppet, failing(BODY)));
    expect(text).toBe(BODY);
    expect(structured).toEqual(JSON.parse(BODY));
  });

  it('PL-5 PL-14 a body that the server has parsed itself stays', async () => {
    const structuredContent = JSON.parse(BODY);
    const { text, structured } = judgeExecution(
      await house.script(puppet, failing(BODY, { structuredContent })),
    );
    expect(text).toBe(BODY);
    expect(structured).toEqual(structuredContent);
  });

  it('PL-19 an error of the server is -32603', async () => {
    const error = { code: -32603, message: 'Internal error', data: { host: '10.0.0.5' } };
    judgeProtocol(await house.script(puppet, { answer: { error } }), [-32603]);
  });

  it.each(NO_REQUEST)('PL-18 %s is -32602', async (_what, body) => {
    judgeProtocol((await house.raw(puppet, body)).message, [-32602], IDS);
  });

  it('PL-18 what is no JSON is -32602', async () => {
    judgeProtocol((await house.raw(puppet, NO_JSON)).message, [-32602], [null]);
  });
});

it.each([
  ['PL-6', 400],
  ['PL-8', 401],
  ['PL-9', 403],
  ['PL-10', 404],
  ['PL-4', 409],
  ['PL-11', 422],
  ['PL-4', 429],
  ['PL-12', 500],
  ['PL-4', 503],
])('%s PL-5 PL-14 an interface that answers %i: its body raw, and parsed', async (_id, head) => {
  const body = `{ "code": ${head}, "error": "No", "details": "for jane.doe@example.com" }`;
  const script = JSON.stringify([{ head }, { say: body }]);
  const { text, structured } = judgeExecution(await house.call('o', 'echo', { script }));
  expect(text).toBe(body);
  expect(structured).toEqual(JSON.parse(body));
});

it('PL-19 a server that falls silent is -32603', async () => {
  judgeProtocol(await house.script('u', { hang: true }), [-32603]);
});

it('PL-19 a server that is not there is -32603', async () => {
  expect(judgeProtocol(await house.call('gone', 'echo'), [-32603])).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/);
});

it('PL-16 a caller without a key is -32001', async () => {
  const { status, message } = await house.raw('p', call('echo'), {
    headers: { authorization: 'Basic YTpi' },
  });
  expect(status).toBe(401);
  expect(judgeProtocol(message, [-32001], [null, 1])).toMatch(/^Unauthorized/);
});

it.each(['GET', 'DELETE', 'PUT'])('PL-17 %s is -32000', async (method) => {
  const answer = await house.raw('p', undefined, { method });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  judgeProtocol(answer.message, [-32000], [null]);
});

it.each(DOOR)(
  'PL-3 what the door refuses for its %s is one of the four',
  async (_what, status, body, options) => {
    const answer = await house.raw('p', body, options);
    expect(answer.status).toBe(status);
    judgeProtocol(answer.message, [-32000, -32001, -32602, -32603], IDS);
  },
);
