import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { FLAVOURS } from './flavours.ts';
import { type Script, scriptedHttp } from './scripted-http.ts';

type Listened = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** The stream of a call opens, says where it can be taken up, and ends; `before` is what it says first. */
const interrupted =
  (end: (response: ServerResponse) => void, before = ''): Script =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`retry: 10\nid: first\ndata: \n\n${before}`, () => end(response));
  };

const ENDED = interrupted((response) => response.end());
const CUT = interrupted((response) => setTimeout(() => response.destroy(), 20));

describe.each(FLAVOURS)('$name, a response stream that ended before the answer', ({ http }) => {
  /** Calls the tool; only GETs that take the stream up again are answered as told, and counted. */
  async function call(script: Script, listened: Listened, tool = 'write') {
    const taken: (string | undefined)[] = [];
    const onGet = (request: IncomingMessage, response: ServerResponse): void => {
      const event = request.headers['last-event-id'];
      if (event === undefined) {
        response.writeHead(405).end();
        return;
      }
      taken.push(String(event));
      listened(request, response, taken.length);
    };
    await using server = await scriptedHttp(script, undefined, undefined, onGet);
    const client = http(server.url, { deadlineMs: 20_000 });
    await client.connect();
    await client.listTools();
    const start = performance.now();
    const outcome = await client.call({ name: tool });
    const tookMs = performance.now() - start;
    await client.close();
    return { outcome, tookMs, taken, calls: server.calls(tool) };
  }

  const refusing =
    (status: number): Listened =>
    (_, response) => {
      response.writeHead(status).end();
    };

  it.each([400, 401, 403, 404, 405, 410, 429, 500, 503])(
    'is told as lost when it cannot be taken up again (%i)',
    async (status) => {
      const { outcome, tookMs, calls } = await call(ENDED, refusing(status));
      expect(outcome).toMatchObject({ ok: false, fault: { kind: 'disconnected', executed: 'maybe' } });
      expect(tookMs).toBeLessThan(8000);
      expect(calls).toBe(1);
    },
  );

  it('is told as lost when it breaks, and the connection that takes it up breaks too', async () => {
    const { outcome, tookMs, calls } = await call(CUT, (_, response) => response.destroy());
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'disconnected', executed: 'maybe' } });
    expect(tookMs).toBeLessThan(8000);
    expect(calls).toBe(1);
  });

  it('is made again at once where the tool only reads', async () => {
    const script: Script = (heard, response, count) => {
      if (count === 1) return ENDED(heard, response, count);
      const result = { content: [{ type: 'text', text: 'second' }] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: heard.id, result }));
    };
    const { outcome, tookMs, calls } = await call(script, refusing(404), 'read');
    expect(outcome).toMatchObject({ ok: true, result: { content: [{ text: 'second' }] } });
    expect(calls).toBe(2);
    expect(tookMs).toBeLessThan(8000);
  });

  /** The events of the stream that goes on, for whichever id the call had. */
  const goesOn = (events: (id: unknown) => string): { script: Script; listened: Listened } => {
    let id: unknown;
    return {
      script: (heard, response, count) => {
        id = heard.id;
        ENDED(heard, response, count);
      },
      listened: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(events(id));
      },
    };
  };

  it('goes on where it is taken up', async () => {
    const { script, listened } = goesOn((id) => {
      const result = { content: [{ type: 'text', text: 'at last' }] };
      return `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
    });
    const { outcome, taken, calls } = await call(script, listened);
    expect(outcome).toMatchObject({ ok: true, result: { content: [{ text: 'at last' }] } });
    expect([taken[0], calls]).toEqual(['first', 1]);
  });

  it('is told as lost when it is taken up and ends again without the answer', async () => {
    const { script, listened } = goesOn(() => ': nothing\n\n');
    const { outcome, tookMs, calls } = await call(script, listened);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'disconnected', executed: 'maybe' } });
    expect(tookMs).toBeLessThan(8000);
    expect(calls).toBe(1);
  });

  it('is taken up once more by what it said last', async () => {
    let id: unknown;
    const script: Script = (heard, response, count) => {
      id = heard.id;
      ENDED(heard, response, count);
    };
    const { outcome, taken } = await call(script, (_, response, count) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const result = { content: [{ type: 'text', text: 'third time' }] };
      response.end(
        count === 1
          ? 'id: second\ndata: \n\n'
          : `id: third\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`,
      );
    });
    expect(outcome).toMatchObject({ ok: true, result: { content: [{ text: 'third time' }] } });
    expect(taken).toEqual(['first', 'second']);
  });

  it('leaves a doubt in a refusal on a stream whose server had told of its work before', async () => {
    let id: unknown;
    const work = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'paid' } };
    const begun = interrupted((response) => response.end(), `id: told\ndata: ${JSON.stringify(work)}\n\n`);
    const script: Script = (heard, response, count) => {
      id = heard.id;
      begun(heard, response, count);
    };
    const error = { code: -32602, message: 'Unknown tool: write' };
    const { outcome, calls } = await call(script, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`);
    });
    expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(calls).toBe(1);
  });
});
