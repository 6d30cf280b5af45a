/** A call that is answered is collected early: what outlives that is copied again and again, while everybody waits. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { request } from '../../test/tools.ts';
import type { Link } from '../links/link.ts';
import type { WireCall } from './call.ts';
import { overLink } from './over-link.ts';

const ANSWER = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
const CALLS = 200;
const WORDS_OF_EACH = 10_000;

const link: Link = {
  request: (_, sink) => {
    sink.answered(ANSWER);
    return () => {};
  },
  send: () => {},
  close: async () => {},
};

const { body, peek } = request('tools/call');

/** A call that holds much. */
function heavyCall(): WireCall {
  return {
    signal: new AbortController().signal,
    progress: {},
    headers: {},
    method: 'tools/call',
    by: { id: 'ada', isKnown: true },
    body,
    peek,
    held: new Array(WORDS_OF_EACH).fill(0.5),
  } as unknown as WireCall;
}

async function answerMany(): Promise<void> {
  const handler = overLink(link, { failureIn: () => undefined, understand: () => ({}) as never });
  for (let i = 0; i < CALLS; i++) await handler(heavyCall());
}

it('holds nothing of a call that is over until all memory is looked through', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how?: { type: 'minor' }) => void;
  await answerMany();
  collect();
  collect();
  const before = process.memoryUsage().heapUsed;
  await answerMany();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  const kept = process.memoryUsage().heapUsed - before;
  expect(kept).toBeLessThan((CALLS * WORDS_OF_EACH * 8) / 4);
});
