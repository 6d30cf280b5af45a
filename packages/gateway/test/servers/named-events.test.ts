/** Answers of a server in streams of events: clients read messages alone, and no answer is larger than it may be. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, INITIALIZE, json, open, post, takeEvents, upstream } from '../tools.ts';

afterEach(cleanUp);

const STREAM = { 'content-type': 'text/event-stream' };
const NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"half"}}';
const answerTo = (said: string, text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: JSON.parse(said).id,
    result: { content: [{ type: 'text', text }] },
  });

it.each(['error', 'answer', 'message ', 'Message', ''])(
  'messages in an event named %j go on as messages, whatever came with them',
  async (name) => {
    const { url } = await upstream((said, response, request) => {
      if (request.method === 'GET')
        return void response.writeHead(200, STREAM).write(`event: ${name}\nid: 5\ndata: ${NOTE}\n\n`);
      response
        .writeHead(200, STREAM)
        .end(`event: ${name}\ndata: ${NOTE}\n\nevent: ${name}\ndata: ${answerTo(said, 'fine')}\n\n`);
    });
    const gateway = await open({ upstreams: { a: { url } } });
    const { text, message } = await post(`${gateway.url}/a/mcp`, callTool('work', {}, 7));
    expect(message.result).toEqual({ content: [{ type: 'text', text: 'fine' }] });
    const named = text.match(/^event:.*$/gm) ?? [];
    expect(named.filter((line) => !/^event: ?(?:message)?$/.test(line))).toEqual([]);
    const listening = await fetch(`${gateway.url}/a/mcp`, { headers: { accept: 'text/event-stream' } });
    const [event = ''] = await takeEvents(listening, 1);
    expect(event).toContain(NOTE);
    expect(event.match(/^event:.*$/gm) ?? []).not.toContain(name === '' ? 'none' : `event: ${name}`);
  },
);

it.each(['/a/mcp', '/mcp'])('message_bytes holds to the byte in a stream, at %s', async (path) => {
  const LIMIT = 65_536;
  const { url } = await upstream((said, response) => {
    const { method, id, params } = JSON.parse(said);
    if (method === 'initialize')
      return json(response, 200, {
        jsonrpc: '2.0',
        id,
        result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
      });
    if (method !== 'tools/call') return void response.writeHead(202).end();
    const size = Number(params.arguments.size) - answerTo(said, '').length;
    response.writeHead(200, STREAM).end(`data: ${answerTo(said, 'x'.repeat(size))}\n\n`);
  });
  const gateway = await open({ limits: { message_bytes: LIMIT }, upstreams: { a: { url } } });
  const at = `${gateway.url}${path}`;
  const { headers } = await post(at, INITIALIZE);
  const session = headers.get('mcp-session-id');
  const answered = async (size: number): Promise<unknown> => {
    const request = call('tools/call', { name: path === '/mcp' ? 'a_work' : 'work', arguments: { size } });
    const { message } = await post(at, request, session === null ? {} : { 'mcp-session-id': session });
    return message.result?._meta?.['dev.mayday/fault'] ?? 'fine';
  };
  expect(await answered(LIMIT)).toBe('fine');
  for (const size of [LIMIT + 1, LIMIT + 1000, LIMIT + 60_000, LIMIT * 3])
    expect(await answered(size)).toMatchObject({ kind: 'invalid_output', executed: 'maybe' });
});
