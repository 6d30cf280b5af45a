/** An adapter says what is wrong with what it is given, before an agent runs without tools or asks 64 times. */
import { describe, expect, it } from 'vitest';
import { resilientTools as aiTools } from './ai-sdk.ts';
import { resilientTools as langChainTools } from './langchain.ts';
import { resilientTools as mastraTools } from './mastra.ts';
import { resilientServer } from './openai-agents.ts';

type Take = (given: never) => never;

const ADAPTERS: readonly [string, Take, object, string, string][] = [
  [
    'the AI SDK',
    aiTools as unknown as Take,
    { pay: { execute: () => 1 } },
    'tools by their names',
    'a tool `pay`',
  ],
  [
    'Mastra',
    mastraTools as unknown as Take,
    { pay: { execute: async () => 1 } },
    'tools by their names',
    'a tool `pay`',
  ],
  [
    'LangChain',
    langChainTools as unknown as Take,
    [{ name: 'pay', invoke: async () => 1, _call: async () => 1 }],
    'a list of tools',
    'a tool `pay`',
  ],
  [
    'OpenAI’s agents',
    resilientServer as unknown as Take,
    { name: 'x', callTool: () => undefined, listTools: () => undefined },
    'an MCP server of the SDK',
    'a server',
  ],
];

describe.each(ADAPTERS)('%s', (_name, take, given, what, one) => {
  it('refuses a promise', () => {
    expect(() => take(Promise.resolve(given) as never)).toThrow(
      new TypeError(`Expected ${what}, got a promise: await it first`),
    );
    expect(() => take(Promise.reject(new Error('x')) as never)).toThrow(TypeError);
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['http://x', 'string'],
  ])('refuses %s', (wrong, named) => {
    expect(() => take(wrong as never)).toThrow(new TypeError(`Expected ${what}, got ${named}`));
  });

  it('refuses to wrap twice', () => {
    const wrapped = take(given as never);
    expect(() => take(wrapped)).toThrow(
      new TypeError(`Expected ${one} that is not resilient yet; this one already is`),
    );
    expect(() => take(given as never)).not.toThrow();
  });
});
