/** `guard(server, {dialect: 'qaqnuz'})`, held against qaqnuz's page: https://docs.qaqn.uz/errors.html. */
import { describe, expect, it } from 'vitest';
import { MALFORMED, REFUSED, type Refused } from '../support/refusals.ts';
import { useStage, WAYS } from '../support/stage.ts';
import type { Message } from '../support/wire.ts';

const stage = useStage('qaqnuz');

/** The document's wire form: one text and the flag, nothing else. The text is what it returns. */
function judge(message: Message): string {
  const { resultType: _, ...result } = message.result ?? {};
  expect({ ...message, result }).toEqual({
    jsonrpc: '2.0',
    id: message.id,
    result: { content: [{ type: 'text', text: expect.stringMatching(/\S/) }], isError: true },
  });
  return result.content[0].text;
}

/** What is no call: JSON-RPC's own code and words, without `data`. */
function judgeProtocol(message: Message, code: number, id: unknown): void {
  expect(message).toEqual({
    jsonrpc: '2.0',
    id,
    error: { code, message: expect.stringMatching(/\S/) },
  });
}

const INTERNALS =
  /hunter2|10\.0\.0\.5|jane\.doe|Cannot read|ECONN|ETIMEDOUT|status code|Response code|TypeError|at \S+ \(/;
const GUEST = { email: 'ada' };
const FINE = { guest: GUEST, seats: 2 };

describe.each(WAYS)('%s', (way) => {
  it('QA-4 QA-15 unknown tools get one sentence, whatever their names and arguments', async () => {
    const texts = [
      judge(await stage.call(way, 'nonexistent_tool', {})),
      judge(await stage.call(way, 'boook', FINE)),
      judge(await stage.call(way, 'delete_everything', { sure: true })),
    ];
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).not.toMatch(/nonexistent|unknown|not found|exist|did you mean|rate limit/i);
  });

  it('QA-15 QA-10 a tool without the scope gets the same sentence as one that is not there', async () => {
    const unscoped = judge(await stage.call(way, 'book', FINE, 'scoped'));
    const absent = judge(await stage.call(way, 'nonexistent_tool', FINE, 'scoped'));
    expect(unscoped).toBe(absent);
  });

  it.each([
    ['missing', { guest: GUEST }, /seats/],
    ['nested and missing', { guest: {}, seats: 1 }, /email/],
    ['of a wrong type', { guest: GUEST, seats: 'two' }, /seats/],
    ['out of range', { guest: GUEST, seats: 12 }, /seats/],
    ['unknown', { ...FINE, colour: 'red' }, /colour/],
  ])('QA-4 QA-9 arguments that are %s: one text that names the field', async (_name, args, field) => {
    const text = judge(await stage.call(way, 'book', args));
    expect(text).toMatch(field);
    expect(text).not.toMatch(/rate limit/i);
  });

  it('QA-4 a success has its own blocks', async () => {
    const { result } = await stage.call(way, 'book', FINE);
    expect(result.content).toEqual([{ type: 'text', text: '2 booked' }]);
    expect(result.isError ?? false).toBe(false);
  });

  it.each(['error', 'type', 'secret', 'refused', 'timeout', 'aborted'])(
    'QA-2 QA-3 QA-6 an exception (%s) is one sanitized text',
    async (how) => {
      const text = judge(await stage.call(way, 'fail', { how }));
      expect(text).not.toMatch(INTERNALS);
      expect(text).not.toMatch(/rate limit/i);
    },
  );

  it.each([400, 401, 403, 404, 409, 422, 500, 503])(
    'QA-6 QA-7 a provider that answers %i: one text, without its raw error and its identifiers',
    async (status) => {
      for (const form of ['raw', 'parsed']) {
        const text = judge(await stage.call(way, 'fail', { how: `${form}-${status}` }));
        expect(text).not.toMatch(INTERNALS);
        expect(text).not.toMatch(/cli_4711|ws_norte|agt_|dashboard|"code"|see the logs|rate limit/i);
      }
    },
  );

  it('QA-11 QA-26 a provider that answers 429 is a rate limit in words that the sample client finds', async () => {
    expect(judge(await stage.call(way, 'fail', { how: 'raw-429' }))).toMatch(/rate limit/i);
    expect(judge(await stage.call(way, 'fail', { how: 'parsed-429' }))).toMatch(/rate limit/i);
  });

  it.each(['notFound', 'conflict', 'unprocessable', 'invalidArguments', 'unavailable', 'internal'])(
    "QA-7 fault.%s is the author's sentence and nothing beside it",
    async (kind) => {
      const message = 'The shop is closed on Sundays';
      const text = judge(await stage.call(way, 'raise', { kind, message }));
      expect(text).toContain('The shop is closed on Sundays');
      expect(text).not.toMatch(/rate limit|retry_after|error_class/i);
    },
  );

  it('QA-11 QA-26 fault.rateLimited is found by the sample client whatever its words are, where nothing was changed', async () => {
    const args = { kind: 'rateLimited', message: 'Too many requests', options: { executed: 'no' } };
    expect(judge(await stage.call(way, 'raise', args))).toMatch(/rate limit/i);
  });

  it('QA-13 fault.rateLimited of a tool that may have changed something is not waited out', async () => {
    const said = judge(await stage.call(way, 'raise', { kind: 'rateLimited', message: 'Mail is busy' }));
    expect(said).toBe('The call was not completed. It may have happened; check before you repeat a change.');
  });

  it('QA-14 fault.unauthenticated has no distinguishing detail', async () => {
    const told = async (message: string): Promise<string> =>
      judge(await stage.call(way, 'raise', { kind: 'unauthenticated', message }));
    expect(await told('The key was revoked')).toBe(await told('The key is unknown'));
  });

  it.each([
    ['a text', [{ type: 'text', text: 'Order not found' }], /^Order not found$/],
    ['a text about nobody knows what', [{ type: 'text', text: 'Ann Lee has left' }], /^Unknown failure$/],
    [
      'two texts',
      [
        { type: 'text', text: 'Order not found' },
        { type: 'text', text: 'second part' },
      ],
      /Order not found/,
    ],
    ['a body', [{ type: 'text', text: '{ "code": 404, "error": "Client not found" }' }], /\S/],
    ['no blocks', [], /\S/],
  ])(
    'QA-1 QA-4 a result that a tool marks as an error with %s is one text',
    async (_name, content, words) => {
      const structuredContent = { code: 404, error: 'Client not found' };
      expect(judge(await stage.call(way, 'say', { result: { isError: true, content } }))).toMatch(words);
      judge(await stage.call(way, 'say', { result: { isError: true, content, structuredContent } }));
    },
  );

  it('QA-1 QA-2 a tool that takes too long ends with one text', async () => {
    expect(judge(await stage.call(way, 'hang', {}))).not.toMatch(/rate limit/i);
  });

  it('QA-11 QA-26 a rate limit is one text that the sample client finds', async () => {
    await stage.call(way, 'book', FINE, 'limited');
    expect(judge(await stage.call(way, 'book', FINE, 'limited'))).toMatch(/rate limit/i);
  });

  it('QA-2 QA-14 a caller without a key is a result that says Unauthorized', async () => {
    expect(judge(await stage.call(way, 'book', FINE, 'keyed'))).toMatch(/^Unauthorized/);
  });

  it('QA-14 QA-15 without a key, nobody learns which tools there are or what they take', async () => {
    const known = judge(await stage.call(way, 'book', FINE, 'keyed'));
    expect(judge(await stage.call(way, 'book', {}, 'keyed'))).toBe(known);
    expect(judge(await stage.call(way, 'nonexistent_tool', {}, 'keyed'))).toBe(known);
  });

  it.each(['tools/list', 'resources/list', 'prompts/list'])(
    'QA-14 without a key, %s is a rejection that says Unauthorized, and no failure of the server',
    async (method) => {
      const message = await stage.ask(way, method, {}, 'keyed');
      judgeProtocol(message, -32600, message.id);
      expect(message.error.message).toBe('Unauthorized');
    },
  );

  it("an unknown method is JSON-RPC's own -32601, without data", async () => {
    const message = await stage.ask(way, 'nonexistent/method');
    judgeProtocol(message, -32601, message.id);
  });

  it('QA-3 a resource that breaks tells nothing', async () => {
    const message = await stage.ask(way, 'resources/read', { uri: 'note://broken' });
    judgeProtocol(message, -32603, message.id);
    expect(JSON.stringify(message)).not.toMatch(INTERNALS);
  });
});

