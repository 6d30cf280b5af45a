/** A tool that fetches what it is told is not taken away by what cannot be fetched. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const FETCH = {
  name: 'web_url_read',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

function answerTo(method: string, link: string | undefined): object {
  if (method === 'tools/list') return { tools: [FETCH] };
  if (method !== 'tools/call') return {};
  return link === 'https://example.com'
    ? { content: [{ type: 'text', text: 'Example Domain' }] }
    : { content: [{ type: 'text', text: '502 Bad Gateway' }], isError: true };
}

async function fetching() {
  let fetched = 0;
  const { url } = await upstream((said, response) => {
    const { id, method, params } = JSON.parse(said);
    if (method === 'tools/call') fetched += 1;
    json(response, 200, { jsonrpc: '2.0', id, result: answerTo(method, params?.arguments?.url) });
  });
  const gateway = await open({ upstreams: { web: { url } } });
  const read = (link: string, attempt?: number) => {
    const made = callTool('web_url_read', { url: link }) as { readonly params: object };
    const _meta = attempt === undefined ? {} : { 'dev.mayday/attempt': attempt };
    return post(`${gateway.url}/web/mcp`, { ...made, params: { ...made.params, _meta } });
  };
  await post(`${gateway.url}/web/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return { read, fetched: () => fetched };
}

it('by two that are tried again', async () => {
  const { read, fetched } = await fetching();
  await read('https://one.invalid');
  await read('https://two.invalid');
  expect(fetched()).toBe(6);
  expect((await read('https://example.com')).text).toContain('Example Domain');
});

it('by one that its caller tries again', async () => {
  const { read, fetched } = await fetching();
  for (let attempt = 1; attempt <= 8; attempt += 1) await read('https://one.invalid', attempt);
  expect(fetched()).toBe(8);
  expect((await read('https://example.com')).text).toContain('Example Domain');
});

it('but five that fail in a row have it left alone', async () => {
  const { read } = await fetching();
  for (let link = 1; link <= 5; link += 1) await read(`https://${link}.invalid`);
  expect((await read('https://example.com')).text).toContain('has failed repeatedly');
});
