import { createMCPClient } from '@ai-sdk/mcp';
import { FaultError } from '@mayday/core';
import { generateText, jsonSchema, stepCountIs, type ToolSet, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { answer, fail, type Script, scriptedHttp, succeed } from '../../test/scripted-http.ts';
import { mendFetch } from '../http/mend-fetch.ts';
import { resilientTools } from './ai-sdk.ts';

const quick = { upstream: { random: () => 0 }, tools: { search: { repeatable: true } } };
const inputSchema = jsonSchema<{ q: string }>({ type: 'object', properties: { q: { type: 'string' } } });
const failing = { isError: true, content: [{ type: 'text', text: 'Service temporarily unavailable' }] };
const fine = { content: [{ type: 'text', text: 'found' }] };
const call = { toolCallId: '1', messages: [], context: undefined };

function search(...results: readonly unknown[]) {
  const left = [...results];
  const made: unknown[] = [];
  const execute = async (input: unknown): Promise<unknown> => {
    made.push(input);
    return left.shift();
  };
  const tools = { search: tool({ inputSchema, execute }) };
  return { made, tools };
}

it('retries a tool of an MCP server and returns its result', async () => {
  const { made, tools } = search(failing, fine);
  const { search: wrapped } = resilientTools(tools, quick);
  expect(await wrapped.execute?.({ q: 'x' }, call as never)).toEqual(fine);
  expect(made).toEqual([{ q: 'x' }, { q: 'x' }]);
});

it('throws a fault with the text for the model', async () => {
  const { tools } = search({ isError: true, content: [{ type: 'text', text: 'Permission denied' }] });
  const thrown = resilientTools(tools, quick).search.execute?.({ q: 'x' }, call as never);
  await expect(thrown).rejects.toBeInstanceOf(FaultError);
  await expect(thrown).rejects.toThrow(
    'Permission denied. Ask for access; do not repeat the call without it.',
  );
});

describe('a tool that tells as it goes', () => {
  type Telling = AsyncIterable<unknown>;
  const tellingOf = (execute: unknown, options = {}) =>
    resilientTools({ search: tool({ inputSchema, execute } as never) } as ToolSet, options)[
      'search'
    ] as never as {
      execute(input: unknown, given: object): Telling | Promise<unknown>;
    };
  async function all(told: Telling): Promise<unknown[]> {
    const pieces: unknown[] = [];
    for await (const piece of told) pieces.push(piece);
    return pieces;
  }

  it('does so at once, for the SDK looks at what it is given and not at what that becomes', async () => {
    const telling = tellingOf(async function* () {
      yield 'a';
      yield 'b';
    });
    const told = telling.execute({}, call) as Telling;
    expect(Symbol.asyncIterator in told).toBe(true);
    expect(await all(told)).toEqual(['a', 'b']);
  });

  it('fails with the text for the model, after what it has told', async () => {
    let times = 0;
    const telling = tellingOf(async function* () {
      times += 1;
      yield 'a';
      throw Object.assign(new Error('x'), { status: 503 });
    });
    const pieces: unknown[] = [];
    const reading = async (): Promise<void> => {
      for await (const piece of telling.execute({}, call) as Telling) pieces.push(piece);
    };
    await expect(reading()).rejects.toMatchObject({ fault: { kind: 'unavailable', executed: 'maybe' } });
    expect([pieces, times]).toEqual([['a'], 1]);
  });

  it('hears that nobody listens any more, and that its time is up', async () => {
    const heard: boolean[] = [];
    async function* execute(_: unknown, { abortSignal }: { abortSignal: AbortSignal }) {
      yield 'a';
      await new Promise<void>((resolve) => abortSignal.addEventListener('abort', () => resolve()));
      heard.push(abortSignal.aborted);
    }
    for await (const piece of tellingOf(execute).execute({}, call) as Telling) {
      expect(piece).toBe('a');
      break;
    }
    await expect(
      all(tellingOf(execute, { deadlineMs: 20 }).execute({}, call) as Telling),
    ).rejects.toMatchObject({
      fault: { kind: 'timeout' },
    });
    expect(heard).toEqual([true, true]);
  });

  it('is read to its end where only its last word can be given', async () => {
    async function* work() {
      yield 'a';
      yield 'b';
    }
    expect(await tellingOf(() => work()).execute({}, call)).toBe('b');
  });
});

it('leaves tools alone that are executed elsewhere', () => {
  const ask = tool({ inputSchema });
  const tools = { ask } as unknown as ToolSet;
  expect(resilientTools(tools, quick)['ask']).toBe(ask);
});

it('works inside generateText', async () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const steps = [
    {
      content: [{ type: 'tool-call' as const, toolCallId: '1', toolName: 'search', input: '{"q":"x"}' }],
      finishReason: { unified: 'tool-calls' as const, raw: undefined },
      usage,
      warnings: [],
    },
    {
      content: [{ type: 'text' as const, text: 'done' }],
      finishReason: { unified: 'stop' as const, raw: undefined },
      usage,
      warnings: [],
    },
  ];
  const model = new MockLanguageModelV4({ doGenerate: async () => steps.shift() as never });
  const { made, tools } = search(failing, fine);
  const { text } = await generateText({
    model,
    tools: resilientTools(tools, quick),
    prompt: 'go',
    stopWhen: stepCountIs(2),
  });
  expect([text, made.length]).toEqual(['done', 2]);
});

