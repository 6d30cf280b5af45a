/** A fault of a completer: the SDK has a handler of its own around it, and the fault crosses as it was thrown. */
import { fault } from '@mayday/core';
import { completable as completableV1 } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { completable, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type GuardOptions, guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw } from './wire.ts';

type Dialect = NonNullable<GuardOptions['dialect']>;

const fail = (value: string): never => {
  if (value === 'crash') throw new Error('helper crashed');
  throw fault.rateLimited('Slow down', { retry: { afterMs: 3000 } });
};

const servers = {
  v2(dialect: Dialect): unknown {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
    const argsSchema = z.object({ name: completable(z.string(), fail) });
    server.registerPrompt('greet', { argsSchema }, async () => ({ messages: [] }));
    return server;
  },
  v1(dialect: Dialect): unknown {
    const server = guardV1(new McpServerV1({ name: 's', version: '1' }), { dialect });
    const argsSchema = { name: completableV1(z.string(), fail) };
    server.registerPrompt('greet', { argsSchema }, async () => ({ messages: [] }));
    return server;
  },
};

async function completed(sdk: 'v1' | 'v2', dialect: Dialect, value: unknown = 'a', name = 'greet') {
  const wire = await connectRaw(servers[sdk](dialect) as never);
  await wire.ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  });
  const ref = { type: 'ref/prompt', name };
  return (await wire.ask('completion/complete', { ref, argument: { name: 'name', value } })).error;
}

describe.each(['v2', 'v1'] as const)('%s', (sdk) => {
  it('ER-33 ER-83 erlmcp names the wait', async () => {
    expect(await completed(sdk, 'erlmcp')).toMatchObject({ code: -32010, data: { retry_after: 3 } });
  });

  it('CL-35 Closient names the wait', async () => {
    expect(await completed(sdk, 'closient')).toMatchObject({ code: -32003, data: { retry_after: 3 } });
  });

  it('onX says why, and for how long', async () => {
    const data = { reason: 'rate_limited', context: { retryAfter: 3000 } };
    expect(await completed(sdk, 'onx')).toMatchObject({ code: -32603, data });
  });

  it('Platica has the author’s words', async () => {
    expect(await completed(sdk, 'platica')).toMatchObject({ message: 'Slow down' });
  });

  it('what the SDK refuses, and an exception, stay what they are', async () => {
    expect((await completed(sdk, 'erlmcp', 'a', 'nope'))?.code).toBe(-32110);
    expect((await completed(sdk, 'erlmcp', 'crash'))?.code).toBe(-32113);
  });

  it('ER-69 ER-70 what is refused before a completer was asked has not happened', async () => {
    expect(await completed(sdk, 'erlmcp', 7)).toEqual({
      code: -32112,
      message: 'Invalid completion argument',
      data: { argument: 'argument.value', details: expect.stringContaining('expected string') },
    });
    expect(await completed(sdk, 'erlmcp', 'a', 'nope')).toEqual({
      code: -32110,
      message: 'Completion not found',
      data: { completionId: 'nope' },
    });
  });
});
