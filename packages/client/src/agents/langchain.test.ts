import { ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool, StructuredTool, tool } from '@langchain/core/tools';
import { FaultError } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { resilientTools } from './langchain.ts';

const quick = { upstream: { random: () => 0 } };
const schema = z.object({ q: z.string() });

/** As `@langchain/mcp-adapters` throws it. */
class ToolException extends Error {
  override readonly name = 'ToolException';
}

function search(annotations: object | undefined, ...results: readonly (string | Error)[]) {
  const left = [...results];
  const made: unknown[] = [];
  const one = new DynamicStructuredTool({
    name: 'search',
    description: 'searches',
    schema,
    metadata: { annotations },
    func: async (input, _, config) => {
      made.push([input, config?.signal instanceof AbortSignal]);
      const next = left.shift();
      if (next instanceof Error) throw next;
      return next ?? 'found';
    },
  });
  const [wrapped] = resilientTools([one], quick) as [typeof one];
  return { made, one, wrapped };
}

const READS = { readOnlyHint: true };
const timedOut = new ToolException(
  `MCP tool 'search' on server 'shop' returned an error: The backend timed out`,
);

it('repeats a read and hands each attempt a signal', async () => {
  const { made, wrapped } = search(READS, timedOut, 'found');
  expect(await wrapped.invoke({ q: 'x' })).toBe('found');
  expect(made).toEqual([
    [{ q: 'x' }, true],
    [{ q: 'x' }, true],
  ]);
});

it('does not repeat a write, and tells the model what happened in the server’s words', async () => {
  const { made, wrapped } = search(undefined, timedOut, 'found');
  const thrown = await wrapped.invoke({ q: 'x' }).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(FaultError);
  expect(thrown).toMatchObject({ fault: { kind: 'timeout', message: 'The backend timed out' } });
  expect((thrown as Error).message).toMatch(/^The backend timed out\. /);
  expect(made).toHaveLength(1);
});

it.each([
  ['Error: Error POSTing to endpoint (HTTP 503): ', 'unavailable'],
  ['Error: Streamable HTTP error: Error POSTing to endpoint (HTTP 429): slow', 'rate_limited'],
  ['Error: Streamable HTTP error: Error POSTing to endpoint: Service Unavailable', 'unavailable'],
  [
    'Error: Streamable HTTP error: Error POSTing to endpoint: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Too many requests"}}',
    'rate_limited',
  ],
  ['Error: Streamable HTTP error: Error POSTing to endpoint: ', 'unknown'],
])('reads what is left of a response that failed: %s', async (sentence, kind) => {
  const failed = new ToolException(`Error calling tool search: ${sentence}`);
  const { made, wrapped } = search(undefined, failed, 'found');
  const thrown = await wrapped.invoke({ q: 'x' }).catch((reason: unknown) => reason);
  expect(thrown).toMatchObject({ fault: { kind, executed: 'maybe' } });
  expect(made).toHaveLength(1);
});

it('repeats a read whose response failed in passing', async () => {
  const failed = new ToolException(
    'Error calling tool search: Error: Error POSTing to endpoint (HTTP 503): down',
  );
  const { made, wrapped } = search(READS, failed, 'found');
  expect(await wrapped.invoke({ q: 'x' })).toBe('found');
  expect(made).toHaveLength(2);
});

it('reads what the adapter wraps in words of its own', async () => {
  const refused = new ToolException(
    'Error calling tool search: McpError: MCP error -32602: Unknown tool: search',
  );
  const { wrapped } = search(READS, refused);
  await expect(wrapped.invoke({ q: 'x' })).rejects.toMatchObject({ fault: { retryable: false } });
  await expect(wrapped.invoke({ q: 'x' })).resolves.toBe('found');
});

