/** The official clients start `mayday wrap -- …` in place of a server and notice nothing but better failures. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../gateway/acceptance/support/http.ts';
import { behind, closeClients, connect, type Kind } from './support/clients.ts';
import { descendants, left, published, puppetCommand } from './support/plain-command.ts';

const KINDS: readonly Kind[] = ['SDK 1', 'SDK 2, 2026-07-28'];
const LEGACY: readonly Kind[] = ['SDK 1', 'SDK 2, 2025-11-25'];
const SDK_SERVER = fileURLToPath(new URL('../../gateway/acceptance/support/sdk-server.ts', import.meta.url));
const sdkServer = (version: 'v1' | 'v2'): string[] => [process.execPath, SDK_SERVER, version];
const folder = mkdtempSync(join(tmpdir(), 'mayday-stdio-'));
writeFileSync(join(folder, 'note.txt'), 'noted\r\n');
afterAll(async () => {
  await closeClients();
  rmSync(folder, { recursive: true });
});

const fault = (result: Message): Message => result['_meta']?.['dev.mayday/fault'] ?? {};

/** What a client learns from a server by reading. */
async function learned(client: Message, calls: readonly [string, object][]): Promise<unknown[]> {
  const found: unknown[] = [client['getServerVersion'](), client['getServerCapabilities']()];
  found.push(client['getInstructions']());
  found.push(await client['listTools']());
  for (const [name, args] of calls) found.push(await client['callTool']({ name, arguments: args }));
  return found;
}

const ALL: readonly [string, string[], [string, object][]][] = [
  ['filesystem', published('filesystem', folder), [['read_text_file', { path: join(folder, 'note.txt') }]]],
  [
    'everything',
    published('everything'),
    [
      ['echo', { message: 'hi' }],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-tiny-image', {}],
      ['get-annotated-message', { messageType: 'success', includeImage: true }],
    ],
  ],
];
const PAIRS = ALL.flatMap(([name, command, calls]) =>
  KINDS.filter((kind) => kind === 'SDK 1' || name === 'everything').map(
    (kind) => [name, kind, command, calls] as const,
  ),
);

describe('published servers answer as without us', () => {
  it.each(PAIRS)('%s to %s', async (_, kind, command, calls) => {
    const [direct, through] = await Promise.all([connect(kind, command), connect(kind, behind(command))]);
    expect(await learned(through.client, calls)).toEqual(await learned(direct.client, calls));
    expect(through.version).toBe(direct.version);
    expect(through.errors).toEqual([]);
  });
});

describe('resources and prompts', () => {
  it('of a server of SDK 1, to SDK 1', async () => {
    const kind = 'SDK 1';
    const command = sdkServer('v1');
    const both = await Promise.all([connect(kind, command), connect(kind, behind(command))]);
    const [direct, through] = await Promise.all(
      both.map(async ({ client }) => [
        await client.callTool({ name: 'book', arguments: { guest: { email: 'a@b.c' }, seats: 2 } }),
        await client.listResources(),
        await client.readResource({ uri: 'note://hello' }),
        await client.listPrompts(),
        await client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } }),
      ]),
    );
    expect(through).toEqual(direct);
    expect(both.flatMap(({ errors }) => errors)).toEqual([]);
  });
});

describe.each(KINDS)('%s', (kind) => {
  it('failures are faults', async () => {
    const { client } = await connect(kind, behind(sdkServer('v2')));
    const wrong = await client.callTool({ name: 'book', arguments: { seats: 99 } });
    expect(wrong.isError).toBe(true);
    expect(fault(wrong)).toMatchObject({ kind: 'invalid_arguments', retryable: false, origin: 'caller' });
    const unknown = await client
      .callTool({ name: 'no-such', arguments: {} })
      .catch((error: Message) => error);
    expect(fault(unknown)['kind'] ?? unknown.data?.kind).toBe('not_found');
    const broken = await client.readResource({ uri: 'note://broken' }).catch((error: Message) => error);
    expect(broken.data).toMatchObject({ retryable: expect.any(Boolean), kind: expect.any(String) });
    expect(JSON.stringify(broken)).not.toContain('hunter2');
  });

  it('a server that dies in a call is told, and is there again for the next', async () => {
    const { client } = await connect(kind, behind(puppetCommand()));
    await client.listTools();
    const died = await client.callTool({ name: 'pay', arguments: { script: [{ exit: 3 }] } });
    expect(fault(died)).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
    const next = await client.callTool({ name: 'pay', arguments: { text: 'again' } });
    expect(next.content).toEqual([{ type: 'text', text: 'pay: again' }]);
  });

  it('closing the client leaves no process behind', async () => {
    const { client, pid } = await connect(kind, behind(puppetCommand()));
    await client.listTools();
    const all = [pid, ...descendants(pid)];
    expect(all.length).toBeGreaterThan(1);
    client.callTool({ name: 'echo', arguments: { script: [{ hang: true }] } }).catch(() => undefined);
    await client.close();
    expect(await left(all)).toEqual([]);
  });
});

