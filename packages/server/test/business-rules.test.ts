/** Rules of a business that name no value and no field: the caller is told them, and nothing of the server's own parts. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { EITHER, INTERNALS, RULES } from './business-rules.fixture.ts';
import { INTERNAL, said } from './thrown.ts';
import { connectRaw, textOf } from './wire.ts';

it.each(RULES.seen)('reaches the caller: %s', async (text) => {
  const [kind, words] = await said(new Error(text));
  expect(kind).not.toBe('internal');
  expect(words.startsWith(text)).toBe(true);
});

it.each(INTERNALS.seen)('stays with the operator: %s', async (text) => {
  const [, words] = await said(new Error(text));
  expect(words).not.toContain(text);
  expect(words).toContain('Reference: ');
});

it.each(EITHER)('is told, for want of a sign that it is about a program: %s', async (text) => {
  expect((await said(new Error(text)))[1]).toContain(text);
});

/** How many of these are told. */
async function told(sentences: readonly string[]): Promise<number> {
  let count = 0;
  for (const text of sentences) count += (await said(new Error(text)))[1].startsWith(text) ? 1 : 0;
  return count;
}

it('does as well with sentences that nobody has looked at', async () => {
  expect(RULES.unseen).toHaveLength(50);
  expect(INTERNALS.unseen).toHaveLength(50);
  expect(await told(RULES.unseen)).toBeGreaterThanOrEqual(37);
  expect(await told(INTERNALS.unseen)).toBeLessThanOrEqual(5);
});

describe('a part of programs', () => {
  const TEXT = 'Task queue is empty';

  async function thrownIn(config: object, args: object): Promise<string> {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('peek', { inputSchema: z.looseObject({}), ...config }, async () => {
      throw new Error(TEXT);
    });
    const wire = await connectRaw(server);
    return textOf({ message: await wire.ask('tools/call', { name: 'peek', arguments: args }) });
  }

  it('is told by a tool that deals in it', async () => {
    expect(await thrownIn({ description: 'Looks at a task queue' }, {})).toContain(TEXT);
    expect(await thrownIn({ title: 'Task queues' }, {})).toContain(TEXT);
    const inputSchema = z.object({ wait: z.string().describe('name of the task queue').optional() });
    expect(await thrownIn({ inputSchema }, {})).toContain(TEXT);
  });

  it('is told to a caller that has named it', async () => {
    expect(await thrownIn({}, { question: 'what is in the task queue?' })).toContain(TEXT);
  });

  it('is told by no other', async () => {
    expect(await thrownIn({ description: 'Looks at an order' }, { id: 'o1' })).not.toContain(TEXT);
    expect(await said(new Error(TEXT), { id: 'o1' })).toEqual(['internal', INTERNAL]);
  });
});
