/** A reference that a caller is given leads somewhere, also for a server that was given no log. */
import { fault } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type GuardOptions, guard } from '../src/index.ts';
import { startAgain } from '../src/report/standard-error.ts';
import { problemWriter } from '../src/rest/problem.ts';
import { connectRaw } from './wire.ts';

const written: string[] = [];

beforeEach(() => {
  startAgain();
  vi.spyOn(console, 'error').mockImplementation((said) => void written.push(String(said)));
});

afterEach(() => {
  written.length = 0;
  vi.restoreAllMocks();
});

async function serving(reason: unknown, options: GuardOptions = {}): Promise<() => Promise<string>> {
  const server = guard(new McpServer({ name: 's', version: '1' }), options);
  server.registerTool('pay', {}, () => {
    throw reason;
  });
  const client = await connectRaw(server);
  return async () => JSON.stringify(await client.ask('tools/call', { name: 'pay' }));
}

it('writes what was thrown under the reference that the caller has', async () => {
  const text = await (await serving(new Error('relation 17 of heap 4 is torn')))();
  const [, reference] = /Reference: ([0-9a-f-]{36})/.exec(text) ?? [];
  expect(written).toEqual([
    expect.stringContaining(
      `mayday: internal in tools/call "pay", reference ${reference}: Error: relation 17 of heap 4 is torn\n    at `,
    ),
  ]);
});

it('writes no more in all than fits into a pipe that nobody reads', async () => {
  const pay = await serving(new Error('torn '.repeat(10_000)));
  for (let i = 0; i < 100; i++) await pay();
  expect(written).toHaveLength(21);
  expect(written.at(-1)).toBe(
    'mayday: further ones are not written here; give `guard` a `logger` to have them all',
  );
  expect(written.join('\n').length).toBeLessThan(32_768);
});

it.each([
  ['of what the caller was told', new Error('Order 17 not found'), {}],
  ['of a fault that the author made', fault.unavailable('The shop is closed'), {}],
  ['where somebody is told', new Error('torn'), { onFault: () => {} }],
  ['where there is a log', new Error('torn'), { logger: { error: () => {} } }],
  ['where nobody wants to know', new Error('torn'), { logger: false }],
] as const)('writes nothing %s', async (_, reason, options) => {
  await (await serving(reason, options))();
  expect(written).toEqual([]);
});

it('writes what a REST handler threw', () => {
  const reason = new Error('torn');
  problemWriter({ correlationId: () => 'ref-1' })(reason);
  expect(written).toEqual([expect.stringContaining('mayday: internal, reference ref-1: Error: torn')]);
  problemWriter({ logger: false })(reason);
  expect(written).toHaveLength(1);
});
