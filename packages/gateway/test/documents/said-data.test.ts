/** Whatever a server says beside its sentence reaches the caller, wherever the answer puts the failure. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

async function serving(status: number, answer: object) {
  const server = await upstream((body, response) =>
    json(response, status, { jsonrpc: '2.0', id: JSON.parse(body).id, ...answer }),
  );
  const gateway = await open({ upstreams: { a: { url: server.url, retry: { attempts: 1 } } } });
  return (dialect: string, path = '/a/mcp', tool = 'book') =>
    post(gateway.url + path, callTool(tool), { 'mayday-dialect': dialect });
}

const textsOf = ({ message }: Awaited<ReturnType<typeof post>>): readonly string[] =>
  ((message.result?.['content'] ?? []) as { text: string }[]).map(({ text }) => text);

it.each([
  [-32000, { free_on: 'Friday' }],
  [-32050, 'free on Friday'],
  [12345, ['Friday', 'Sunday']],
])('the data and the code of error %i, %j', async (code, data) => {
  const ask = await serving(200, { error: { code, message: 'no seat left', data } });
  const told = await ask('mayday');
  expect(faultIn(told)).toMatchObject({
    message: 'no seat left',
    details: typeof data === 'object' && !Array.isArray(data) ? data : { data },
    native: { dialect: 'json-rpc', code },
  });
  expect(textsOf(told)).toContain(typeof data === 'string' ? data : JSON.stringify(data));
});

it.each([400, 500])('the data and the code of an error under HTTP %i', async (status) => {
  const ask = await serving(status, {
    error: { code: -32000, message: 'no seat left', data: { free_on: 'Friday' } },
  });
  expect((await ask('mayday')).message.error?.data).toMatchObject({
    free_on: 'Friday',
    details: { free_on: 'Friday' },
    native: { dialect: 'json-rpc', code: -32000 },
  });
  expect((await ask('mcp')).message.error?.data).toMatchObject({ free_on: 'Friday' });
});

it.each(['mcp', 'onx', 'closient'])('the data of an error, in %s', async (dialect) => {
  const ask = await serving(200, {
    error: { code: -32000, message: 'no seat left', data: { free_on: 'Friday', password: 'hunter2secret' } },
  });
  for (const told of [await ask(dialect), await ask(dialect, '/mcp', 'a_book')]) {
    expect(told.text).toContain('Friday');
    expect(told.text).toContain('-32000');
    expect(told.text).not.toContain('hunter2secret');
  }
});

it('the blocks and the structured content of a result that goes out as an error', async () => {
  const ask = await serving(200, {
    result: {
      isError: true,
      content: [
        { type: 'text', text: 'no seat left' },
        { type: 'text', text: 'free on Friday' },
      ],
      structuredContent: { row: 17 },
      _meta: { 'com.example/run': 7 },
    },
  });
  const told = await ask('erlmcp');
  expect(told.text).toContain('free on Friday');
  expect(told.text).toContain('"row":17');
  expect(told.text).toContain('"com.example/run":7');
});

it('no data where there was none', async () => {
  const ask = await serving(200, { error: { code: -32000, message: 'no seat left' } });
  const told = await ask('mayday');
  expect(textsOf(told)).toHaveLength(1);
  expect(faultIn(told)).toMatchObject({ native: { dialect: 'json-rpc', code: -32000 } });
});

it('several texts, each in a block of its own', async () => {
  const content = ['Deploy failed', '{"code":"E1","step":3}', 'Nothing was rolled back'].map((text) => ({
    type: 'text',
    text,
  }));
  const ask = await serving(200, { result: { isError: true, content } });
  const [first, ...others] = textsOf(await ask('mayday'));
  expect(first).toMatch(/^Deploy failed/);
  expect(others).toEqual(['{"code":"E1","step":3}', 'Nothing was rolled back']);
});

it('what a page says, without its markup', async () => {
  const page =
    '<html><head><title>502 Bad Gateway</title></head><body><p>Upstream maintenance until 18:00 UTC</p><p>Ticket OPS-17, password=hunter2hunter2</p></body></html>';
  const server = await upstream((_body, response) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end(page),
  );
  const gateway = await open({ upstreams: { a: { url: server.url, retry: { attempts: 1 } } } });
  const texts = textsOf(await post(`${gateway.url}/a/mcp`, callTool('book'))).join('\n');
  expect(texts).toContain('Upstream maintenance until 18:00 UTC Ticket OPS-17');
  expect(texts).not.toMatch(/<p>|hunter2/);
});