it('keeps Retry-After of an error that a tool of one’s own throws', async () => {
  const limited = Object.assign(new Error('Request failed with status code 429'), {
    response: { status: 429, headers: { 'retry-after': '90' } },
  });
  const { wrapped } = search(undefined, limited);
  await expect(wrapped.invoke({ q: 'x' })).rejects.toMatchObject({
    message:
      'Request failed with status code 429. Wait, then call again. It may have happened; check before you repeat a change. Wait at least 90 s.',
    fault: { retry: { afterMs: 90_000 } },
  });
});

describe('is the same tool otherwise', () => {
  it('to everything that looks at it', async () => {
    const { one, wrapped } = search(READS, 'found');
    expect(wrapped).toBeInstanceOf(DynamicStructuredTool);
    expect([wrapped.name, wrapped.description, wrapped.schema]).toEqual(['search', 'searches', schema]);
    expect(wrapped.metadata).toBe(one.metadata);
    await expect(wrapped.invoke({ q: 1 } as never)).rejects.toThrow(/schema/);
  });

  it('as a tool call of a model', async () => {
    const { wrapped } = search(READS, timedOut, 'found');
    const call = { type: 'tool_call' as const, id: 'c1', name: 'search', args: { q: 'x' } };
    expect(await wrapped.invoke(call)).toMatchObject({
      tool_call_id: 'c1',
      content: 'found',
      status: 'success',
    });
  });

  it('with content and an artifact', async () => {
    const both = tool(async () => ['text', { rows: 2 }], {
      name: 'both',
      schema,
      responseFormat: 'content_and_artifact',
    });
    const [wrapped] = resilientTools([both], quick);
    const call = { type: 'tool_call' as const, id: 'c1', name: 'both', args: { q: 'x' } };
    expect(await wrapped?.invoke(call)).toMatchObject({ content: 'text', artifact: { rows: 2 } });
  });

  it('for a class of one’s own', async () => {
    let calls = 0;
    class Own extends StructuredTool {
      name = 'own';
      description = 'own';
      schema = schema;
      protected async _call(): Promise<string> {
        calls += 1;
        if (calls === 1)
          throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
        return 'done';
      }
    }
    const [wrapped] = resilientTools([new Own()], { ...quick, tools: { own: { repeatable: true } } });
    expect(await wrapped?.invoke({ q: 'x' })).toBe('done');
    expect(calls).toBe(2);
  });

  it('and stops when its caller does', async () => {
    const hangs = tool(() => new Promise<string>(() => undefined), { name: 'hangs', schema });
    const [wrapped] = resilientTools([hangs], quick);
    const giveUp = new AbortController();
    const running = wrapped?.invoke({ q: 'x' }, { signal: giveUp.signal });
    setTimeout(() => giveUp.abort(), 10);
    await expect(running).rejects.toThrow();
  });
});

it('lets a graph stop and ask somebody: what it throws for that passes as it is, once', async () => {
  const interrupt = Object.assign(new Error('[]'), {
    is_bubble_up: true,
    interrupts: [{ value: 'Pay 100?' }],
  });
  const { made, wrapped } = search(READS, interrupt, 'found');
  expect(await wrapped.invoke({ q: 'x' }).catch((reason: unknown) => reason)).toBe(interrupt);
  expect(made).toHaveLength(1);
});

it.each([' ', '\n'])(
  'says once that a part was done, in words and in a block of its own: %j',
  async (between) => {
    const said = 'Payment booked as pay_991, but the receipt mail failed: 503';
    const advice = 'A part of it was done. Find out which; do not repeat the call.';
    const { made, wrapped } = search(
      READS,
      new ToolException(`MCP tool 'search' on server 'shop' returned an error: ${said}.${between}${advice}`),
      'paid twice',
    );
    await expect(wrapped.invoke({ q: 'x' })).rejects.toMatchObject({
      message: `${said}. ${advice}`,
      fault: { message: said, retryable: false },
    });
    expect(made).toHaveLength(1);
  },
);

