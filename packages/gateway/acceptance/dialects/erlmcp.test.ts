/** The gateway for callers who want `erlmcp`, held against erlmcp's Error Code Reference. */
import { describe, expect, it } from 'vitest';
import {
  DOOR,
  IDS,
  LIMIT_MS,
  NO_JSON,
  NO_REQUEST,
  PUPPETS,
  SDKS,
  useDialectHouse,
} from '../support/dialect-house.ts';
import type { Message } from '../support/http.ts';
import { call } from '../support/messages.ts';
import { failing } from '../support/world.ts';

const house = useDialectHouse('erlmcp');

/** Message and members of `data` of each example in the document; `text` where `data` is a string. */
const CODES: Record<number, readonly [message: string, data: readonly string[] | 'text' | 'none']> = {
  [-32700]: ['Parse error', 'text'],
  [-32600]: ['Invalid Request', 'text'],
  [-32601]: ['Method not found', ['method']],
  [-32602]: ['Invalid params', ['details']],
  [-32603]: ['Internal error', 'none'],
  [-32001]: ['Resource not found', ['uri']],
  [-32002]: ['Tool not found', ['tool']],
  [-32003]: ['Prompt not found', ['prompt']],
  [-32007]: ['Validation failed', ['field', 'constraint']],
  [-32008]: ['Transport error', ['reason']],
  [-32009]: ['Request timeout', ['timeout_ms', 'elapsed_ms']],
  [-32010]: ['Rate limit exceeded', ['limit', 'window', 'retry_after']],
  [-32012]: ['Message size exceeds maximum allowed', ['actual_size', 'max_size', 'unit']],
  [-32013]: ['Invalid content type', ['content_type']],
  [-32031]: ['Tool execution failed', ['tool', 'reason']],
  [-32032]: ['Tool execution timeout', ['tool', 'timeout_ms']],
  [-32034]: ['Invalid tool arguments', ['tool', 'details']],
  [-32043]: ['Prompt argument missing', ['prompt', 'argument']],
  [-32051]: ['Authentication failed', ['reason']],
  [-32052]: ['Authorization failed', ['operation', 'required_role']],
  [-32056]: ['Access denied', 'none'],
};

/** What a server said in words of its own may be the message; what the gateway or the document says may not. */
type Words = "the document's" | "the server's";

/** The document's response form. */
function judge(
  message: Message,
  codes: readonly number[],
  ids: readonly unknown[] = [1],
  whose: Words = "the document's",
): Message {
  expect(Object.keys(message).toSorted()).toEqual(['error', 'id', 'jsonrpc']);
  expect(ids).toContain(message['id']);
  const error: Message = message['error'];
  expect(codes).toContain(error['code']);
  const [words, shape] = CODES[error['code']] ?? ['', 'none'];
  expect(whose === "the document's" ? error['message'] : words).toBe(words);
  const data = error['data'] ?? {};
  const members = [...(Array.isArray(shape) ? shape : []), 'dev.mayday/error'];
  expect(typeof data).toBe(shape === 'text' ? 'string' : 'object');
  expect(Object.keys(shape === 'text' ? {} : data).filter((key) => !members.includes(key))).toEqual([]);
  return data;
}

const ANY = Object.keys(CODES).map(Number);

