/** Servers that log to their client are tried again like others: what was told was told, the answer was not begun. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const NOTES = {
  log: { method: 'notifications/message', params: { level: 'info', data: 'working' } },
  progress: { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
  question: { id: 'q', method: 'roots/list', params: {} },
};

/** Says something, then fails two times of three. */
const TOOLS = ['log', 'progress', 'question'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}));

const STDIO = `
  const say = (said) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
  const notes = ${JSON.stringify(NOTES)};
  let calls = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params: { protocolVersion, name } = {} } = JSON.parse(line);
    if (method === 'initialize') say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'b', version: '1' } } });
    else if (method === 'tools/list') say({ id, result: { tools: ${JSON.stringify(TOOLS)} } });
    else if (method === 'tools/call') {
      say(notes[name]);
      const isError = ++calls % 3 !== 0;
      say({ id, result: { isError, content: [{ type: 'text', text: isError ? 'status code 503' : 'done' }] } });
    }
  });
`;

/** The same over HTTP, in streams; with ids, where the events have some. */
async function overHttp(ids: boolean, waitMs = 0): Promise<string> {
  let calls = 0;
  const server = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body) as {
      id?: number;
      method: string;
      params: { protocolVersion: string; name: keyof typeof NOTES };
    };
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (method === 'initialize') {
      const { protocolVersion } = params;
      answer({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'b', version: '1' } });
    } else if (method === 'tools/list') answer({ tools: TOOLS });
    else if (id === undefined) response.writeHead(202).end();
    else {
      const isError = ++calls % 3 !== 0;
      const result = { isError, content: [{ type: 'text', text: isError ? 'status code 503' : 'done' }] };
      const said = [NOTES[params.name], { id, result }].map((message, i) => {
        const place = ids ? `id: ${calls}-${i}\n` : '';
        return `${place}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(said[0]);
      setTimeout(() => response.end(said[1]), waitMs);
    }
  });
  return server.url;
}

async function ask(path: string, tool: keyof typeof NOTES, server: object) {
  const gateway = await open({ upstreams: { s: server as { url: string } } });
  const url = gateway.url + path;
  const id = (await post(url, INITIALIZE)).headers.get('mcp-session-id');
  const session: { [name: string]: string } = id === null ? {} : { 'mcp-session-id': id };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  await post(url, call('tools/list'), session);
  const name = path === '/mcp' ? `s_${tool}` : tool;
  const asked = callTool(name) as { params: object };
  const got = await post(
    url,
    { ...asked, params: { ...asked.params, _meta: { progressToken: 'p' } } },
    session,
  );
  const notes = got.text.split('"method":').length - 1;
  return { got, notes };
}

const PATHS = ['/s/mcp', '/mcp'];
const stdio = { command: process.execPath, args: ['-e', STDIO] };

it.each(PATHS.flatMap((path) => (['log', 'progress'] as const).map((tool) => [path, tool] as const)))(
  'a process is asked again, whatever it told beside (%s, %s)',
  async (path, tool) => {
    const { got, notes } = await ask(path, tool, stdio);
    expect(got.message.result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect(notes).toBe(3);
  },
);

it.each(PATHS.flatMap((path) => (['log', 'progress'] as const).map((tool) => [path, tool] as const)))(
  'and so is a server over HTTP, in the same stream (%s, %s)',
  async (path, tool) => {
    const { got, notes } = await ask(path, tool, { url: await overHttp(false, 300) });
    expect(got.message.result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect([notes, got.status]).toEqual([3, 200]);
  },
);

it('a question to the client is put once', async () => {
  const { got, notes } = await ask('/s/mcp', 'question', stdio);
  expect([notes, faultIn(got)]).toMatchObject([
    1,
    { details: { attempts: 1, stopped: 'Not tried again: what it has sent so far has been passed on' } },
  ]);
});

it('and so is an event with an id: the client may come back to it', async () => {
  const { got } = await ask('/s/mcp', 'log', { url: await overHttp(true) });
  expect(faultIn(got)).toMatchObject({ details: { attempts: 1 } });
});

it.each([
  ['progress', { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }],
  ['a log message', { method: 'notifications/message', params: { level: 'info', data: 'card charged' } }],
  ['a question', { id: 'q', method: 'elicitation/create', params: { message: 'E-mail?' } }],
])('who tells of %s and then refuses had begun', async (_what, said) => {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    if (method !== 'tools/call') return json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...said })}\n\n`);
    const error = { code: -32602, message: 'Invalid params' };
    setTimeout(() => response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`), 20);
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const { text } = await post(`${gateway.url}/a/mcp`, callTool('pay'));
  expect(text).toContain('"executed":"maybe"');
  expect(text).not.toContain('"executed":"no"');
});
