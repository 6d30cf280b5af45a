/** The client of the Vercel AI SDK hands on a JSON-RPC error without the status that it stood under. */
import { createMCPClient } from '@ai-sdk/mcp';
import type { ToolSet } from 'ai';
import { expect, it } from 'vitest';
import { BUSY } from '../../test/declared.ts';
import { answer, scriptedHttp, succeed } from '../../test/scripted-http.ts';
import { mendFetch } from '../http/mend-fetch.ts';
import { resilientTools } from './ai-sdk.ts';

interface Said {
  readonly status: number;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What a write is told by a server that says this to its first call, and how often it was made. */
async function told({ status, error }: Said, fetch: typeof globalThis.fetch | undefined) {
  await using server = await scriptedHttp((heard, response, count) => {
    if (count > 1) succeed(heard, response);
    else answer(response, { jsonrpc: '2.0', id: heard.id, error }, status);
  });
  const mcp = await createMCPClient({
    transport: { type: 'http', url: server.url, ...(fetch === undefined ? {} : { fetch }) },
  });
  const tools = resilientTools((await mcp.tools()) as ToolSet, { upstream: { random: () => 0 } });
  const options = { toolCallId: '1', messages: [], context: {} } as never;
  const thrown = await Promise.resolve(tools['write']?.execute?.({}, options)).catch((met: unknown) => met);
  await mcp.close();
  return { thrown, calls: server.calls('write') };
}

const REFUSALS = [
  { code: -32700, message: 'Parse error' },
  { code: -32600, message: 'Invalid Request' },
  { code: -32601, message: 'Method not found' },
  { code: -32001, message: 'Session not found' },
  { code: -32000, message: 'Bad Request: Server not initialized' },
];

it.each([410, 422, 500, 503].flatMap((status) => REFUSALS.map((error) => [status, error] as const)))(
  'a status that proves nothing proves nothing around an error of the protocol: %i %o',
  async (status, error) => {
    for (const fetch of [undefined, mendFetch()]) {
      const { thrown, calls } = await told({ status, error }, fetch);
      expect(thrown).toMatchObject({ fault: { executed: 'maybe' } });
      expect(calls).toBe(1);
    }
  },
);

it('so none does where the status is not known, whatever it was', async () => {
  const { thrown } = await told(
    { status: 200, error: { code: -32601, message: 'Method not found' } },
    undefined,
  );
  expect(thrown).toMatchObject({ fault: { kind: 'unsupported', executed: 'maybe' } });
});

it('what a server declares counts under any status', async () => {
  const error = { code: -32000, message: 'busy', data: BUSY };
  const { thrown, calls } = await told({ status: 200, error }, undefined);
  expect({ thrown, calls }).toMatchObject({ thrown: { content: [{ text: 'done' }] }, calls: 2 });
});

it('our fetch sees the status: what refuses there does', async () => {
  const said = { status: 400, error: { code: -32601, message: 'Method not found' } };
  expect((await told(said, mendFetch())).thrown).toMatchObject({ fault: { executed: 'no' } });
});

it('a refusal of the arguments is one, unless our fetch has seen another status around it', async () => {
  const error = { code: -32602, message: 'Invalid arguments for tool write: amount is required' };
  const executedAt = async (status: number, fetch?: typeof globalThis.fetch): Promise<unknown> =>
    ((await told({ status, error }, fetch)).thrown as { readonly fault: { readonly executed: string } }).fault
      .executed;
  expect(await executedAt(200)).toBe('no');
  expect(await executedAt(200, mendFetch())).toBe('no');
  expect(await executedAt(503, mendFetch())).toBe('maybe');
});