describe('with the SDK’s own MCP client', () => {
  /** Calls a tool of a scripted server; what came out, and how often it was called. */
  async function use(script: Script, name: string, options: object = {}, session?: () => string) {
    await using server = await scriptedHttp(script, session);
    const { fetch, ...rest } = options as { fetch?: typeof globalThis.fetch };
    const transport = { type: 'http' as const, url: server.url, ...(fetch === undefined ? {} : { fetch }) };
    const mcp = await createMCPClient({ transport });
    const tools = resilientTools((await mcp.tools()) as unknown as ToolSet, {
      upstream: { random: () => 0 },
      ...rest,
    });
    const outcome = await Promise.resolve(tools[name]?.execute?.({}, call as never)).then(
      (value: unknown) => ({ value }),
      (thrown: FaultError) => ({ fault: thrown.fault, message: thrown.message }),
    );
    await mcp.close();
    return { ...outcome, calls: server.calls(name) };
  }

  const flaky: Script = (heard, response, count) => {
    if (count === 1) fail(heard, response, 'The backend timed out');
    else succeed(heard, response);
  };

  it('believes `readOnlyHint`: a read is repeated, a write is not', async () => {
    expect(await use(flaky, 'read')).toMatchObject({ value: { content: [{ text: 'done' }] }, calls: 2 });
    expect(await use(flaky, 'write')).toMatchObject({ fault: { kind: 'timeout' }, calls: 1 });
  });

  it('does not believe it if it is told not to', async () => {
    expect(await use(flaky, 'read', { trustAnnotations: false })).toMatchObject({ calls: 1 });
  });

  it('tells an expired session from something that does not exist', async () => {
    const gone: Script = (_, response) => answer(response, 'Session not found', 404);
    const { fault, message } = (await use(gone, 'read', {}, () => 's1')) as {
      fault: object;
      message: string;
    };
    expect(fault).toMatchObject({ kind: 'expired', executed: 'maybe', subject: { type: 'session' } });
    expect(message).not.toContain('identifier');
  });

  const busy: Script = (heard, response, count) => {
    if (count === 1) answer(response, '', 429, { 'retry-after': '0' });
    else succeed(heard, response);
  };

  it('takes a 429 of the door for proof, as the client does: a write is repeated', async () => {
    expect(await use(busy, 'write', { fetch: mendFetch() })).toMatchObject({
      value: { content: [{ text: 'done' }] },
      calls: 2,
    });
  });

  it('knows the tools of version 1 of the SDK’s client for requests, too', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const sent = async (metadata: object, more: object): Promise<number> => {
      let made = 0;
      const execute = async () => {
        if (++made === 1) throw refused;
        return 'paid';
      };
      const tools = resilientTools({ pay: { execute, metadata, ...more } } as never, quick) as ToolSet;
      await Promise.resolve(tools['pay']?.execute?.({}, call as never)).catch(() => undefined);
      return made;
    };
    expect(await sent({ clientName: 'ai-sdk-mcp-client' }, { _meta: undefined })).toBe(2);
    expect(await sent({ clientName: 'my own' }, {})).toBe(1);
    refused.message = 'Failed after 3 attempts. Last error: connect ECONNREFUSED'; // the client has repeated it by itself: who knows what the others did
    expect(await sent({ clientName: 'ai-sdk-mcp-client' }, { _meta: undefined })).toBe(1);
  });

  it('keeps Retry-After with our fetch', async () => {
    const limited: Script = (_, response) => answer(response, 'later', 429, { 'retry-after': '120' });
    const { fault, message } = (await use(limited, 'read', { fetch: mendFetch() })) as {
      fault: object;
      message: string;
    };
    expect(fault).toMatchObject({ kind: 'rate_limited', retry: { afterMs: 120_000 } });
    expect(message).toContain('120 s');
  });
});

it('keeps Retry-After of an error that a tool of one’s own throws, and says the advice once', async () => {
  const thrown = Object.assign(new Error('Request failed with status code 429'), {
    response: { status: 429, headers: { 'retry-after': '90' } },
  });
  const tools = {
    own: tool({
      inputSchema,
      execute: async (): Promise<string> => {
        throw thrown;
      },
    }),
  };
  const error = await Promise.resolve(
    resilientTools(tools, { attempts: 1 }).own.execute?.({ q: 'x' }, call as never),
  ).catch((reason: unknown) => reason as FaultError);
  expect(error).toMatchObject({
    message:
      'Request failed with status code 429. Wait, then call again. It may have happened; check before you repeat a change. Wait at least 90 s.',
    fault: { message: 'Request failed with status code 429', retry: { afterMs: 90_000 } },
  });
});

it('refuses options that nobody reads', () => {
  expect(() => resilientTools({}, { retry: 3 } as never)).toThrow(
    new TypeError('Unknown option `retry` of resilient tools; did you mean `retryIf`?'),
  );
});
