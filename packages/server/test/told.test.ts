/** In a closed document, what is kept back from an answer does not cross beside it. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { type GuardOptions, guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw } from './wire.ts';

const PROVIDERS =
  'Stripe says card_declined for cus_9s8df7: relation "customers_pii" missing on db7.corp.internal; pg://u:hunter2@h/db';

async function toldBy(options: GuardOptions): Promise<readonly Message[]> {
  const capabilities = { logging: {} };
  const server = guard(new McpServer({ name: 's', version: '1' }, { capabilities }), options);
  server.registerTool('t', {}, (async ({ mcpReq }: { mcpReq: { notify(said: object): Promise<void> } }) => {
    const said = { toJSON: () => ({ error: PROVIDERS, attempts: 2 }) };
    await mcpReq.notify({ method: 'notifications/message', params: { level: 'error', data: PROVIDERS } });
    await mcpReq.notify({ method: 'notifications/message', params: { level: 'error', data: said } });
    const progress = { progressToken: 'p', progress: 1, message: PROVIDERS };
    await mcpReq.notify({ method: 'notifications/progress', params: progress });
    void server.server.elicitInput({
      message: PROVIDERS,
      requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
    });
    throw new Error(PROVIDERS);
  }) as never);
  const client = await connectRaw(server);
  await client.ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: 'c', version: '1' },
  });
  await client.send({ method: 'notifications/initialized' });
  await client.ask('tools/call', { name: 't', arguments: {}, _meta: { progressToken: 'p' } });
  return client.received.filter(({ method }) => method !== undefined);
}

describe.each(['qaqnuz', 'platica'])('%s', (dialect) => {
  it('says of a failure beside the answer no more than in it', async () => {
    expect(await toldBy({ dialect })).toMatchObject([
      { method: 'notifications/message', params: { level: 'error', data: 'Internal error' } },
      { params: { level: 'error', data: { error: 'Internal error', attempts: 2 } } },
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
      { method: 'elicitation/create', params: { message: 'The server asks for something' } },
    ]);
    expect(JSON.stringify(await toldBy({ dialect }))).not.toMatch(/Stripe|cus_|customers_pii|hunter2/);
  });
});

it('in every other document it is told without secrets', async () => {
  const told = JSON.stringify(await toldBy({ dialect: 'onx' }));
  expect(told).toContain('Stripe says card_declined');
  expect(told).not.toContain('hunter2');
});