describe.each(SDKS)('a plain server of SDK %s', (sdk) => {
  it('ER-25 an unknown tool is -32002 with its name', async () => {
    expect(judge(await house.call(sdk, 'nonexistent_tool'), [-32002])).toMatchObject({
      tool: 'nonexistent_tool',
    });
  });

  it('ER-21 an unknown method is -32601 with its name', async () => {
    expect(judge(await house.ask(sdk, 'nonexistent/method'), [-32601])).toMatchObject({
      method: 'nonexistent/method',
    });
  });

  it.each([
    ['missing', { guest: { email: 'a' } }, /seats/],
    ['of a wrong type', { guest: { email: 'a' }, seats: 'two' }, /seats/],
    ['unknown', { guest: { email: 'a' }, seats: 2, colour: 'red' }, /colour/],
  ])('ER-47 arguments that are %s: -32034 with tool and details', async (_name, args, details) => {
    const data = judge(await house.call(sdk, 'book', args), [-32034]);
    expect(data['tool']).toBe('book');
    expect(data['details']).toMatch(details);
  });

  it.each(['error', 'type', 'secret'])('ER-44 ER-88 a tool that throws (%s): -32031', async (how) => {
    const message = await house.call(sdk, 'fail', { how });
    const data = judge(message, [-32031], [1], "the server's");
    expect(data).toMatchObject({ tool: 'fail', reason: expect.stringMatching(/\S/) });
    expect(JSON.stringify(message)).not.toMatch(/hunter2|10\.0\.0\.5|jane\.doe/);
  });

  it.each(['refused', 'timeout', 'parsed-404', 'parsed-409', 'parsed-500', 'parsed-503'])(
    'ER-85 ER-86 a tool whose backend fails (%s): a code of the document, in its form',
    async (how) => {
      judge(await house.call(sdk, 'fail', { how }), ANY, [1], "the server's");
    },
  );

  it('ER-24 an unknown resource is -32001 with its uri', async () => {
    const message = await house.ask(sdk, 'resources/read', { uri: 'mcp://nonexistent' });
    expect(judge(message, [-32001])['uri']).toBe('mcp://nonexistent');
  });

  it('ER-26 an unknown prompt is -32003 with its name', async () => {
    const message = await house.ask(sdk, 'prompts/get', { name: 'nonexistent_prompt' });
    expect(judge(message, [-32003])['prompt']).toBe('nonexistent_prompt');
  });
});

describe.each(PUPPETS)('a puppet (%s)', (puppet) => {
  it('ER-1 ER-44 a result that is marked as an error is -32031 and keeps its words', async () => {
    const said = 'The printer is out of paper';
    const message = await house.script(puppet, failing(said));
    expect(judge(message, [-32031], [1], "the server's")['tool']).toBe('lookup');
    expect(JSON.stringify(message)).toContain(said);
  });

  it('ER-1 an error of the server: of its data nothing stands among the members of the document', async () => {
    const error = { code: -32603, message: 'Internal error', data: { host: '10.0.0.5', tool: 'other' } };
    const message = await house.script(puppet, { answer: { error } });
    judge(message, ANY);
    expect(JSON.stringify(message)).not.toContain('10.0.0.5');
  });

  it.each(NO_REQUEST)('ER-20 %s is -32600 with a text', async (_what, body) => {
    expect(judge((await house.raw(puppet, body)).message, [-32600], IDS)).toMatch(/\S/);
  });

  it('ER-19 what is no JSON is -32700 with a text', async () => {
    expect(judge((await house.raw(puppet, NO_JSON)).message, [-32700], [null])).toMatch(/\S/);
  });
});

it('ER-33 a server that answers 429: -32010 with its wait', async () => {
  const head = { head: 429, headers: { 'content-type': 'application/json', 'retry-after': '7' } };
  const message = await house.script('u', head, { say: '{"error":"Slow down"}' });
  expect(judge(message, [-32010], [1], "the server's")['retry_after']).toBe(7);
});

it('ER-32 ER-45 a server that falls silent is a timeout with its limit', async () => {
  const data = judge(await house.script('u', { hang: true }), [-32009, -32032]);
  expect(data['timeout_ms']).toBe(LIMIT_MS);
});

it('ER-31 a server that is not there: -32008 with a reason', async () => {
  expect(judge(await house.call('gone', 'echo'), [-32008])['reason']).toMatch(/\S/);
});

it('ER-51 a caller without a key: -32051', async () => {
  const { message } = await house.raw('p', call('echo'), { key: 'nobody-has-this' });
  expect(judge(message, [-32051], [null, 1])['reason']).toMatch(/\S/);
});

it.each(DOOR)('ER-1 ER-85 what the door refuses for its %s', async (what, status, body, options) => {
  const answer = await house.raw('p', body, options);
  expect(answer.status).toBe(status);
  const own: Record<string, number> = { size: -32012, 'Content-Type': -32013 };
  judge(answer.message, own[what] === undefined ? ANY : [own[what]], IDS);
});
