import { beforeAll, describe, expect, it } from 'vitest';
import { member } from '../../acceptance/library.ts';
import { mayday } from '../../acceptance/mayday.ts';
import { runSample } from '../../acceptance/sample.ts';
import type { Wire } from '../../acceptance/wire.ts';
import { RETRIED, SECTIONS } from './document.ts';

const failed = (code: Wire, message: Wire, data?: Wire): Wire => ({ error: { code, message, data } });
const response = (wire: Wire): Wire => ({ jsonrpc: '2.0', id: 1, ...wire });
const SUCCESS = { result: { content: [{ type: 'text', text: 'done' }] } };

/** Some value for a member of data, of the kind that the document shows. */
const sampleData = (shape: Wire): Wire => {
  if (shape === 'string') {
    return 'Something at position 15';
  }
  return Array.isArray(shape)
    ? Object.fromEntries(
        shape.map((key) => [
          key,
          /_ms|_size|_length|limit|window|after|seconds|_at|position/.test(key) ? 7 : 'x',
        ]),
      )
    : undefined;
};

describe('reading errors', () => {
  let readings: Wire[];
  beforeAll(async () => {
    const wires = SECTIONS.map(([, code, message, shape]) =>
      response(failed(code, message, sampleData(shape))),
    );
    readings = await mayday(['read', '--from', 'erlmcp'], wires);
  });

  it.each(SECTIONS)(
    '%s ER-79 ER-82 ER-84: %i "%s" is tried again only if the document says so',
    (_id, code) => {
      const reading = readings[SECTIONS.findIndex(([, row]) => row === code)];
      expect([reading.failure, reading.dialect, reading.retryable]).toEqual([
        true,
        'erlmcp',
        RETRIED.includes(code),
      ]);
    },
  );

  it('ER-83: a rate limit is waited out for retry_after seconds', () => {
    const reading = readings[SECTIONS.findIndex(([, code]) => code === -32010)];
    expect(reading.retry.after_ms).toBe(7000);
  });

  it('ER-3: an error without an integer code is malformed', async () => {
    const wires = [undefined, '-32001', 1.5, null].map((code) =>
      response(failed(code, 'zxq', { uri: 'a://b' })),
    );
    const told = await mayday(['read', '--from', 'erlmcp'], wires);
    expect(told.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  });

  it('ER-4: an error without a message is malformed', async () => {
    const wires = [undefined, null, 7].map((message) => response(failed(-32001, message, { uri: 'a://b' })));
    const told = await mayday(['read', '--from', 'erlmcp'], wires);
    expect(told.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('ER-77: a result is no error, and an error has no result', async () => {
    const [good, bad] = await mayday(
      ['read', '--from', 'erlmcp'],
      [response(SUCCESS), response(failed(-32002, 'Tool not found', { tool: 'x' }))],
    );
    expect([good.failure, bad.failure]).toEqual([false, true]);
  });
});

describe('writing errors', () => {
  it('ER-1 ER-2: an answer without an id has the id null', async () => {
    const [written] = await mayday(
      ['translate', '--to', 'erlmcp'],
      [{ thrown: { name: 'SyntaxError', message: 'Unexpected token' } }],
    );
    expect(written.wire).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } });
  });

  it.each([
    ['text', 'Unexpected token at position 15'],
    ['an object', { details: 'Unexpected token at position 15' }],
    ['nothing', undefined],
  ])('ER-5: data that is %s stays what it is', async (_name, data) => {
    const wire = response(failed(-32700, 'Parse error', data));
    const [written] = await mayday(['translate', '--from', 'erlmcp', '--to', 'erlmcp'], [wire]);
    expect(JSON.parse(JSON.stringify(written.wire.error))).toEqual(JSON.parse(JSON.stringify(wire.error)));
  });

  it.each(SECTIONS)(
    '%s ER-2: the document’s %i "%s" comes out as it went in',
    async (_id, code, message, shape) => {
      const wire = response(failed(code, message, sampleData(shape)));
      const [written] = await translated;
      const at = SECTIONS.findIndex(([, row]) => row === code);
      expect(written?.[at]?.wire).toEqual(JSON.parse(JSON.stringify(wire)));
    },
  );
  const translated = mayday(
    ['translate', '--from', 'erlmcp', '--to', 'erlmcp'],
    SECTIONS.map(([, code, message, shape]) => response(failed(code, message, sampleData(shape)))),
  ).then((all) => [all]);
});

describe('words for users', () => {
  it.each(SECTIONS)('%s ER-80: %i "%s" has a sentence for the user, about the user', async (_id, code) => {
    const sentence = (await member('erlmcp', 'userMessage'))(code);
    expect(sentence).toMatch(/^[A-Z].{15,}/);
    expect(sentence).not.toMatch(/tell the user|do not retry|-3\d{4}/i);
  });
});

describe('the sample client', () => {
  it('ER-77 ER-81: gives the result of a response without an error', async () => {
    const run = await runSample('erlmcp', [SUCCESS]);
    expect([run.status, run.calls.length]).toEqual([0, 1]);
    expect(run.out).toContain('done');
  });

  it('ER-81: takes an error that is null for none', async () => {
    const run = await runSample('erlmcp', [{ ...SUCCESS, error: null }]);
    expect([run.status, run.calls.length]).toEqual([0, 1]);
  });

  it('ER-79 ER-82: tries a timeout again, and says so', async () => {
    const run = await runSample('erlmcp', [
      failed(-32009, 'Request timeout', { timeout_ms: 1, elapsed_ms: 2 }),
      SUCCESS,
    ]);
    expect([run.status, run.calls.length]).toEqual([0, 2]);
    expect(run.errors).toMatch(/timeout.*retrying/i);
  });

  it('ER-79 ER-83: waits out a rate limit, for the seconds that it names', async () => {
    const limited = failed(-32010, 'Rate limit exceeded', { limit: 100, window: 60, retry_after: 5 });
    const run = await runSample('erlmcp', [limited, SUCCESS]);
    expect([run.status, run.calls.length, run.waits]).toEqual([0, 2, [5000]]);
  });

  it('ER-83: waits for 30 seconds where it names none', async () => {
    const run = await runSample('erlmcp', [failed(-32010, 'Rate limit exceeded'), SUCCESS]);
    expect([run.status, run.calls.length, run.waits]).toEqual([0, 2, [30_000]]);
  });

  it.each([
    [-32603, 'Internal error', undefined],
    [-32008, 'Transport error', { reason: 'connection_reset' }],
    [-32032, 'Tool execution timeout', { tool: 'work', timeout_ms: 5 }],
  ])(
    'ER-84 ER-78: logs %i with its message and data, and does not try again',
    async (code, message, data) => {
      const run = await runSample('erlmcp', [failed(code, message, data), SUCCESS]);
      expect([run.status, run.calls.length, run.waits]).toEqual([1, 1, []]);
      expect(run.errors).toContain(String(code));
      expect(run.errors).toContain(message);
      expect(run.errors).toContain(String(Object.values(data ?? {})[0] ?? ''));
    },
  );
});

describe('a tool that may change something', () => {
  const LATE = failed(-32009, 'Request timeout', { timeout_ms: 5000, elapsed_ms: 5000 });

  it('ER-79 ER-82: is not called again after a timeout, and nobody says that it is', async () => {
    const { calls, status, errors } = await runSample('erlmcp', [LATE, SUCCESS], { listed: {} });
    expect([calls.length, status]).toEqual([1, 1]);
    expect(errors).not.toMatch(/retrying/);
    expect(errors).toMatch(/Request timeout/);
    expect(errors).toMatch(/may have happened/);
  });
});
