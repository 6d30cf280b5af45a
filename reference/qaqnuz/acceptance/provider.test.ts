import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, plantBackend } from '../../acceptance/backend.ts';
import { Endpoint } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import { commandOutput, freshFolder, type HttpReference, serveHttp } from '../../acceptance/reference.ts';
import { callTool } from '../../acceptance/wire.ts';

describe.each([['/v1/stock/'], ['/v1/stock']])('a provider at %s', (named) => {
  const folder = freshFolder();
  let provider: Backend;
  let server: HttpReference;
  let caller: Endpoint;
  beforeAll(async () => {
    provider = await plantBackend(() => ({ body: '{"pieces":3}' }));
    const operator = (...args: readonly string[]): Promise<string> =>
      commandOutput('qaqnuz', ['operator', ...args, '--data', folder.path]);
    await operator('add-brand', 'acme');
    const [, key] = (await operator('issue-key', 'acme', 'stock.read')).split(' ');
    server = await serveHttp('qaqnuz', folder.path, ['--provider', `${provider.url}${named}`]);
    caller = new Endpoint(server.mcp, { authorization: `Bearer ${key}` });
  }, SLOW);
  afterAll(async () => {
    await Promise.all([server.stop(), provider.close()]);
    folder.remove();
  });

  it.each([
    ['a', '/v1/stock/a'],
    ['a/b', '/v1/stock/a%2Fb'],
    ['...', '/v1/stock/...'],
  ])('is asked for the product %s below it', async (sku, path) => {
    provider.visits.length = 0;
    const { result } = await callTool(caller, 'check_stock', { sku });
    expect([result?.isError === true, provider.visits.map((visit) => visit.path)]).toEqual([false, [path]]);
  });

  it.each(['.', '..'])('is not asked for the folder above: %s', async (sku) => {
    provider.visits.length = 0;
    const { result } = await callTool(caller, 'check_stock', { sku });
    expect([result?.isError, provider.visits]).toEqual([true, []]);
  });
});
