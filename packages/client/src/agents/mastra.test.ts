import { FaultError } from '@mayday/core';
import { expect, it } from 'vitest';
import { resilientTools } from './mastra.ts';

const quick = { upstream: { random: () => 0 } };

/** As Mastra has it: a class, `execute(input, context)`, and what MCP servers say under `mcp`. */
class Tool {
  readonly id: string;
  readonly description = 'does something';
  readonly mcp: object | undefined;
  execute: (input: unknown, context?: { abortSignal?: AbortSignal; runId?: string }) => Promise<unknown>;
  constructor(id: string, execute: Tool['execute'], mcp?: object) {
    this.id = id;
    this.execute = execute;
    this.mcp = mcp;
  }
}

function scripted(mcp: object | undefined, ...results: readonly unknown[]) {
  const left = [...results];
  const made: unknown[] = [];
  const execute: Tool['execute'] = async (input, context) => {
    made.push([input, context?.runId, context?.abortSignal instanceof AbortSignal]);
    const next = left.shift();
    if (next instanceof Error) throw next;
    return next;
  };
  return { made, tools: { search: new Tool('search', execute, mcp) } };
}

const failing = { isError: true, content: [{ type: 'text', text: 'The backend timed out' }] };

it('repeats a read, with the context that Mastra gives and a signal of our own', async () => {
  const { made, tools } = scripted({ annotations: { readOnlyHint: true } }, failing, 'found');
  expect(await resilientTools(tools, quick).search.execute({ q: 'x' }, { runId: 'r1' })).toBe('found');
  expect(made).toEqual([
    [{ q: 'x' }, 'r1', true],
    [{ q: 'x' }, 'r1', true],
  ]);
});

it('does not repeat a write, and throws a fault with the text for the model', async () => {
  const { made, tools } = scripted(undefined, failing, 'found');
  const thrown = resilientTools(tools, quick).search.execute({ q: 'x' });
  await expect(thrown).rejects.toBeInstanceOf(FaultError);
  await expect(thrown).rejects.toMatchObject({
    message: expect.stringMatching(/^The backend timed out\. /),
    fault: { kind: 'timeout', message: 'The backend timed out' },
  });
  expect(made).toHaveLength(1);
});

it('leaves the tool itself alone, and makes one of the same class', () => {
  const { tools } = scripted(undefined);
  const before = tools.search.execute;
  const { search } = resilientTools(tools, quick);
  expect(tools.search.execute).toBe(before);
  expect(search).toBeInstanceOf(Tool);
  expect({ ...search, execute: before }).toEqual({ ...tools.search });
});

it('leaves tools alone that are executed elsewhere', () => {
  const ask = { id: 'ask' };
  expect(resilientTools({ ask } as never, quick)).toEqual({ ask });
});

it.each([
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
  Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }),
  Object.assign(new Error('Streamable HTTP error: Session not found'), {
    name: 'StreamableHTTPError',
    code: 404,
  }),
  Object.assign(new Error('Connection closed'), { code: 'ENOTFOUND' }),
  Object.assign(new Error('TypeError: terminated'), { code: 'ENOTFOUND' }),
])('takes no error for proof after which Mastra itself has sent the call again: %s', async (thrown) => {
  const { made, tools } = scripted({ annotations: {} }, thrown, 'paid');
  await expect(resilientTools(tools, quick).search.execute({ q: 'x' })).rejects.toMatchObject({
    fault: { executed: 'maybe' },
  });
  expect(made).toHaveLength(1);
});

it('says what a guarded server has said, once', async () => {
  const said =
    'Amount must be greater than 0. Correct the arguments, then call again. It may have happened; check before you repeat a change.';
  const { tools } = scripted({ annotations: {} }, new Error(said));
  await expect(resilientTools(tools, quick).search.execute({ q: 'x' })).rejects.toMatchObject({
    message: said,
    fault: { kind: 'invalid_arguments', message: 'Amount must be greater than 0', executed: 'maybe' },
  });
});
