import { describe, expect, it } from 'vitest';
import { callWithBackoff } from './client.ts';

const failed = (code: number, retryable: boolean, details?: object) => ({
  result: { error: { code, message: 'Something happened', retryable, details } },
});
const DONE = { result: { content: [], structuredContent: { done: true } } };

async function run(answers: object[], random = 0.5) {
  const waits: number[] = [];
  const sleep = async (ms: number) => waits.push(ms);
  const send = async () => answers.shift() as never;
  const said = await callWithBackoff({ send }, { sleep, random: () => random }).catch(
    (error) => error.message,
  );
  return { said, waits, left: answers.length };
}

describe('the retry guidance', () => {
  it('EM-30 waits twice as long each time, moved by chance, and gives the payload', async () => {
    const busy = () => failed(4002, true);
    expect(await run([busy(), busy(), busy(), DONE])).toEqual({
      said: { done: true },
      waits: [1000, 2000, 4000],
      left: 0,
    });
    expect((await run([busy(), busy(), DONE], 0)).waits).toEqual([500, 1000]);
  });

  it('EM-30 never comes back before it was told to', async () => {
    const limited = failed(3001, true, { context: { retryAfter: 7000 } });
    expect((await run([limited, DONE])).waits).toEqual([7000]);
  });

  it('EM-30 a wait of more than a day is the end, and is told', async () => {
    const limited = failed(3001, true, { context: { retryAfter: 3e9 } });
    expect(await run([limited, DONE])).toEqual({
      said: 'Something happened\nThe server asks to wait 35 days: call again then.',
      waits: [],
      left: 1,
    });
  });

  it('names the fields that were wrong, once each', async () => {
    const data = { field: 'quantity', reason: 'out_of_range', context: {} };
    const error = { code: -32602, message: 'Invalid params', data };
    expect((await run([{ error }])).said).toBe('Invalid params: quantity: out_of_range');
    const told = {
      code: -32602,
      message: 'quantity is wrong',
      data: { field: 'quantity', reason: 'invalid' },
    };
    expect((await run([{ error: told }])).said).toBe('quantity is wrong');
  });

  it('EM-31 does not repeat what is not retryable, and gives up at last', async () => {
    expect(await run([failed(4001, false), DONE])).toEqual({
      said: 'Something happened',
      waits: [],
      left: 1,
    });
    const { waits, said } = await run(Array.from({ length: 9 }, () => failed(3002, true)));
    expect([waits.length, said]).toEqual([4, 'Something happened']);
  });

  it('EM-30 the wait before chance ends at 30 seconds, and an answer without structure is its content', async () => {
    const waits: number[] = [];
    const sleep = async (ms: number) => waits.push(ms);
    const content = [{ type: 'text', text: 'done' }];
    const answers = [...Array.from({ length: 6 }, () => failed(4002, true)), { result: { content } }];
    const send = async () => answers.shift() as never;
    const said = await callWithBackoff({ send }, { attempts: 7, sleep, random: () => 0.5 });
    expect([said, waits]).toEqual([content, [1000, 2000, 4000, 8000, 16_000, 30_000]]);
  });

  it('EM-31 a protocol error is not repeated either', async () => {
    const refused = { error: { code: -32602, message: 'Invalid params' } };
    expect(await run([refused, DONE])).toMatchObject({ said: 'Invalid params', left: 1 });
  });
});
