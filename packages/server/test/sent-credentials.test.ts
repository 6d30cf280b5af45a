/** What the caller sent in an argument named like a credential comes back in no failure. */
import { fault } from '@mayday/core';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { askV1 } from './v1-fixture.ts';
import { connectRaw } from './wire.ts';

const VALUES = ['hunter2correctZ', 'Zx9-kQ4wLm2p', 'Tr0ub4dor&3', 'correct horse battery', 's3cr3t'];

const WAYS: { readonly [way: string]: (value: string) => unknown } = {
  'thrown, beside its name': (value) => {
    throw new Error(`password must be at least length 20 (was "${value}")`);
  },
  'thrown, far from it': (value) => {
    throw new Error(`User ${value} not found`);
  },
  'in a fault': (value) => {
    throw fault.notFound(`No user ${value}`, { details: { tried: [value] } });
  },
  'in a protocol error': (value) => {
    throw new ProtocolError(-32602, `No user ${value}`, { tried: value });
  },
  returned: (value) => ({
    isError: true,
    content: [{ type: 'text', text: `No user ${value}` }],
    structuredContent: { tried: value },
    _meta: { 'acme/tried': value },
  }),
};

describe.each(Object.entries(WAYS))('%s', (_way, make) => {
  it.each(VALUES)('%s does not come back', async (value) => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('t', { inputSchema: z.looseObject({}) }, async () => make(value) as never);
    const wire = await connectRaw(server);
    const answer = await wire.ask('tools/call', { name: 't', arguments: { user: 'ann', password: value } });
    expect(JSON.stringify(answer)).not.toContain(JSON.stringify(value).slice(1, -1));
  });
});

describe('beneath such a name', () => {
  it.each<readonly [string, object]>([
    ['in a list', { tokens: 'x', api_key: ['Zx9-kQ4wLm2p'] }],
    ['in an object', { login: { user: 'ann', password: 'Zx9-kQ4wLm2p' } }],
    ['in a list of many', { passwords: ['Zx9-kQ4wLm2p'] }],
    ['as a value', { credentials: { user: 'ann', value: 'Zx9-kQ4wLm2p' } }],
    ['as the value of a value', { access: { token: { value: 'Zx9-kQ4wLm2p' } } }],
    ['in a pair', { headers: [['x-api-key', 'Zx9-kQ4wLm2p']] }],
    ['in a pair with names', { headers: [{ name: 'x-api-key', value: 'Zx9-kQ4wLm2p' }] }],
    ['in a cookie', { cookie: 'sid=Zx9-kQ4wLm2p' }],
    ['in short', { pass: 'Zx9-kQ4wLm2p' }],
    ['of a wallet', { mnemonic: 'Zx9-kQ4wLm2p' }],
    ['in German', { passwort: 'Zx9-kQ4wLm2p' }],
    ['in Spanish', { contraseña: 'Zx9-kQ4wLm2p' }],
    ['in Japanese', { パスワード: 'Zx9-kQ4wLm2p' }],
  ])('%s', async (_where, args) => {
    const server = guardV1(new McpServerV1({ name: 's', version: '1' }));
    server.registerTool('t', { inputSchema: z.looseObject({}) }, async () => {
      throw new Error('User Zx9-kQ4wLm2p not found');
    });
    const answer = JSON.stringify(await askV1(server, 'tools/call', { name: 't', arguments: args }));
    expect(answer).not.toContain('Zx9-kQ4wLm2p');
    expect(answer).toContain('not found');
  });
});

it('what stands under other names comes back', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  server.registerTool('t', { inputSchema: z.looseObject({}) }, async () => {
    throw new Error('User ann-smith not found');
  });
  const args = {
    credentials: { user: 'ann-smith', password: 'x7Kq-22pL9' },
    next_page_token: 'found',
    session_id: 'ann-smith',
    userKey: 'ann-smith',
  };
  const wire = await connectRaw(server);
  expect(JSON.stringify(await wire.ask('tools/call', { name: 't', arguments: args }))).toContain(
    'User ann-smith not found',
  );
});

it('what a tool tells while it works is without it too', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }, { capabilities: { logging: {} } }));
  server.registerTool('t', { inputSchema: z.looseObject({}) }, async (_args, context) => {
    await context.mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 1, message: 'trying pear-tree for ann' },
    });
    return { content: [] };
  });
  const wire = await connectRaw(server);
  await wire.ask('tools/call', {
    name: 't',
    arguments: { password: 'pear-tree' },
    _meta: { progressToken: 1 },
  });
  expect(JSON.stringify(wire.received)).toContain('for ann');
  expect(JSON.stringify(wire.received)).not.toContain('pear-tree');
});
