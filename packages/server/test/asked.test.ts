/** What goes wrong while the client's model or user is asked has codes of its own in erlmcp. */
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw, type RawClient } from './wire.ts';

const QUESTION = { messages: [], maxTokens: 5 };
const FORM = {
  message: 'Allergies?',
  requestedSchema: { type: 'object' as const, properties: { a: { type: 'string' as const } } },
};
const LIMIT = { timeout: 30 };

async function v2(): Promise<RawClient> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect: 'erlmcp' });
  server.registerTool('model', {}, async () => {
    await server.server.createMessage(QUESTION, LIMIT);
    return { content: [] };
  });
  server.registerTool('user', {}, async () => {
    await server.server.elicitInput(FORM, LIMIT);
    return { content: [] };
  });
  server.registerTool('other', {}, async () => {
    await server.server.createMessage(QUESTION, LIMIT).catch(() => undefined);
    throw new Error('The oven is cold');
  });
  return opened(await connectRaw(server));
}

async function v1(): Promise<RawClient> {
  const server = guardV1(new McpServerV1({ name: 's', version: '1' }), { dialect: 'erlmcp' });
  server.registerTool('model', {}, async () => {
    await server.server.createMessage(QUESTION, LIMIT);
    return { content: [] };
  });
  server.registerTool('user', {}, async () => {
    await server.server.elicitInput(FORM, LIMIT);
    return { content: [] };
  });
  server.registerTool('other', {}, async () => {
    await server.server.createMessage(QUESTION, LIMIT).catch(() => undefined);
    throw new Error('The oven is cold');
  });
  return opened(await connectRaw(server as never));
}

async function opened(client: RawClient): Promise<RawClient> {
  const capabilities = { sampling: {}, elicitation: { form: {} } };
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  await client.send({ method: 'notifications/initialized' });
  return client;
}

/** The error of a call, in which the question that it asks is answered with this error, or not at all. */
async function errorOf(client: RawClient, name: string, error?: object) {
  const answer = client.ask('tools/call', { name, arguments: {} });
  await expect.poll(() => client.received.find(isQuestion)).toBeDefined();
  const id = client.received.find(isQuestion)?.id;
  await (error === undefined ? undefined : client.send({ id, error } as never));
  return (await answer).error;
}

const isQuestion = ({ method }: { readonly method?: string | undefined }): boolean =>
  method === 'sampling/createMessage' || method === 'elicitation/create';

describe.each([
  ['v2', v2],
  ['v1', v1],
])('on SDK %s', (_name, connect) => {
  it('a model that is not asked after all is -32046 (ER-50)', async () => {
    const refused = { code: -1, message: 'User rejected sampling request' };
    expect(await errorOf(await connect(), 'model', refused)).toEqual({
      code: -32046,
      message: 'Sampling failed',
      data: { reason: 'User rejected sampling request' },
    });
  });

  it('a model that does not answer is -32046 (ER-50)', async () => {
    expect(await errorOf(await connect(), 'model')).toMatchObject({
      code: -32046,
      message: 'Sampling failed',
      data: { reason: expect.stringMatching(/timed out/i) },
    });
  });

  it('a user who cannot be asked is 1090 (ER-72)', async () => {
    const refused = { code: -32603, message: 'No window to ask in' };
    expect(await errorOf(await connect(), 'user', refused)).toEqual({
      code: 1090,
      message: 'Elicitation failed',
      data: { reason: 'No window to ask in' },
    });
  });

  it('a user who does not answer is 1091 (ER-73)', async () => {
    expect(await errorOf(await connect(), 'user')).toEqual({
      code: 1091,
      message: 'Elicitation timeout',
      data: { timeoutMs: 30 },
    });
  });

  it('what a tool throws for another reason is its own', async () => {
    expect(await errorOf(await connect(), 'other')).toMatchObject({ code: -32031 });
  });
});
