import { expect, it } from 'vitest';
import type { Answer } from './ask.ts';
import { backoff, follow } from './follow.ts';

const fault = (id: string): string => `id: ${id}\ndata: {"id":"${id}"}\n\n`;

function body(text: string): Answer<Pick<Response, 'body'>> {
  return { ok: { body: new Response(text).body } };
}

const down: Answer<never> = { trouble: { status: 0, what: 'Away.', advice: '' } };
const out: Answer<never> = { trouble: { status: 401, what: 'No key.', advice: '' } };

/** Follows what is opened one after the other, and writes down what is told. */
async function told(
  answers: readonly Answer<Pick<Response, 'body'>>[],
): Promise<{ readonly said: readonly unknown[]; readonly opened: readonly string[] }> {
  const said: unknown[] = [];
  const opened: string[] = [];
  const { signal } = new AbortController();
  await follow(
    {
      onOpen: () => said.push('open'),
      onFaults: (faults) => said.push(faults.map(({ id }) => id)),
      onLost: ({ what }, waitMs) => said.push([what, waitMs]),
      onEnd: ({ status }) => said.push(status),
    },
    {
      key: undefined,
      after: '3',
      signal,
      open: async (after) => {
        opened.push(after);
        return answers[opened.length - 1] ?? out;
      },
      wait: async () => undefined,
      random: () => 1,
    },
  );
  return { said, opened };
}

it('goes on behind the last failure when a stream ends', async () => {
  const { said, opened } = await told([body(fault('4') + fault('5')), body(fault('6'))]);
  expect(opened).toEqual(['3', '5', '6']);
  expect(said).toEqual([
    'open',
    ['4', '5'],
    ['The connection to the gateway was lost.', 1000],
    'open',
    ['6'],
    ['The connection to the gateway was lost.', 1000],
    401,
  ]);
});

it('waits longer each time nobody answers', async () => {
  const { said } = await told([down, down, down]);
  expect(said).toEqual([['Away.', 1000], ['Away.', 2000], ['Away.', 4000], 401]);
});

it('leaves out what is no failure', async () => {
  expect((await told([body('data: {"cut\n\ndata: {"id":"9"}\n\n')])).said[1]).toEqual(['9']);
});

it('waits half a minute at most, and not all at the same time', () => {
  expect([backoff(0, () => 0), backoff(3, () => 0.5), backoff(50, () => 1)]).toEqual([500, 6000, 30_000]);
});
