/** A limit for each caller counts nobody who is not known, wherever it stands: strangers learn nothing by it, and use nothing up. */
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { digestKey, type Guard, guard, keys, rateLimit } from '../src/index.ts';
import { connectRaw, faultIn } from './wire.ts';

const GOOD = 'k-0123456789abcdef';

async function serving(guards: (by: Guard) => readonly Guard[]) {
  let key = '';
  const lookup = (digest: string) => (digest === digestKey(GOOD) ? { principal: 'ann' } : undefined);
  const byKey = keys({ lookup, from: () => key });
  const server = guard(new McpServer({ name: 's', version: '1' }), { guards: [...guards(byKey)] });
  server.registerTool('open', {}, () => ({ content: [] }));
  const client = await connectRaw(server);
  return async (name: string, presented: string) => {
    key = presented;
    const answer = await client.ask('tools/call', { name, arguments: {} });
    return answer.error === undefined && answer.result?.['isError'] !== true
      ? 'answered'
      : faultIn(answer)?.['kind'];
  };
}

it.each(['caller', 'caller-and-tool'] as const)('a limit per %s before the keys', async (per) => {
  const ask = await serving((byKey) => [rateLimit({ limit: 1, windowMs: 60_000, per }), byKey]);
  const told: unknown[] = [];
  for (const name of ['nobody', 'none', 'open', 'open']) told.push(await ask(name, 'wrong'));
  expect(told).toEqual(Array(4).fill('unauthenticated'));
  expect([await ask('open', GOOD), await ask('open', GOOD)]).toEqual(['answered', 'rate_limited']);
});

it('a limit by something else stays where it stands, and keeps strangers from trying keys', async () => {
  const byPlace = rateLimit({ limit: 2, windowMs: 60_000, per: () => 'one place' });
  const ask = await serving((byKey) => [byPlace, byKey]);
  const told = [await ask('open', 'wrong'), await ask('none', 'wrong'), await ask('open', GOOD)];
  expect(told).toEqual(['unauthenticated', 'unauthenticated', 'rate_limited']);
});
