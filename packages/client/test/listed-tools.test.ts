/** A tool that its server lists is there: "Unknown tool" to a call of it is how it failed. */
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { describe, expect, it } from 'vitest';
import { resilientTools } from '../src/agents/ai-sdk.ts';
import { mendFetch } from '../src/index.ts';
import { FLAVOURS, plainHttp, plainHttpV1 } from './flavours.ts';
import { answer, type Heard, type Script, scriptedHttp } from './scripted-http.ts';

const inputSchema = { type: 'object' };
const PAY = { name: 'pay', inputSchema };
const MAIL = { name: 'mail', inputSchema };

const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

/** `mail` says that the tools are others, `pay` that it is not there. */
const failing =
  (message: string, code = -32602, status = 200): Script =>
  (heard, response) => {
    if (heard.params?.name === 'mail') return changes(heard, response);
    answer(response, { jsonrpc: '2.0', id: heard.id, error: { code, message } }, status);
  };

function changes(heard: Heard, response: ServerResponse): void {
  const done = { jsonrpc: '2.0', id: heard.id, result: { content: [] } };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end([CHANGED, done].map((said) => `data: ${JSON.stringify(said)}\n\n`).join(''));
}

const failed = (executed: string) => ({ ok: false, attempts: 1, fault: { executed } });

describe.each(FLAVOURS)('$name', ({ name, http, stdio }) => {
  /** What is known of a payment, after whatever is done first. */
  async function paid(
    script: Script,
    tools: Parameters<typeof scriptedHttp>[2],
    first: (client: ReturnType<typeof http>) => Promise<unknown>,
    make = http,
  ) {
    await using server = await scriptedHttp(script, undefined, tools);
    const client = make(server.url);
    await client.connect();
    await first(client);
    const outcome = await client.call({ name: 'pay' });
    await client.close();
    return outcome;
  }

  it.each([
    ['Unknown tool: pay', -32602, 200],
    ['Tool pay not found', -32602, 200],
    ['MCP error -32602: Tool pay not found', -32602, 200],
    ['Tool not found: pay', -32601, 200],
    ['Tool pay not found', -32602, 400],
    ['Unknown tool: pay', -32602, 404],
    ['Unknown tool: pay', -32602, 403],
  ])('%s (%i, HTTP %i)', async (message, code, status) => {
    const script = failing(message, code, status);
    expect(await paid(script, [PAY, MAIL], (client) => client.listTools())).toMatchObject(failed('maybe'));
    expect(await paid(script, [MAIL], (client) => client.listTools())).toMatchObject(failed('no'));
    expect(await paid(script, [PAY], async () => undefined)).toMatchObject(failed('no'));
  });

  it('over the SDK’s own transport', async () => {
    const make = (name === 'SDK v1' ? plainHttpV1 : plainHttp) as typeof http;
    const list = (client: ReturnType<typeof http>) => client.listTools();
    expect(await paid(failing('Unknown tool: pay'), [PAY], list, make)).toMatchObject(failed('maybe'));
    expect(await paid(failing('Unknown tool: pay'), [MAIL], list, make)).toMatchObject(failed('no'));
  });

  it('over stdio', async () => {
    const client = stdio([fileURLToPath(new URL('./scripted-stdio.ts', import.meta.url)), 'unknown-tool']);
    await client.connect();
    expect(await client.call({ name: 'read' })).toMatchObject(failed('no'));
    await client.listTools();
    expect(await client.call({ name: 'read' })).toMatchObject(failed('maybe'));
    await client.close();
  });

  it('on whatever page of the list', async () => {
    const pages = (cursor: string | undefined) =>
      cursor === undefined ? { tools: [MAIL], nextCursor: '2' } : { tools: [PAY] };
    const both = async (client: ReturnType<typeof http>) => {
      await client.listTools();
      await client.listTools({ cursor: '2' });
    };
    expect(await paid(failing('Unknown tool: pay'), pages, both)).toMatchObject(failed('maybe'));
  });

  it('until the tools have changed, and are listed without it', async () => {
    const tools = [PAY, MAIL];
    const changed = async (client: ReturnType<typeof http>) => {
      await client.listTools();
      await client.call({ name: 'mail' });
    };
    const script = failing('Unknown tool: pay');
    expect(await paid(script, tools, changed)).toMatchObject(failed('maybe'));
    const gone = async (client: ReturnType<typeof http>) => {
      await changed(client);
      tools.shift();
      await client.listTools();
    };
    expect(await paid(script, tools, gone)).toMatchObject(failed('no'));
  });

  it('is refused as before for its arguments', async () => {
    const script = failing('Invalid arguments for tool pay: amount is required');
    expect(await paid(script, [PAY], (client) => client.listTools())).toMatchObject(failed('no'));
  });
});

it.each([
  ['Unknown tool: pay', 200, 'maybe'],
  ['Unknown tool: pay', 404, 'maybe'],
  ['Invalid arguments for tool pay: amount is required', 200, 'no'],
])('a tool that an agent was given was listed: %s, HTTP %i', async (message, status, executed) => {
  await using server = await scriptedHttp(failing(message, -32602, status), undefined, [PAY]);
  const client = await createMCPClient({ transport: { type: 'http', url: server.url, fetch: mendFetch() } });
  const tools = resilientTools(await client.tools());
  await expect(tools['pay']?.execute?.({}, { toolCallId: '1', messages: [] } as never)).rejects.toMatchObject(
    {
      fault: { executed },
    },
  );
  await client.close();
});
