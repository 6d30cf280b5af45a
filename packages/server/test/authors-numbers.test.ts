/** An author's own number, thrown with an error of the SDK's: a document has its own codes, and no others. */
import { type Dialect as DialectObject, language } from '@mayday/core';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { type GuardOptions, guard } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { askV1 } from './v1-fixture.ts';
import { connectRaw } from './wire.ts';

type Dialect = NonNullable<GuardOptions['dialect']>;

const WORDS = 'Thing 9 not found';
const NUMBERS = [-32002, 404, 1090, 2001, -7];

const read = ['resources/read', { uri: 'thing://9' }] as const;
const get = ['prompts/get', { name: 'p' }] as const;
const call = ['tools/call', { name: 't', arguments: {} }] as const;

/** The code at the top of the answer: of SDK v2, and of v1. */
async function codes(dialect: Dialect, number: number, [method, params]: readonly [string, object]) {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
  const fail = async (): Promise<never> => {
    throw new ProtocolError(number, WORDS);
  };
  server.registerResource('r', 'thing://9', {}, fail);
  server.registerPrompt('p', {}, fail);
  server.registerTool('t', {}, fail);
  const client = await connectRaw(server);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return (await client.ask(method, params)).error?.code;
}

async function codesV1(dialect: Dialect, number: number, [method, params]: readonly [string, object]) {
  const server = guardV1(new McpServerV1({ name: 's', version: '1' }), { dialect });
  const fail = async (): Promise<never> => {
    throw new McpError(number, WORDS);
  };
  server.registerResource('r', 'thing://9', {}, fail);
  server.registerPrompt('p', {}, fail);
  server.registerTool('t', {}, fail);
  return (await askV1(server, method, params))?.error?.code;
}

describe.each(NUMBERS)('%i', (number) => {
  it.each([
    ['closient', -32200, -32200, undefined],
    ['onx', -32602, -32602, undefined],
    ['erlmcp', -32001, -32044, -32031],
    ['qaqnuz', -32602, -32602, undefined],
    ['platica', -32602, -32602, undefined],
  ] as const)(
    'CL-9 CL-18 EM-2 EM-24 ER-24 ER-44 PL-18 is none of %s',
    async (dialect, ofResource, ofPrompt, ofTool) => {
      expect(await codes(dialect, number, read)).toBe(ofResource);
      expect(await codes(dialect, number, get)).toBe(ofPrompt);
      expect(await codes(dialect, number, call)).toBe(ofTool);
    },
  );

  it.each([
    ['closient', -32200],
    ['onx', -32602],
    ['qaqnuz', -32602],
    ['platica', -32602],
  ] as const)('is none of %s with SDK v1', async (dialect, code) => {
    expect(await codesV1(dialect, number, read)).toBe(code);
    expect(await codesV1(dialect, number, get)).toBe(code);
  });

  it.each(['mayday', 'mcp@2025-11-25'] as const)('is the author’s in %s', async (dialect) => {
    expect(await codes(dialect, number, read)).toBe(number);
    expect(await codesV1(dialect, number, get)).toBe(number);
  });
});

it('is none of a dialect of somebody’s own, which has its codes', async () => {
  const ours: DialectObject = {
    id: 'ours',
    title: 'Ours',
    codes: [{ code: 70, name: 'any', kind: 'not_found', title: 'Any', written: true }],
    recognise: () => 0,
    read: () => undefined,
    write: (_fault, { id = null }) => ({ wire: { jsonrpc: '2.0', id, error: { code: 70, message: 'Any' } } }),
  };
  const server = guard(new McpServer({ name: 's', version: '1' }), {
    dialect: 'ours',
    language: language.with(ours),
  });
  server.registerResource('r', 'thing://9', {}, async () => {
    throw new ProtocolError(404, WORDS);
  });
  expect((await (await connectRaw(server)).ask(...read)).error?.code).toBe(70);
});
