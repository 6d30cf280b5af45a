import { post, rpcResponse, start, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const NOTICE = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

describe.each([
  ['closient', -32100, -32100],
  ['onx', -32600, -32700],
  ['qaqnuz', -32600, -32700],
])('%s over HTTP', (name, code, noJson) => {
  it('CL-20 EM-2 QA-2 refuses a batch whole, whatever is in it, and goes on serving', async () => {
    const { url } = await start(name, ['--data', tempFolder()]);
    const said = async (body: string, headers = {}) => {
      const response = await post(url, body, headers);
      const { id, error, result } = await rpcResponse(response);
      return [response.status, id, error?.code, result];
    };
    const refused = [400, null, code, undefined];
    for (const body of [`[${PING},${PING}]`, `[${PING}]`, ` \n[${NOTICE}]`, '[]', '[7]'])
      expect(await said(body)).toEqual(refused);
    expect(await said(`[${PING}]`, { 'mcp-protocol-version': '2025-11-25' })).toEqual(refused);
    expect(await said(`[${PING},`)).toEqual([400, null, noJson, undefined]);
    expect(await said(PING)).toEqual([200, 1, undefined, {}]);
  });
});
