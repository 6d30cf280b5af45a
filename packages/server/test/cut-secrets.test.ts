/** A secret that is cut over two blocks of a failure is in neither of them, nor in what is made of both. */
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw, faultIn } from './wire.ts';

async function told(...texts: readonly string[]) {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  const content = texts.map((text) => ({ type: 'text' as const, text }));
  server.registerTool('t', {}, async () => ({ isError: true, content }));
  const client = await connectRaw(server as never);
  return client.ask('tools/call', { name: 't', arguments: {} });
}

it.each([
  ['charge failed with sk_live_4eC39H', 'qLyjWDarjtT1zdp7dc was not taken', /4eC39H|qLyjWDarj/],
  ['login failed, password=x7Qp29', 'LmZ4tR8w for the till', /x7Qp29|LmZ4tR8w/],
  ['no route to postgres://svc:hun', 'ter2Zq9@10.0.0.5/x', /hun\b|ter2Zq9/],
])('%s|%s', async (one, other, secret) => {
  const answer = await told(one, other);
  expect(JSON.stringify(answer)).not.toMatch(secret);
  expect(faultIn(answer)['message']).toContain(one.slice(0, 11));
});

it('keeps what the blocks say beside it', async () => {
  const { result } = await told('Could not book seat 14', 'The train is full. Take another one.');
  expect(result?.['content']).toMatchObject([
    { text: 'Could not book seat 14' },
    { text: 'The train is full. Take another one.' },
    { text: 'Look at the current state first; do not repeat the same call.' },
  ]);
});
