/** A result that is no object is no success: both official clients would throw an error of their own at it. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

const CAUTION = 'It may have happened; check before you repeat a change.';

afterEach(cleanUp);

async function told(dialect: string, request: object, result: unknown) {
  const server = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, result }),
  );
  const gateway = await open({ upstreams: { a: { url: server.url } } });
  return (await post(`${gateway.url}/a/mcp`, request as never, { 'mayday-dialect': dialect })).message;
}

describe.each([['x'], [5], [[]], [null]])('%j', (result) => {
  it.each([
    ['onx', { result: { isError: true, error: { code: 4001, retryable: false } } }],
    ['closient', { result: { isError: true, error: { code: -32300 } } }],
    ['erlmcp', { error: { code: -32031, message: 'Tool execution failed' } }],
    ['qaqnuz', { result: { isError: true, content: [{ type: 'text', text: 'Invalid output' }] } }],
    ['platica', { error: { code: -32603, message: `Invalid output. ${CAUTION}` } }],
    ['mayday', { result: { isError: true } }],
  ])('QA-1 EM-27 PL-2 of a tool, in %s', async (dialect, answer) => {
    expect(await told(dialect, callTool('work'), result)).toMatchObject(answer);
  });

  it('of a resource', async () => {
    const message = await told('onx', call('resources/read', { uri: 'x://y' }), result);
    expect(message.error).toMatchObject({ code: -32603, data: { reason: 'invalid_output' } });
  });
});

describe.each([{ content: 'x' }, { content: { type: 'text', text: 'x' } }, { content: null }])(
  'a result of a tool whose content is no list: %j',
  (result) => {
    it.each([
      ['onx', { result: { isError: true, error: { code: 4001, retryable: false } } }],
      ['closient', { result: { isError: true, error: { code: -32300 } } }],
      ['erlmcp', { error: { code: -32031, message: 'Tool execution failed' } }],
      ['qaqnuz', { result: { isError: true, content: [{ type: 'text', text: 'Invalid output' }] } }],
      ['platica', { error: { code: -32603, message: `Invalid output. ${CAUTION}` } }],
    ])('in %s', async (dialect, answer) => {
      expect(await told(dialect, callTool('work'), result)).toMatchObject(answer);
    });

    it('may have been executed, and is nobody’s fault but the server’s', async () => {
      const message = await told('mayday', callTool('work'), result);
      expect(message.result?.['isError']).toBe(true);
      expect(message.result?.['content']).toBeInstanceOf(Array);
      expect(message.result?._meta?.['dev.mayday/fault']).toMatchObject({
        kind: 'invalid_output',
        executed: 'maybe',
        origin: 'upstream',
        retryable: false,
      });
    });
  },
);

it.each(['mayday', 'mcp', 'closient', 'onx', 'qaqnuz', 'platica'])(
  'a failing result whose content is no list has one in %s',
  async (dialect) => {
    const { result } = await told(dialect, callTool('work'), { isError: true, content: 'x' });
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  },
);

it('what has nothing to say may say nothing', async () => {
  expect(await told('onx', call('ping'), null)).toMatchObject({ result: null });
});