describe.each(['v1', 'v2'] as const)('SDK %s', (sdk) => {
  it('QA-14 missing, unknown and malformed keys get one answer to the byte', async () => {
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'book', arguments: FINE } };
    const forms = [undefined, 'Bearer nobody-has-this', 'Basic YTpi', 'Bearer', 'Bearer good-key-of-ada x'];
    const texts = new Set<string>();
    for (const authorization of forms) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const { status, message } = await stage.http(sdk, { body, headers }, 'keyed');
      texts.add(`${status} ${JSON.stringify(message)}`);
    }
    expect(texts.size).toBe(1);
  });

  it('QA-10 QA-11 the checks come in this order: key, limit, scope, arguments', async () => {
    const told = async (authorization: string): Promise<string> => {
      const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'book', arguments: {} } };
      return judge((await stage.http(sdk, { body, headers: { authorization } }, 'ordered')).message);
    };
    expect(await told('Bearer nobody-has-this')).toMatch(/^Unauthorized/);
    const refused = await told('Bearer good-key-of-ada');
    expect(refused).not.toMatch(/seats|rate limit/i);
    expect(await told('Bearer good-key-of-ada')).toBe(refused);
    expect(await told('Bearer good-key-of-ada')).toMatch(/rate limit/i);
  });

  const all: Refused[] = ['put', 'accept', 'large', 'type', 'host'];
  const here: Refused[] = sdk === 'v2' ? [...all, 'get', 'delete', 'batch'] : all;
  it.each(here)('over HTTP, what is refused for its %s has no data and is for nobody', async (name) => {
    const { status, question } = REFUSED[name];
    const answer = await stage.http(sdk, question);
    expect(answer.status).toBe(status);
    judgeProtocol(answer.message, answer.message.error?.code, null);
    expect([-32700, -32600, -32601, -32602, -32603]).toContain(answer.message.error.code);
  });

  it('over HTTP, what is no JSON is -32700 without data', async () => {
    const answer = await stage.http(sdk, REFUSED.parse.question);
    expect(answer.status).toBe(400);
    judgeProtocol(answer.message, -32700, null);
  });

  it.each(MALFORMED)('over HTTP, JSON that is no request (%s) is -32600', async (_what, body, id) => {
    judgeProtocol((await stage.http(sdk, { body })).message, -32600, id);
  });
});

it.each(['v1', 'v2', 'by hand'] as const)(
  'over stdio (%s), no JSON is -32700 without data',
  async (server) => {
    judgeProtocol(await stage.line(server, '{"jsonrpc": "2.0", nope\n'), -32700, null);
  },
);

it('a request of 2026-07-28 without its meta has no data', async () => {
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const { message } = await stage.http('v2', { body, headers });
  judgeProtocol(message, -32602, 7);
});
