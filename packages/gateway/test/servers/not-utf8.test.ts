/** Bytes of a server that are no UTF-8 are read in one way, wherever they come from. */
import { afterEach, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  INITIALIZE,
  idIn,
  json,
  open,
  post,
  takeEvents,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const ANSWER = '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"caf\xe9"}]}}';
const READ = { content: [{ type: 'text', text: 'caf\ufffd' }] };
const NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"caf\xe9"}}';

/** A server that speaks Latin-1, and whose answer to `poll` has to be fetched. */
async function foreign() {
  let answer = ANSWER;
  const { url } = await upstream((said, response, request) => {
    const streams = { 'content-type': 'text/event-stream' };
    if (said.includes('tools/call')) answer = ANSWER.replace('"id":7', `"id":${JSON.parse(said).id}`);
    if (request.method === 'GET') {
      response.writeHead(200, streams);
      response.write(latin1(`data: ${request.headers['last-event-id'] === undefined ? NOTE : answer}\n\n`));
    } else if (said.includes('"initialize"')) {
      const result = { protocolVersion: '2025-11-25', capabilities: {} };
      json(response, 200, { jsonrpc: '2.0', id: idIn(said), result }, { 'mcp-session-id': 's1' });
    } else if (said.includes('"poll"')) response.writeHead(200, streams).end('id: e\nretry: 100\ndata:\n\n');
    else if (said.includes('"stream"'))
      response.writeHead(200, streams).end(latin1(`data: ${NOTE}\n\ndata: ${answer}\n\n`));
    else if (said.includes('"marked"'))
      response.writeHead(200, streams).end(`data: \ufeff${answer.replace('\xe9', '\ufffd')}\n\n`);
    else if (said.includes('tools/call')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(latin1(answer));
    } else response.writeHead(202).end();
  });
  const gateway = await open({ upstreams: { a: { url } } });
  return gateway.url;
}

it.each([
  ['/a/mcp', ''],
  ['/mcp', 'a_'],
])('an answer at %s', async (path, prefix) => {
  const url = `${await foreign()}${path}`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  for (const tool of ['whole', 'stream', 'marked'])
    expect((await post(url, callTool(prefix + tool, {}, 7), session)).message.result).toEqual(READ);
  const { text } = await post(url, callTool(`${prefix}stream`, {}, 7), session);
  expect(text).toContain('"params":{"level":"info","data":"caf\ufffd"}');
  const params = { name: `${prefix}poll`, _meta: { 'dev.mayday/idempotency-key': 'k1' } };
  expect((await post(url, call('tools/call', params, 7), session)).message.result).toEqual(READ);
});

it.each([
  ['a standing stream', {}, NOTE],
  ['one that is taken up again', { 'last-event-id': 'e' }, ANSWER],
])('%s', async (_what, from, said) => {
  const headers = { 'mcp-session-id': 's1', accept: 'text/event-stream', ...from };
  const response = await fetch(`${await foreign()}/a/mcp`, { headers });
  expect((await takeEvents(response, 1)).join()).toBe(
    `event: message\ndata: ${said.replace('\xe9', '\ufffd')}`,
  );
});
