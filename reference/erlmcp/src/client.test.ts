import { describe, expect, it } from 'vitest';
import { type Answer, request } from './client.ts';

function fail(code: number, data?: object): Answer {
  return { error: { code, message: `E${code}`, ...(data === undefined ? {} : { data }) } };
}

/** Sends prepared answers, and notes what the client does between them. */
async function run(...answers: Answer[]) {
  const log: unknown[][] = [];
  const waits: number[] = [];
  const outcome = await request(async () => answers.shift() as Answer, {
    log: { warn: (...line) => log.push(['warn', ...line]), error: (...line) => log.push(['error', ...line]) },
    sleep: async (ms) => void waits.push(ms),
  });
  return { outcome, log, waits, unsent: answers.length };
}

describe('the client of the document', () => {
  it('ER-77 ER-81 gives a result, or an error, and never one in place of the other', async () => {
    expect((await run({ result: 0 })).outcome).toEqual({ ok: true, result: 0 });
    const { outcome } = await run(fail(-32001));
    expect(outcome).toMatchObject({ ok: false, code: -32001 });
    expect(outcome).not.toHaveProperty('result');
  });

  it('ER-78 ER-80 ER-84 logs the details, tells the user something, and does not retry', async () => {
    const { outcome, log, unsent } = await run(fail(-32002, { tool: 'x' }), { result: 1 });
    expect(log).toEqual([
      ['error', { code: -32002, message: 'E-32002', data: { tool: 'x' } }, 'Error -32002: E-32002'],
    ]);
    expect(outcome).toMatchObject({ forUser: expect.stringContaining('Tool not found') });
    expect(unsent).toBe(1);
  });

  it('ER-79 ER-82 retries a timeout at once, with a warning', async () => {
    const { outcome, log, waits } = await run(fail(-32009), { result: 1 });
    expect(outcome).toEqual({ ok: true, result: 1 });
    expect(log[0]?.slice(0, 1)).toEqual(['warn']);
    expect(String(log[0]?.[2])).toContain('retrying');
    expect(waits).toEqual([0]);
  });

  it('ER-83 waits out a rate limit: as long as it says, or 30 seconds', async () => {
    const { waits } = await run(fail(-32010, { retry_after: 5 }), fail(-32010), { result: 1 });
    expect(waits).toEqual([5000, 30_000]);
  });

  it('ER-83 a wait of more than a day is the end, and the user is told; one that is no length is none', async () => {
    const { outcome, waits, unsent } = await run(fail(-32010, { retry_after: 3_000_000 }), { result: 1 });
    expect(outcome).toMatchObject({
      forUser:
        'Rate limit exceeded. Wait a moment, then try again.\nThe server asks to wait 35 days: call again then.',
    });
    expect([waits, unsent]).toEqual([[], 1]);
    const odd = await run(
      fail(-32010, { retry_after: -1 }),
      fail(-32010, JSON.parse('{"retry_after":1e999}')),
      {
        result: 1,
      },
    );
    expect(odd.waits).toEqual([30_000, 30_000]);
  });

  it('gives up after three attempts', async () => {
    const { outcome, unsent } = await run(fail(-32009), fail(-32009), fail(-32009), { result: 1 });
    expect([outcome, unsent]).toMatchObject([{ ok: false, code: -32009 }, 1]);
  });
});
