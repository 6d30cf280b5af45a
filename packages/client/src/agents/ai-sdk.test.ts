import { FaultError } from '@mayday/core';
import { generateText, jsonSchema, stepCountIs, type ToolSet, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
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
