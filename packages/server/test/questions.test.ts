/** What a server asks the user, and the addresses it names, carry no secrets either. */
import { McpServer, UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { ask, connectRaw, type RawClient } from './wire.ts';

const LEAK = 'postgres://svc:hunter2Sup3r@10.0.0.5/x';
const TOKEN = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
const SIGN_IN =
  'https://login.example.com/authorize?client_id=abc&state=9f8e7d6c5b4a39281706f5e4d3c2b1a0&login_hint=ada@example.com';

async function connect(use: (server: McpServer) => void): Promise<RawClient> {
  const server = guard(
    new McpServer({ name: 's', version: '1' }, { capabilities: { resources: { subscribe: true } } }),
  );
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  use(server);
  const client = await connectRaw(server);
  const capabilities = { elicitation: { form: {}, url: {} } };
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  await client.send({ method: 'notifications/initialized' });
  return client;
}

it('a question has no secret in its words, and still says whom it is about', async () => {
  const client = await connect((server) => {
    server.registerTool('t', {}, async () => {
      void server.server.elicitInput({
        message: `Send it to ada@example.com? (${LEAK} failed, token ${TOKEN})`,
        requestedSchema: { type: 'object', properties: { a: { type: 'string', description: LEAK } } },
      });
      return { content: [] };
    });
  });
  await client.ask('tools/call', { name: 't', arguments: {} });
  const question = client.received.find(({ method }) => method === 'elicitation/create');
  expect(question?.params?.['message']).toMatch(/^Send it to ada@example\.com\? \(/);
  expect(JSON.stringify(question)).not.toMatch(/hunter2|ghp_/);
});

it('an address to open loses keys and passwords, and nothing that it needs', async () => {
  const elicitation = (url: string) => ({ mode: 'url' as const, message: LEAK, elicitationId: 'e1', url });
  const client = await connect((server) => {
    server.registerTool('t', {}, async () => {
      throw new UrlElicitationRequiredError([
        elicitation(`https://x.example/?token=${TOKEN}`),
        elicitation('https://svc:hunter2Sup3r@x.example/y'),
        elicitation(SIGN_IN),
      ]);
    });
  });
  const { error } = await client.ask('tools/call', { name: 't', arguments: {} });
  expect(error?.code).toBe(-32042);
  expect(JSON.stringify(error)).not.toMatch(/hunter2|ghp_/);
  expect(error?.data).toMatchObject({ elicitations: [{}, {}, { url: SIGN_IN, elicitationId: 'e1' }] });
});

it.each([
  'https://checkout.stripe.com/c/pay/cs_live_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u#fidkdWxOYHwnPyd1',
  'https://checkout.stripe.com/c/pay/cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u',
  'https://billing.stripe.com/p/session/live_YWNjdF8xTTJKVGtMa2RJd0h1N2l4LF9PZ2x3ZkV0a1B2UmFQd0Jx',
  'https://invoice.stripe.com/i/acct_1032D82eZvKYlo2C/live_YWNjdF8xMDMyRDgyZVp2S1lsbzJDLF9QZ2x3ZkV0a1B2',
])('a page to pay on can be opened: %s', async (url) => {
  const client = await connect((server) => {
    server.registerTool('t', {}, async () => {
      throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Pay', elicitationId: 'e1', url }]);
    });
  });
  const { error } = await client.ask('tools/call', { name: 't', arguments: {} });
  expect(error?.data).toMatchObject({ elicitations: [{ url }] });
});

it('an address that changed has no secret, unless the client named it itself', async () => {
  let server: McpServer | undefined;
  const client = await connect((made) => {
    server = made;
  });
  const known = 'db://svc:pa55word9@h/known';
  await client.ask('resources/subscribe', { uri: known });
  await server?.server.sendResourceUpdated({ uri: LEAK });
  await server?.server.sendResourceUpdated({ uri: known });
  await server?.server.sendResourceUpdated({ uri: 'file:///notes/7.txt' });
  const told = client.received.filter(({ method }) => method === 'notifications/resources/updated');
  expect(told.map(({ params }) => params?.['uri'])).toEqual([
    'postgres://[credentials:1]@10.0.0.5/x',
    'db://svc:pa55word9@h/known',
    'file:///notes/7.txt',
  ]);
});

it('questions of the 2026 era neither', async () => {
  const params = {
    mode: 'form',
    message: `${LEAK}: go on?`,
    requestedSchema: { type: 'object', properties: {} },
  };
  const inputRequests = { ok: { method: 'elicitation/create', params } };
  const create = (): McpServer => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('t', {}, async () => ({ resultType: 'input_required', inputRequests }) as never);
    return server;
  };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  const answer = await ask(create, '2026-07-28', 'tools/call', { name: 't', arguments: {}, _meta });
  expect(answer?.text).toContain('go on?');
  expect(answer?.text).not.toContain('hunter2');
});