it('says the advice once that a guarded server has given in a block of its own', async () => {
  const blocks = [
    'No room (503), please retry',
    'The service is down; back off, then try again. It may have happened; check before you repeat a change.',
  ];
  const { wrapped } = search(
    undefined,
    new ToolException(`MCP tool 'search' on server 'shop' returned an error: ${blocks.join('\n')}`),
  );
  await expect(wrapped.invoke({ q: 'x' })).rejects.toMatchObject({
    message: `No room (503), please retry. ${blocks[1]}`,
    fault: { kind: 'unavailable' },
  });
});

describe('a failure that may have happened is no exception to the agent of a model', () => {
  const call = { type: 'tool_call' as const, id: 'c1', name: 'search', args: { q: 'x' } };
  /** As `toolRetryMiddleware` and the retry policies of nodes do. */
  async function repeating(work: () => Promise<unknown>): Promise<unknown> {
    for (let left = 2; ; left -= 1) {
      try {
        return await work();
      } catch (thrown) {
        if (left === 0) throw thrown;
      }
    }
  }
  const lost = (): Error => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });

  it('so that nobody around the tool repeats it', async () => {
    const { made, wrapped } = search(undefined, timedOut, 'paid twice');
    const told = await repeating(() => wrapped.invoke(call));
    expect(made).toHaveLength(1);
    expect(told).toBeInstanceOf(ToolMessage);
    expect(told).toMatchObject({
      status: 'error',
      tool_call_id: 'c1',
      name: 'search',
      content:
        'The backend timed out. It may have happened; check before you repeat a change, otherwise try again.',
      artifact: { fault: { kind: 'timeout', executed: 'maybe' } },
    });
  });

  it('of a tool that gives content and an artifact as well', async () => {
    let calls = 0;
    const both = tool(
      async () => {
        calls += 1;
        throw lost();
      },
      { name: 'both', schema, responseFormat: 'content_and_artifact' },
    );
    const [wrapped] = resilientTools([both], quick);
    const told = await repeating(async () => wrapped?.invoke({ ...call, name: 'both' }));
    expect(told).toMatchObject({
      status: 'error',
      tool_call_id: 'c1',
      artifact: { fault: { executed: 'maybe' } },
    });
    expect(calls).toBe(1);
  });

  it('nor one that took longer than LangChain lets it: nobody has cancelled it', async () => {
    const hangs = tool(() => new Promise<string>(() => undefined), { name: 'hangs', schema });
    const [wrapped] = resilientTools([hangs], quick);
    expect(await wrapped?.invoke(call, { timeout: 50 })).toMatchObject({
      status: 'error',
      content: expect.stringMatching(
        /^No answer within \d+ ms: the deadline of the call has passed\. It may have happened; check before /,
      ),
    });
  });

  it('but one to a program, and to whoever cancels', async () => {
    const { wrapped } = search(undefined, lost());
    await expect(wrapped.invoke({ q: 'x' })).rejects.toMatchObject({ fault: { executed: 'maybe' } });
    const hangs = tool(() => new Promise<string>(() => undefined), { name: 'hangs', schema });
    const giveUp = new AbortController();
    const running = resilientTools([hangs], quick)[0]?.invoke(call, { signal: giveUp.signal });
    setTimeout(() => giveUp.abort(), 10);
    await expect(running).rejects.toMatchObject({ fault: { kind: 'cancelled' } });
  });

  it('and one where certainly nothing was executed', async () => {
    const hanging = ['slow', 'search'].map((name) =>
      tool(() => new Promise<string>(() => undefined), { name, schema }),
    );
    const [slow, wrapped] = resilientTools(hanging, {
      upstream: { concurrency: 1 },
      tools: { slow: { deadlineMs: 1000 }, search: { deadlineMs: 50 } },
    });
    void slow?.invoke(call);
    await expect(wrapped?.invoke(call)).rejects.toMatchObject({ fault: { executed: 'no' } });
  });
});