describe.each(LEGACY)('%s and the server speak both ways', (kind) => {
  const everything = behind(published('everything'));

  it('sampling and elicitation: the server asks the client', async () => {
    const asked: string[] = [];
    const { client } = await connect(kind, everything, (made) => answering(made, kind, asked), {
      sampling: {},
      elicitation: { form: {} },
      roots: { listChanged: true },
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }: Message) => name)).toContain('trigger-sampling-request');
    const sampled = await client.callTool({
      name: 'trigger-sampling-request',
      arguments: { prompt: 'say', maxTokens: 10 },
    });
    expect(JSON.stringify(sampled)).toContain('sampled words');
    const elicited = await client.callTool({ name: 'trigger-elicitation-request', arguments: {} });
    expect(JSON.stringify(elicited)).toContain('Ann Elicited');
    expect(asked).toEqual(expect.arrayContaining(['sampling/createMessage', 'elicitation/create']));
  });

  it('progress', async () => {
    const { client } = await connect(kind, everything);
    const seen: Message[] = [];
    const request = { name: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 4 } };
    const options = { onprogress: (progress: Message) => void seen.push(progress) };
    const result = await (kind === 'SDK 1'
      ? client.callTool(request, undefined, options)
      : client.callTool(request, options));
    expect(result.isError).not.toBe(true);
    // The official clients look at a notification after the answer that comes with it: the last may be too late for them.
    expect([
      [1, 2, 3],
      [1, 2, 3, 4],
    ]).toContainEqual(seen.map(({ progress }) => progress));
  });

  it('subscriptions and updates', async () => {
    const { client } = await connect(kind, behind(puppetCommand(SUBSCRIBABLE)));
    const updated = new Promise<Message>((resolve) =>
      on(client, kind, 'notifications/resources/updated', resolve),
    );
    await client.subscribeResource({ uri: 'test://one' });
    expect((await updated)['params']).toEqual({ uri: 'test://one' });
  });

  it('logging and list_changed', async () => {
    const { client } = await connect(kind, behind(puppetCommand(SUBSCRIBABLE)));
    const logged = new Promise<Message>((resolve) => on(client, kind, 'notifications/message', resolve));
    const changed = new Promise<Message>((resolve) =>
      on(client, kind, 'notifications/tools/list_changed', resolve),
    );
    await client.setLoggingLevel('debug');
    expect((await logged)['params']).toEqual({ level: 'info', data: { a: 1 } });
    await changed;
  });

  it('cancellation reaches the server', async () => {
    const ledger = join(folder, `cancel-${kind.length}`);
    const { client } = await connect(kind, behind(puppetCommand({ ledger })));
    const controller = new AbortController();
    const request = { name: 'echo', arguments: { script: [{ hang: true }] } };
    const options = { signal: controller.signal };
    const call =
      kind === 'SDK 1' ? client.callTool(request, undefined, options) : client.callTool(request, options);
    setTimeout(() => controller.abort('enough'), 200);
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(ledgerOf(ledger)).toContain('note:notifications/cancelled'), {
      timeout: 4000,
    });
    expect((await client.callTool({ name: 'echo', arguments: { text: 'on' } })).content[0].text).toBe(
      'echo: on',
    );
  });
});

const SUBSCRIBABLE = {
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
  on: {
    'resources/subscribe': [
      { answer: { result: {} } },
      { events: [{ method: 'notifications/resources/updated', params: { uri: 'test://one' } }] },
    ],
    'logging/setLevel': [
      { answer: { result: {} } },
      {
        events: [
          { method: 'notifications/message', params: { level: 'info', data: { a: 1 } } },
          { method: 'notifications/tools/list_changed' },
        ],
      },
    ],
  },
};

function ledgerOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const SCHEMAS: Record<string, Message> = {
  'notifications/resources/updated': ResourceUpdatedNotificationSchema,
  'notifications/message': LoggingMessageNotificationSchema,
  'notifications/tools/list_changed': ToolListChangedNotificationSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
  'elicitation/create': ElicitRequestSchema,
};

function on(client: Message, kind: Kind, method: string, handler: (message: Message) => void): void {
  client['setNotificationHandler'](kind === 'SDK 1' ? SCHEMAS[method] : method, handler);
}

function answering(client: Message, kind: Kind, asked: string[]): void {
  const answers = {
    'sampling/createMessage': {
      model: 'none',
      role: 'assistant',
      content: { type: 'text', text: 'sampled words' },
    },
    'elicitation/create': { action: 'accept', content: { name: 'Ann Elicited', check: true } },
  };
  for (const [method, answer] of Object.entries(answers)) {
    client['setRequestHandler'](kind === 'SDK 1' ? SCHEMAS[method] : method, async () => {
      asked.push(method);
      return answer;
    });
  }
}
