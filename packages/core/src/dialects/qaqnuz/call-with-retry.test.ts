import { afterEach, describe, expect, it, vi } from 'vitest';
import { read } from '../../index.ts';
import { type CallWithRetryOptions, callWithRetry, type ToolResult } from './call-with-retry.ts';

const LIMITED = 'Rate limit exceeded. Please wait before sending more requests.';
const done: ToolResult = { content: [{ type: 'text', text: '{}' }], isError: false };

function failed(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Answers in turn, and notes what the client does. */
async function run(results: ToolResult[], options: Partial<CallWithRetryOptions> = {}) {
  const waits: number[] = [];
  let calls = 0;
  const client = { callTool: async () => results[calls++] };
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const outcome = await callWithRetry(
    client,
    'find',
    { a: 1 },
    { sleep, random: () => 0.5, ...options },
  ).catch((error: Error) => error.message);
  return { outcome, waits, calls };
}

describe('the client of the document', () => {
  it('QA-24 returns at once what is no error', async () => {
    expect(await run([done])).toEqual({ outcome: done, waits: [], calls: 1 });
    const bare: ToolResult = { content: [] };
    expect((await run([bare])).outcome).toBe(bare);
  });

  it('QA-25 QA-28 takes missing content for an empty text', async () => {
    for (const failing of [
      { content: [], isError: true },
      { isError: true },
      { content: [null], isError: true },
    ])
      expect(await run([failing as unknown as ToolResult])).toEqual({
        outcome: 'call_tool find failed: ',
        waits: [],
        calls: 1,
      });
  });

  it('QA-26 QA-29 waits one second, then two, and gives up after three attempts', async () => {
    const { outcome, waits, calls } = await run([
      failed(LIMITED),
      failed('RATE LIMIT'),
      failed(LIMITED),
      done,
    ]);
    expect(outcome).toBe(`call_tool find failed: ${LIMITED}`);
    expect([waits, calls]).toEqual([[1000, 2000], 3]);
    expect((await run([failed(LIMITED), done])).outcome).toBe(done);
    expect((await run([failed(LIMITED), done], { maxAttempts: 1 })).calls).toBe(1);
  });

  it.each([
    'Unauthorized',
    'issue_refund requires approval (request apr_1)',
    'Invalid arguments. a: required',
    'x',
  ])('QA-23 QA-27 QA-28 stops at %j', async (text) => {
    expect(await run([failed(text), done])).toEqual({
      outcome: `call_tool find failed: ${text}`,
      waits: [],
      calls: 1,
    });
  });

  it('QA-18 QA-21 QA-32 follows the hint when it can see one, whatever the words are', async () => {
    const envelope = {
      error_class: 'dependency',
      sanitized_error: 'zq 17',
      retry_hint: { retry_after_ms: 500, max_attempts: 5, backoff: 'exponential', jitter: 0 },
    };
    const hintFor = () => {
      const reading = read(envelope);
      return reading.failure ? reading.fault.retry : undefined;
    };
    const results = [failed('zq 17'), failed('zq 17'), failed('zq 17'), done];
    expect(await run(results, { hintFor })).toMatchObject({ waits: [500, 1000], calls: 3 });
    expect((await run(results, { hintFor, maxAttempts: 4 })).outcome).toBe(done);
    const once = () => ({ afterMs: 500, maxAttempts: 1, jitter: 0 });
    expect(await run(results, { hintFor: once, maxAttempts: 9 })).toMatchObject({ waits: [500], calls: 2 });
    const spread = () => ({ afterMs: 1000, jitter: 0.2 });
    const hinted = { hintFor: spread, maxAttempts: 2 };
    expect(await run(results, { ...hinted, random: () => 0 })).toMatchObject({ waits: [800] });
    expect(await run(results, { ...hinted, random: undefined })).toMatchObject({ waits: [1000] });
  });

  it('QA-17 QA-18 takes the hint as the document spells it', async () => {
    const hint = { retry_after_ms: 60_000, max_attempts: 1, backoff: 'fixed', jitter: 0 };
    const results = [failed('zq 17'), failed('zq 17'), done];
    expect(await run(results, { hintFor: () => hint })).toMatchObject({ waits: [60_000], calls: 2 });
  });

  it('QA-18 a wait of more than a day is the end, and is told', async () => {
    const results = [failed('Rate limit'), done];
    for (const hint of [
      { afterMs: 3e9, jitter: 0 },
      { retry_after_ms: 3e9, max_attempts: 5, jitter: 0 },
    ])
      expect(await run(results, { hintFor: () => hint })).toEqual({
        outcome: 'call_tool find failed: Rate limit (told to wait 35 days)',
        waits: [],
        calls: 1,
      });
  });

  it.each([
    {},
    { afterMs: Number.NaN },
    { afterMs: -5 },
    { afterMs: Number.POSITIVE_INFINITY },
    { backoff: 'fixed' },
  ])('QA-18 a hint without a wait is none: %j', async (hint) => {
    const hintFor = () => hint as object;
    expect(await run([failed('zq 17'), done], { hintFor })).toMatchObject({ waits: [], calls: 1 });
    expect(await run([failed(LIMITED), done], { hintFor })).toMatchObject({ waits: [1000], calls: 2 });
  });
});

describe("the document's signature: (client, name, args, maxAttempts = 3)", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A client that always meets the limit, and when it was called, in milliseconds. */
  function limited() {
    vi.useFakeTimers({ now: 0 });
    const calls: number[] = [];
    const callTool = async () => {
      calls.push(Date.now());
      return failed(LIMITED);
    };
    return { calls, client: { callTool } };
  }

  it('QA-29 three attempts, one second and two apart, without any option', async () => {
    const { calls, client } = limited();
    const ended = expect(callWithRetry(client, 'find', {})).rejects.toThrow(
      `call_tool find failed: ${LIMITED}`,
    );
    await vi.runAllTimersAsync();
    await ended;
    expect(calls).toEqual([0, 1000, 3000]);
  });

  it('QA-29 as many attempts as the fourth argument says', async () => {
    const { calls, client } = limited();
    const ended = expect(callWithRetry(client, 'find', {}, 5)).rejects.toThrow('call_tool find failed');
    await vi.runAllTimersAsync();
    await ended;
    expect(calls).toEqual([0, 1000, 3000, 6000, 10_000]);
  });

  it('QA-24 what is no error comes back', async () => {
    expect(await callWithRetry({ callTool: async () => done }, 'find', {}, undefined)).toBe(done);
  });
});
