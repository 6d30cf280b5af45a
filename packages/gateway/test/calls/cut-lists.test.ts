/** Lists of very many blocks are read as far as they have room: what a server was given is not told by half where one is cut. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const TOKEN = 'mangotreesbluefalconriverstoneharbour';
const SHAPED = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
/** Six letters of it in a row. */
const partOf = (secret: string): RegExp =>
  new RegExp(Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6)).join('|'));
const LEAK = new RegExp(`${partOf(TOKEN).source}|${partOf(SHAPED).source}`);

const block = (text: string) => ({ type: 'text', text });
const split = (secret: string, parts: number): readonly string[] =>
  Array.from({ length: parts }, (_, at) =>
    secret.slice(Math.floor((at * secret.length) / parts), Math.floor(((at + 1) * secret.length) / parts)),
  );

interface Asked {
  readonly before: number;
  readonly secret: string;
  readonly parts: number;
  readonly filling: string;
}

const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};

/** A server that fails with as many blocks as it is asked for, and a secret behind so many of them. */
async function failing(redaction?: 'off') {
  const { url } = await upstream((body, response) => {
    const { id, params } = JSON.parse(body) as { id: number; params?: { arguments?: Asked } };
    const asked = params?.arguments;
    if (asked === undefined) return json(response, 200, { jsonrpc: '2.0', id, result: OPENED });
    const { before, secret, parts, filling } = asked;
    const filled = (count: number) => Array.from({ length: count }, () => block(filling));
    const content = [...filled(before), ...split(secret, parts).map(block), ...filled(9000)];
    json(response, 200, { jsonrpc: '2.0', id, result: { content, isError: true } });
  });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const gateway = await open({ upstreams: { u: { url, headers, redaction } } });
  return {
    gateway,
    fail: async (path: string, tool: string, asked: object) => {
      const { message, text } = await post(`${gateway.url}${path}`, callTool(tool, asked));
      const content = message.result?.['content'] as readonly { readonly text?: string }[];
      return { text: content.map((each) => each.text ?? '').join('') + text, blocks: content.length };
    },
    kept: async () =>
      (await (await fetch(`${gateway.url}/-/faults?limit=1000`)).text()) + gateway.logs.join('\n'),
  };
}

it.each([
  ['a given secret', TOKEN, 'x', undefined, [2, 20]],
  ['a given secret among spaces', TOKEN, 'x ', undefined, [3]],
  ['a given secret, where nothing else is taken out', TOKEN, 'x', 'off', [3]],
  ['a secret that is known by its form', SHAPED, ' x ', undefined, [3]],
] as const)('%s, where the list is cut', async (_what, secret, filling, redaction, all) => {
  const { fail, kept } = await failing(redaction);
  const { blocks } = await fail('/u/mcp', 't', { before: 1, secret: 'none', parts: 1, filling });
  const leaks: unknown[] = [];
  // Up to two blocks are of the gateway's own.
  for (const parts of all)
    for (const before of [blocks - 3 - Math.ceil(parts / 2), blocks - 2 - parts])
      for (const [path, tool] of [
        ['/u/mcp', 't'],
        ['/mcp', 'u_t'],
      ] as const) {
        const told = await fail(path, tool, { before, secret, parts, filling });
        expect(told.blocks).toBeGreaterThan(3000);
        if (LEAK.test(told.text)) leaks.push([path, parts, before, LEAK.exec(told.text)?.[0]]);
      }
  expect(leaks).toEqual([]);
  expect(await kept()).not.toMatch(LEAK);
});
