/** Servers that others wrote, over standard input and output, with the official clients of both generations. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPILE_CACHE } from '../../../../test/compile-cache.ts';
import type { Gateway, UpstreamFile } from '../../src/index.ts';
import { cleanUp, later, open } from '../tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-'));
writeFileSync(join(folder, 'note.txt'), 'hello');

function node(module: string, ...args: string[]): UpstreamFile {
  return { command: process.execPath, args: [fileURLToPath(module), ...args], env: COMPILE_CACHE };
}

const SERVERS: { readonly [name: string]: UpstreamFile } = {
  everything: node(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'),
  filesystem: node(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), folder),
  memory: {
    ...node(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js')),
    env: { ...COMPILE_CACHE, MEMORY_FILE_PATH: join(folder, 'memory.json') },
  },
  thinking: node(import.meta.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js')),
  hello: node(import.meta.resolve('mcp-hello-world/build/stdio.js')),
};

/** A call that works, and one that fails, for each of them. */
const CALLS: readonly {
  readonly server: string;
  readonly works: { readonly name: string; readonly arguments: { readonly [name: string]: unknown } };
  readonly says: string;
  readonly fails: { readonly name: string; readonly arguments: { readonly [name: string]: unknown } };
  readonly kind: string;
}[] = [
  {
    server: 'everything',
    works: { name: 'echo', arguments: { message: 'mayday' } },
    says: 'mayday',
    fails: { name: 'echo', arguments: {} },
    kind: 'invalid_arguments',
  },
  {
    server: 'filesystem',
    works: { name: 'read_text_file', arguments: { path: join(folder, 'note.txt') } },
    says: 'hello',
    fails: { name: 'read_text_file', arguments: { path: '/etc/shadow' } },
    kind: 'forbidden',
  },
  {
    server: 'memory',
    works: { name: 'read_graph', arguments: {} },
    says: 'entities',
    fails: { name: 'create_entities', arguments: { entities: 'many' } },
    kind: 'invalid_arguments',
  },
  {
    server: 'thinking',
    works: {
      name: 'sequentialthinking',
      arguments: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    },
    says: 'thoughtNumber',
    fails: { name: 'sequentialthinking', arguments: { thought: 1 } },
    kind: 'invalid_arguments',
  },
  {
    server: 'hello',
    works: { name: 'echo', arguments: { message: 'mayday' } },
    says: 'mayday',
    fails: { name: 'no_such_tool', arguments: {} },
    kind: 'not_found',
  },
];

interface Result {
  readonly content?: readonly { readonly text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: { readonly [key: string]: unknown };
}

interface Connected {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: { [name: string]: unknown } }): Promise<Result>;
  close(): Promise<void>;
}

async function connect(generation: string, url: string): Promise<Connected> {
  const info = { name: 'test', version: '1' };
  if (generation === 'v1') {
    const client = new ClientV1(info);
    await client.connect(new TransportV1(new URL(url)) as Transport);
    return client as unknown as Connected;
  }
  const client = new ClientV2(info, {
    versionNegotiation: { mode: generation === 'v2 auto' ? 'auto' : 'legacy' },
  });
  await client.connect(new TransportV2(new URL(url)));
  return client as unknown as Connected;
}

/** A failure as the fault it carries, whichever way the client gives it to its caller. */
async function faultOf(calling: Promise<Result>): Promise<{ readonly kind?: unknown }> {
  const outcome = await calling.then(
    (result) => result._meta?.['dev.mayday/fault'],
    (error: { data?: unknown }) => error.data,
  );
  return (outcome ?? {}) as { kind?: unknown };
}

let gateway: Gateway;
beforeAll(async () => {
  gateway = await open({ upstreams: SERVERS });
});
afterAll(cleanUp);

const GENERATIONS = ['v1', 'v2', 'v2 auto'];
const CASES = CALLS.flatMap((row) => GENERATIONS.map((generation) => ({ ...row, generation })));

it.each(CASES)('$server works with $generation, and fails in one language', async (row) => {
  const client = await connect(row.generation, `${gateway.url}/${row.server}/mcp`);
  later(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain(row.works.name);
  const result = await client.callTool(row.works);
  expect(result.isError ?? false).toBe(false);
  expect(JSON.stringify(result.content)).toContain(row.says);
  expect(await faultOf(client.callTool(row.fails))).toMatchObject({ kind: row.kind });
});

it.each(GENERATIONS)('all of them work joined with %s', async (generation) => {
  const client = await connect(generation, `${gateway.url}/mcp`);
  later(() => client.close());
  const { tools } = await client.listTools();
  for (const { server, works, says, fails, kind } of CALLS) {
    expect(tools.map(({ name }) => name)).toContain(`${server}_${works.name}`);
    const result = await client.callTool({ ...works, name: `${server}_${works.name}` });
    expect(JSON.stringify(result.content)).toContain(says);
    expect(await faultOf(client.callTool({ ...fails, name: `${server}_${fails.name}` }))).toMatchObject({
      kind,
    });
  }
});
