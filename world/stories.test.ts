/** Stories in which a law was broken once. */
import { expect, it } from 'vitest';
import { live } from './live.ts';
import type { Story } from './story.ts';

/** What a call has that nothing else is told of. */
const PLAIN = {
  at: 0,
  key: 0,
  amount: 1,
  door: [],
  stubborn: false,
  deadlineMs: undefined,
  cancelAfterMs: undefined,
} as const;

const KEPT: readonly (readonly [string, Story])[] = [
  [
    'a repeat waits for its first call, and has the rest of its time to hear what became of that',
    {
      setting: {
        client: 'ours over v1',
        way: 'gateway',
        server: 'v1',
        guarded: true,
        trusted: false,
        gatewayTimeoutMs: 2000,
        attemptTimeoutMs: undefined,
        hedgeAfterMs: undefined,
      },
      calls: [
        {
          ...PLAIN,
          tool: 'pay',
          pipe: ['passes', 'request late'],
          work: [{ effects: 2, ending: 'says 503', takesMs: 3000 }],
        },
        { ...PLAIN, tool: 'look', pipe: [], work: [] },
      ],
      mishaps: [],
      seed: 0,
    },
  ],
];

it.each(KEPT)('%s', async (_, story) => {
  expect((await live(story)).broken).toEqual([]);
});
