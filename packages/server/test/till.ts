/** A till that is paid at, with and without a key. */
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type GuardOptions, guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw, textOf } from './wire.ts';

/** Where a call carries its key. */
export const KEY = 'dev.mayday/idempotency-key';

/** What was paid, and the way to pay. */
export interface Till {
  readonly paid: number[];
  pay(amount: number, key?: unknown, more?: object): Promise<Message>;
}

/** A till that books first, and then does what it is told. */
export async function till(
  afterwards: () => unknown = () => undefined,
  options?: GuardOptions,
): Promise<Till> {
  const paid: number[] = [];
  const server = guard(new McpServer({ name: 'till', version: '1' }), options);
  server.registerTool('pay', { inputSchema: z.object({ amount: z.number() }) }, async ({ amount }) => {
    paid.push(amount);
    await afterwards();
    return { content: [{ type: 'text', text: `paid ${amount}, receipt ${paid.length}` }] };
  });
  const client = await connectRaw(server);
  return {
    paid,
    pay: (amount, key, more = {}) =>
      client.ask('tools/call', {
        name: 'pay',
        arguments: { amount },
        ...(key === undefined ? {} : { _meta: { [KEY]: key, ...more } }),
      }),
  };
}

/** The text of an answer. */
export const said = (message: Message): string => textOf({ message });
