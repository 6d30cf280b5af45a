/** What may have happened is told so to programs and to models, in the first answer under a key and in every repeat. */
import { fault, read } from '@mayday/core';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

type Dialect = 'closient' | 'erlmcp' | 'onx' | 'qaqnuz' | 'platica' | 'mayday' | 'mcp';
type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof connectRaw>>['ask']>>;

const CAUTION = 'It may have happened; check before you repeat a change.';

/** The first answer under a key, and the one to its repeat; only what is to pass on a tool that only reads is run for both. */
async function twice(
  dialect: Dialect,
  ended: () => unknown,
  { readOnlyHint = false, times = 1 } = {},
): Promise<readonly [Answer, Answer]> {
  let runs = 0;
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
  server.registerTool('book', { annotations: { readOnlyHint } }, async () => {
    runs += 1;
    return ended() as never;
  });
  const wire = await connectRaw(server as never);
  const clientInfo = { name: 'c', version: '1' };
  await wire.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const call = { name: 'book', arguments: {}, _meta: { 'dev.mayday/idempotency-key': 'k-1' } };
  const first = await wire.ask('tools/call', call);
  const repeat = await wire.ask('tools/call', call);
  expect(runs).toBe(times);
  return [first, repeat];
}

const problem = (code: number, error_code: string, title: string, status: number, retryable: boolean) => ({
  code,
  message: title,
  data: {
    type: `https://closient.com/docs/errors/${error_code}`,
    title,
    status,
    detail: title,
    error_code,
    retryable,
  },
});
const LIMIT = problem(-32003, 'rate_limited', 'Rate Limited', 429, true);
const WRONG = problem(-32101, 'validation_error', 'Validation Error', 400, false);
const FORBIDDEN = problem(-32002, 'forbidden', 'Forbidden', 403, false);
const BUSY = { code: 3001, message: 'Too many requests', retryable: true };
const TEXT = [{ type: 'text', text: 'Slow down' }];
const thrown = (error: Error) => (): never => {
  throw error;
};
const limited = thrown(fault.rateLimited('Slow down', { retry: { when: 'after_wait', afterMs: 1000 } }));

const ENDED: readonly (readonly [Dialect, string, () => unknown])[] = [
  ['closient', 'a limit, returned', () => ({ content: [], error: LIMIT })],
  ['closient', 'a limit, returned with words', () => ({ isError: true, content: TEXT, error: LIMIT })],
  ['closient', 'a refusal, returned with words', () => ({ isError: true, content: TEXT, error: WRONG })],
  ['closient', 'a missing right, returned with words', () => ({ content: TEXT, error: FORBIDDEN })],
  [
    'closient',
    'a limit whose author says that nothing was done',
    () => ({ content: TEXT, error: LIMIT, _meta: { 'dev.mayday/error': { happened: 'no' } } }),
  ],
  ['closient', 'a limit, thrown', thrown(new ProtocolError(LIMIT.code, LIMIT.message, LIMIT.data))],
  ['closient', 'a limit of v1, thrown', thrown(new McpError(LIMIT.code, LIMIT.message, LIMIT.data))],
  ['closient', 'a refusal, thrown', thrown(new ProtocolError(WRONG.code, WRONG.message, WRONG.data))],
  ['closient', 'a fault', limited],
  [
    'erlmcp',
    'a limit, thrown',
    thrown(new ProtocolError(-32010, 'Rate limit exceeded', { limit: 1, window: 1, retry_after: 1 })),
  ],
  ['erlmcp', 'a result', () => ({ isError: true, content: TEXT })],
  ['erlmcp', 'a fault', limited],
  ['onx', 'a limit, returned with words', () => ({ isError: true, content: TEXT, error: BUSY })],
  ['onx', 'a fault', limited],
  ['qaqnuz', 'a fault', limited],
  ['qaqnuz', 'a result', () => ({ isError: true, content: TEXT })],
  ['platica', 'a fault', limited],
  ['mayday', 'a result', () => ({ isError: true, content: [{ type: 'text', text: 'Rate limit exceeded' }] })],
  ['mcp', 'a result', () => ({ isError: true, content: [{ type: 'text', text: 'Rate limit exceeded' }] })],
];

it.each(ENDED)('CL-19 %s: %s may have happened, and so it says each time', async (dialect, _, ended) => {
  const told = (await twice(dialect, ended)).map((answer) => {
    const reading = read(answer, { from: dialect });
    return reading.failure ? reading.fault.executed : 'no failure';
  });
  expect(told).toEqual(['maybe', 'maybe']);
});

describe('CL-19 a limit of Closient’s', () => {
  const DOUBT = { 'dev.mayday/error': { happened: 'maybe' } };

  it.each(ENDED.filter(([dialect, name]) => dialect === 'closient' && name.startsWith('a limit')))(
    '%s, %s: has the member each time',
    async (dialect, _, ended) => {
      for (const { result } of await twice(dialect, ended)) {
        expect(result?.['error']).toMatchObject({ code: -32003 });
        expect(result?.['_meta']).toMatchObject(DOUBT);
      }
    },
  );
});

describe.each([
  ['closient', LIMIT, 2],
  ['closient', WRONG, 1],
  ['onx', BUSY, 2],
] as const)('CL-19 EM-20 a result in the form of %s', (dialect, error, times) => {
  it('keeps its words, with the advice as a block of its own, also for a repeat', async () => {
    for (const { result } of await twice(dialect, () => ({ isError: true, content: TEXT, error }))) {
      const advice = { type: 'text', text: expect.stringContaining(CAUTION) };
      expect(result?.['content']).toEqual([...TEXT, advice]);
    }
  });

  it('does not warn of a tool that only reads', async () => {
    const ended = () => ({ isError: true, content: TEXT, error });
    const [{ result }] = await twice(dialect, ended, { readOnlyHint: true, times });
    expect(JSON.stringify(result?.['content'])).not.toContain(CAUTION);
  });
});
