/** Bodies that are JSON and no message get the words, the code and the id that a line on stdio would get. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { guard } from '@mayday/server';
import { guardHandler, nodeHandler } from '@mayday/server/http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerOf, httpRequest, textOf } from './wire.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a body that is JSON and no message', () => {
  const refuses = async (): Promise<Response> =>
    Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }, { status: 400 });

  it.each([
    ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":"x"}', 4, -32602, 'Invalid params'],
    ['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}', 5, -32602, 'Invalid params'],
    ['{"jsonrpc":"2.0","id":6}', 6, -32600, 'Invalid request'],
    ['[]', null, -32600, 'Invalid request'],
  ])('EM-24 %s is answered with the id %j and %i', async (body, id, code, message) => {
    const handler = guardHandler({ fetch: refuses }, { dialect: 'onx' });
    const server = createServer(nodeHandler(handler, { dialect: 'onx' }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body, headers: JSON_TYPE });
    expect(await answer.json()).toMatchObject({ id, error: { code, message } });
  });
});

describe('a body that is packed', () => {
  it.each(['gzip', 'br'])('with %s is refused for that', async (coding) => {
    const never = async (): Promise<Response> => Response.json({});
    const handler = guardHandler({ fetch: never }, { dialect: 'onx' });
    const server = createServer(nodeHandler(handler, { dialect: 'onx' }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
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
