import { request } from 'node:http';
import { jsonOf, start, tempFolder } from '@mayday/reference-shared/testing';
import { expect, it } from 'vitest';

it('CL-12 CL-13 the problem of what is refused before a tool names the status that it comes with', async () => {
  const { url } = await start('closient', ['--data', tempFolder()]);
  const at = new URL('/mcp', url);
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const said = async (init: RequestInit) => {
    const response = await fetch(at, { headers: json, ...init });
    const { error } = await jsonOf(response);
    return [response.status, error.data.status, error.code, error.data.retryable];
  };
  const post = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
  expect(await said({ method: 'GET' })).toEqual([405, 405, -32100, false]);
  expect(await said({ method: 'DELETE' })).toEqual([405, 405, -32100, false]);
  const picky = { ...json, accept: 'text/html' };
  expect(await said({ ...post, headers: picky })).toEqual([406, 406, -32100, false]);
  const plain = { ...json, 'content-type': 'text/plain' };
  expect(await said({ ...post, headers: plain })).toEqual([415, 415, -32100, false]);
  expect(await said({ ...post, body: `"${'x'.repeat(2_000_000)}"` })).toEqual([413, 413, -32100, false]);
  expect(await said({ ...post, body: '{"jsonrpc":' })).toEqual([400, 400, -32100, false]);
  expect(await said({ ...post, body: '{}' })).toEqual([400, 400, -32100, false]);
  const foreign = await new Promise<string>((resolve) => {
    request(at, { method: 'POST', headers: { ...json, host: 'evil.example' } }, (answer) => {
      answer.setEncoding('utf8').once('data', resolve);
      expect(answer.statusCode).toBe(403);
    }).end(post.body);
  });
  expect(JSON.parse(foreign).error).toMatchObject({ code: -32002, data: { status: 403 } });
});
