/** At `/mcp`, one server among many: what the operator hears of it, and by which names. */
import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, json, later, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

/** Lists a tool that fails. */
function answer(body: string): object {
  const { id, method, params } = JSON.parse(body) as {
    id?: number;
    method: string;
    params?: { protocolVersion: string };
  };
  const protocolVersion = params?.protocolVersion;
  const results: { readonly [method: string]: object } = {
    initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
    'tools/call': { isError: true, content: [{ type: 'text', text: 'no money left' }] },
  };
  return { jsonrpc: '2.0', id, result: results[method] ?? {} };
}

interface Kept {
  readonly upstream: string;
  readonly method: string;
  readonly target: string | null;
  readonly attempts: number;
  readonly fault: { readonly kind: string };
}

async function kept(url: string): Promise<readonly Kept[]> {
  return ((await (await fetch(`${url}/-/faults?limit=1000`)).json()) as { faults: Kept[] }).faults;
}

it('that a server is down is told once, not to each client that lists, until it answers', async () => {
  let isDown = true;
  const fickle = await upstream((body, response) => {
    if (isDown) response.destroy();
    else json(response, 200, answer(body));
  });
  const fine = await upstream((body, response) => json(response, 200, answer(body)));
  const gateway = await open({
    upstreams: {
      fine: { url: fine.url },
      gone: { url: 'http://127.0.0.1:9/mcp' },
      fickle: { url: fickle.url, breaker: false, retry: { attempts: 1 } },
    },
  });
  const list = async (): Promise<number> => {
    const { message } = await post(`${gateway.url}/mcp`, call('tools/list'));
    return (message.result?.['tools'] as unknown[] | undefined)?.length ?? 0;
  };
  for (let i = 0; i < 8; i++) expect(await list()).toBe(1);
  const of = (name: string, all: readonly Kept[]): number =>
    all.filter((one) => one.upstream === name).length;
  const before = await kept(gateway.url);
  expect([of('gone', before), of('fickle', before)]).toEqual([1, 1]);
  expect(before.map(({ attempts }) => attempts).sort()).toEqual([1, 3]);
  expect(gateway.logs.filter((line) => line.includes('fault upstream=gone'))).toHaveLength(1);
  isDown = false;
  expect(await list()).toBe(2);
  isDown = true;
  for (let i = 0; i < 3; i++) await list();
  expect(of('fickle', await kept(gateway.url))).toBe(2);
});

it('who calls a server that is down is a failure each time', async () => {
  const gateway = await open({
    upstreams: { gone: { url: 'http://127.0.0.1:9/mcp' }, b: { url: 'http://127.0.0.1:9/mcp' } },
  });
  for (let i = 0; i < 3; i++) await post(`${gateway.url}/mcp`, callTool('gone_pay'));
  expect((await kept(gateway.url)).filter(({ method }) => method === 'tools/call')).toHaveLength(3);
  await fetch(`${gateway.url}/gone/mcp`, { method: 'POST', body: '{' });
  const [last] = await kept(gateway.url);
  expect([last?.fault.kind, last?.attempts]).toEqual(['parse_error', 0]);
});

it('a tool has one name for the operator, wherever it is called', async () => {
  const { url } = await upstream((body, response) => json(response, 200, answer(body)));
  const gateway = await open({ upstreams: { shop: { url } } });
  await post(`${gateway.url}/mcp`, callTool('shop_pay'));
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  expect((await kept(gateway.url)).map(({ upstream: of, target }) => [of, target])).toEqual([
    ['shop', 'pay'],
    ['shop', 'pay'],
  ]);
});

it('suggests the tool of an API by the name that callers have for it', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'mayday-')), 'pets.json');
  const operation = { operationId: 'getPet', responses: { 200: { description: 'ok' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'pets', version: '1' },
    paths: { '/pet': { get: operation } },
  };
  writeFileSync(file, JSON.stringify(document));
  const gateway = await open({ upstreams: { pets: { openapi: file, base_url: 'http://127.0.0.1:9' } } });
  expect(faultIn(await post(`${gateway.url}/mcp`, callTool('pets_getPets')))).toMatchObject({
    message: 'Unknown tool: pets_getPets',
    advice: 'Did you mean pets_getPet? List the tools to see their names.',
  });
  expect(faultIn(await post(`${gateway.url}/pets/mcp`, callTool('getPets')))).toMatchObject({
    advice: 'Did you mean getPet?',
  });
});

it('many upstreams, and many calls with keys at once, are no leak', async () => {
  const warnings: string[] = [];
  const hear = ({ name, message }: Error): unknown => warnings.push(`${name}: ${message}`);
  process.on('warning', hear);
  later(() => process.off('warning', hear));
  const { url } = await upstream((body, response) => {
    const said = answer(body);
    setTimeout(() => json(response, 200, said), 100);
  });
  const names = Array.from({ length: 14 }, (_, i) => `u${i}`);
  const gateway = await open({ upstreams: Object.fromEntries(names.map((name) => [name, { url }])) });
  const got = await post(`${gateway.url}/mcp`, call('tools/list'));
  expect(got.message.result?.['tools']).toHaveLength(14);
  const keyed = (i: number): object => {
    const { params } = callTool('pay') as { params: object };
    return call('tools/call', { ...params, _meta: { 'dev.mayday/idempotency-key': `k${i}` } });
  };
  await Promise.all(names.map((_, i) => post(`${gateway.url}/u0/mcp`, keyed(i))));
  expect(warnings).toEqual([]);
});
