/** Bodies that are JSON and no message get the words, the code and the id that a line on stdio would get. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { guard } from '@mayday/server';
import { type FetchHandler, guardHandler, nodeHandler } from '@mayday/server/http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Message } from '../src/shapes.ts';
import { answerOf, httpRequest, textOf } from './wire.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const SHOP = { name: 'shop', version: '1.0.0' };

/** Where a handler is served with Node. */
async function served(handler: FetchHandler, dialect = 'mayday'): Promise<string> {
  const server = createServer(nodeHandler(handler, { dialect }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe('a body that is JSON and no message', () => {
  const refuses = async (): Promise<Response> =>
    Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }, { status: 400 });

  it.each([
    ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":"x"}', 4, -32602, 'Invalid params'],
    ['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}', 5, -32602, 'Invalid params'],
    ['{"jsonrpc":"2.0","id":6}', 6, -32600, 'Invalid request'],
    ['[]', null, -32600, 'Invalid request'],
  ])('EM-24 %s is answered with the id %j and %i', async (body, id, code, message) => {
    const address = await served(guardHandler({ fetch: refuses }, { dialect: 'onx' }), 'onx');
    const answer = await fetch(address, { method: 'POST', body, headers: JSON_TYPE });
    expect(await answer.json()).toMatchObject({ id, error: { code, message } });
  });

  const WRONG_ID = 'The field id must be a string or a whole number';
  const WRONG_PARAMS = 'The field params must be an object';

  it.each([
    ['null', '{}', undefined, -32600, WRONG_ID],
    ['true', '{"name":"pay"}', undefined, -32600, WRONG_ID],
    ['{}', '{"name":"pay"}', undefined, -32600, WRONG_ID],
    ['[1]', '{"name":"pay"}', undefined, -32600, WRONG_ID],
    ['1e300', '{"name":"pay"}', undefined, -32600, WRONG_ID],
    ['1.5', '{"name":"pay"}', 1.5, -32600, WRONG_ID],
    ['null', '[]', undefined, -32600, WRONG_ID],
    ['7', '[]', 7, -32602, WRONG_PARAMS],
    ['"a"', '5', 'a', -32602, WRONG_PARAMS],
  ])('names what is wrong: id %s, params %s', async (said, params, id, code, message) => {
    const body = `{"jsonrpc":"2.0","id":${said},"method":"tools/call","params":${params}}`;
    const address = await served(guardHandler(createMcpHandler(() => guard(new McpServer(SHOP)))));
    const answer = await fetch(address, { method: 'POST', body, headers: JSON_TYPE });
    const told = (await answer.json()) as Message;
    expect([answer.status, told.id, told.error?.code, told.error?.message]).toEqual([400, id, code, message]);
  });
});

describe('a body that is packed', () => {
  it.each(['gzip', 'br'])('with %s is refused for that', async (coding) => {
    const never = async (): Promise<Response> => Response.json({});
    const address = await served(guardHandler({ fetch: never }, { dialect: 'onx' }), 'onx');
    const answer = await fetch(address, {
      method: 'POST',
      body: gzipSync('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
      headers: { ...JSON_TYPE, 'content-encoding': coding },
    });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
  });

  const packed = (coding: string) =>
    new Request('http://localhost/mcp', {
      method: 'POST',
      body: gzipSync('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
      headers: { ...JSON_TYPE, 'content-encoding': coding },
    });

  it.each(['gzip', 'br', 'klingon', ' GZIP '])('with %s is refused without Node too', async (coding) => {
    const served: Request[] = [];
    const never = async (request: Request): Promise<Response> => Response.json({ n: served.push(request) });
    const answer = await guardHandler({ fetch: never }, { dialect: 'mayday' }).fetch(packed(coding));
    expect([answer.status, served]).toEqual([415, []]);
    expect(await answer.json()).toMatchObject({
      error: { message: 'A message is sent without a Content-Encoding' },
    });
  });

  it('is served where it is not, or where somebody has unpacked it', async () => {
    const served = async (_: Request, __?: object): Promise<Response> => Response.json({ ok: true });
    const { fetch: handle } = guardHandler({ fetch: served });
    expect((await handle(packed('identity'))).status).toBe(200);
    expect((await handle(packed('gzip'), { parsedBody: { jsonrpc: '2.0' } })).status).toBe(200);
    const get = new Request('http://localhost/mcp', { headers: { 'content-encoding': 'gzip' } });
    expect((await handle(get)).status).toBe(200);
  });
});

describe('a body that was read before', () => {
  const shop = () =>
    guardHandler(
      createMcpHandler(() => {
        const server = guard(new McpServer({ name: 's', version: '1' }));
        server.registerTool('pay', {}, async () => ({ content: [{ type: 'text', text: 'paid' }] }));
        return server;
      }),
    );
  const asked = () => httpRequest('2026-07-28', 'tools/call', { name: 'pay', arguments: {} });

  it('and not handed over is a mistake of the server’s, and nothing was done', async () => {
    const request = asked();
    await request.json();
    const answer = await shop().fetch(request);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: { data: { kind: 'misconfigured', executed: 'no' } } });
  });

  it('and handed over is served', async () => {
    const request = asked();
    const parsedBody: unknown = await request.json();
    const answer = await answerOf(shop().fetch(request, { parsedBody } as never));
    expect(textOf(answer)).toBe('paid');
  });
});
