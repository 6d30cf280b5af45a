/** Long answers are cut, for callers and for operators, and a cut may go through a secret: nothing of it is told. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const SECRETS = [
  'postgres://app:Sup3rSecretPassw0rd@db.example/prod',
  'password="Sup3rSecret horse battery staple words"',
  'ghp_Sup3rSecretSup3rSecretSup3rSecretaa1',
];
const LEAK = /.{20}(?:Sup3rSecret|horse).{0,20}/;

/** A server that fails with these words. */
async function failing() {
  const { url } = await upstream((body, response) => {
    const { id, params } = JSON.parse(body) as { id: number; params: { arguments: { text: string } } };
    const content = [{ type: 'text', text: params?.arguments?.text ?? '' }];
    json(response, 200, { jsonrpc: '2.0', id, result: { content, isError: true } });
  });
  const gateway = await open({ upstreams: { u: { url } }, limits: { text_bytes: 8000 } });
  return {
    gateway,
    fail: (text: string) => post(`${gateway.url}/u/mcp`, callTool('t', { text })),
    faults: async () => (await fetch(`${gateway.url}/-/faults?limit=1000`)).text(),
  };
}

it.each([
  ['message', 4000],
  ['original, in bytes of its JSON', 4096],
  ['text', 8000],
])('the %s, cut at %i', async (_what, cut) => {
  const { gateway, fail, faults } = await failing();
  const leaks = new Set<string>();
  for (const secret of SECRETS)
    for (let before = cut - 130; before < cut; before += 7) {
      const words = `${'lorem ipsum '.repeat(1000).slice(0, before)} ${secret} ${'dolor sit '.repeat(1000)}`;
      const { text: body } = await fail(words);
      expect(body).toContain('lorem ipsum');
      const [leak] = LEAK.exec(body) ?? [];
      if (leak !== undefined) leaks.add(`caller: ${leak}`);
    }
  const told = await faults();
  expect(told).toContain('lorem ipsum');
  for (const [leak] of told.matchAll(new RegExp(LEAK, 'g'))) leaks.add(`operator: ${leak}`);
  for (const [leak] of gateway.logs.join('\n').matchAll(new RegExp(LEAK, 'g'))) leaks.add(`log: ${leak}`);
  expect([...leaks].slice(0, 5)).toEqual([]);
});

it('a body that is no JSON, cut at 8000', async () => {
  let said = '';
  const { url } = await upstream((_body, response) => response.writeHead(500).end(said));
  const gateway = await open({ upstreams: { u: { url } }, limits: { text_bytes: 8000 } });
  const leaks = new Set<string>();
  for (const secret of SECRETS)
    for (let before = 7860; before < 8000; before += 7) {
      said = `${'lorem ipsum '.repeat(1000).slice(0, before)} ${secret} ${'dolor sit '.repeat(1000)}`;
      const { text } = await post(`${gateway.url}/u/mcp`, callTool(`t${before}${secret.length}`));
      expect(text).toContain('lorem ipsum');
      const [leak] = LEAK.exec(text) ?? [];
      if (leak !== undefined) leaks.add(leak);
    }
  expect([...leaks].slice(0, 5)).toEqual([]);
});

it.each([
  ['charge failed with sk_live_4eC39H', 'qLyjWDarjtT1zdp7dc was not taken', /4eC39H|qLyjWDarj/],
  ['login failed, password=x7Qp29', 'LmZ4tR8w for the till', /x7Qp29|LmZ4tR8w/],
  ['no route to postgres://svc:hun', 'ter2Zq9@10.0.0.5/x', /:hun\b|ter2Zq9/],
])('two blocks of one failure: %s|%s', async (one, other, secret) => {
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    const content = [one, other].map((text) => ({ type: 'text', text }));
    json(response, 200, { jsonrpc: '2.0', id, result: { content, isError: true } });
  });
  const gateway = await open({ upstreams: { u: { url } } });
  const { text } = await post(`${gateway.url}/u/mcp`, callTool('t', {}));
  expect(text).toContain(one.slice(0, 11));
  expect(text).not.toMatch(secret);
  const told = await (await fetch(`${gateway.url}/-/faults?limit=10`)).text();
  expect(told).toContain(one.slice(0, 11));
  expect(told).not.toMatch(secret);
  expect(gateway.logs.join('\n')).not.toMatch(secret);
});
