/** ER-69 ER-70 Requests for completions that have not the form of one, in the words of the SDKs: each document has its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, cleanUp, open, post, upstream } from '../test/tools.ts';

/** What SDK v2 answers to parameters that its schema does not take, and to a prompt that is not there. */
const DUMP = {
  code: -32603,
  message: JSON.stringify([
    { code: 'invalid_union', errors: [], path: ['params', 'ref'], message: 'Invalid input' },
  ]),
};

let url: string;

beforeAll(async () => {
  const server = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: DUMP }));
  });
  url = (await open({ upstreams: { plain: { url: server.url } } })).url;
}, 30_000);
afterAll(cleanUp);

const PROMPT = { type: 'ref/prompt', name: 'essay' };
const TOPIC = { name: 'topic', value: '' };

const WRONG = [
  ['ref of an unknown type', { ref: { type: 'ref/tool', name: 'x' }, argument: TOPIC }, -32111],
  ['ref that is text', { ref: 'x', argument: TOPIC }, -32111],
  ['prompt without a name', { ref: { type: 'ref/prompt' }, argument: TOPIC }, -32111],
  ['resource without a URI', { ref: { type: 'ref/resource', name: 'x' }, argument: TOPIC }, -32111],
  ['argument that is absent', { ref: PROMPT }, -32112],
  ['argument without a name', { ref: PROMPT, argument: { value: '' } }, -32112],
  ['argument whose value is a number', { ref: PROMPT, argument: { name: 'topic', value: 7 } }, -32112],
] as const;

async function refused(dialect: string, params: object) {
  const { message } = await post(`${url}/plain/mcp`, call('completion/complete', params), {
    'mayday-dialect': dialect,
  });
  return (message as { error: { code: number; message: string; data: object } }).error;
}

describe.each(WRONG)('a %s', (_, params, code) => {
  it('is the document’s own error in erlmcp, without a dump of the validator', async () => {
    const error = await refused('erlmcp', params);
    expect(error).toMatchObject({
      code,
      message: code === -32111 ? 'Invalid completion reference' : 'Invalid completion argument',
    });
    expect(JSON.stringify(error)).not.toMatch(/invalid_union|happened/);
  });

  it('is a bad request in Closient', async () => {
    expect(await refused('closient', params)).toMatchObject({ code: -32100, data: { status: 400 } });
  });
});

it('a request that has the form of one is what the server says of it', async () => {
  expect(await refused('erlmcp', { ref: PROMPT, argument: TOPIC })).toMatchObject({ code: -32111 });
});
