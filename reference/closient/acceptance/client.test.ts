import { beforeAll, describe, expect, it } from 'vitest';
import { member } from '../../acceptance/library.ts';
import { mayday, maydayText } from '../../acceptance/mayday.ts';
import { SLOW } from '../../acceptance/program.ts';
import { runSample } from '../../acceptance/sample.ts';
import type { Wire } from '../../acceptance/wire.ts';

/** The document’s envelope, with other values in it. */
function failure(code: number, errorCode: string, status: number, more: Wire = {}): Wire {
  const data = {
    type: `https://closient.com/docs/errors/${errorCode}`,
    title: 'Title',
    status,
    detail: 'What happened this time',
    error_code: errorCode,
    retryable: false,
    timestamp: '2026-04-26T02:34:56+00:00',
    ...more,
  };
  return { result: { error: { code, message: 'Title', data } } };
}

const SUCCESS = {
  result: { content: [{ type: 'text', text: '{"pong":true}' }], structuredContent: { pong: true } },
};
const NINE: [string, number, string, number, boolean, string][] = [
  ['CL-17', -32001, 'unauthorized', 401, false, 'unauthenticated'],
  ['CL-18', -32002, 'forbidden', 403, false, 'forbidden'],
  ['CL-19', -32003, 'rate_limited', 429, true, 'rate_limited'],
  ['CL-20', -32100, 'bad_request', 400, false, 'invalid_request'],
  ['CL-21', -32101, 'validation_error', 400, false, 'invalid_arguments'],
  ['CL-22', -32102, 'unprocessable_entity', 422, false, 'unprocessable'],
  ['CL-23', -32200, 'not_found', 404, false, 'not_found'],
  ['CL-24', -32201, 'conflict', 409, false, 'conflict'],
  ['CL-25', -32300, 'internal_error', 500, true, 'internal'],
];
const nine = (more: Wire = {}): Wire[] =>
  NINE.map(([, code, name, status, retryable]) => failure(code, name, status, { retryable, ...more }));

/** Codes of the document's ranges that do not exist yet, and the reaction of their class. */
const NEW: [number, string][] = [
  [-32150, 'validation'],
  [-32199, 'validation'],
  [-32250, 'terminal'],
  [-32299, 'terminal'],
  [-32399, 'terminal'],
];

const response = (wire: Wire): Wire => ({ jsonrpc: '2.0', id: 1, ...wire });
const NOISE = { title: 'zxq', detail: 'rate limit not found unauthorized' };

/** Everything that is read, in one go. */
const MESSAGES: Record<string, Wire[]> = {
  nine: nine(),
  noisy: nine(NOISE).map(response),
  wait: [failure(-32003, 'rate_limited', 429, { retryable: true, retry_after: 30 })],
  extended: [failure(-32200, 'not_found', 404, { shelf: 7, nested: { a: [1] } })],
  unborn: NEW.map(([code]) => failure(code, 'brand_new', 400, { status: undefined })),
  successes: [
    SUCCESS,
    { result: { content: [], error: null } },
    { result: { content: [], error: 'must be 8, 12, 13 or 14 digits' } },
    { result: { content: [], error: { code: 'x' } } },
  ].map(response),
};

describe('reading it', () => {
  const readings: Record<string, Wire[]> = {};
  beforeAll(async () => {
    const answers = await mayday(['read', '--from', 'closient'], Object.values(MESSAGES).flat());
    for (const [name, wires] of Object.entries(MESSAGES)) {
      readings[name] = answers.splice(0, wires.length);
    }
  }, SLOW);

  it('CL-2 CL-34: all nine are told apart, whatever the prose says', () => {
    const kinds = NINE.map(([, , , , , kind]) => kind);
    expect(readings['nine']?.map((reading) => reading.kind)).toEqual(kinds);
    expect(readings['noisy']?.map((reading) => reading.kind)).toEqual(kinds);
  });

  it('CL-2: they are told apart without being told the dialect', async () => {
    const bare = await mayday(['read'], nine(NOISE));
    expect(bare.map(({ dialect, kind }) => [dialect, kind])).toEqual(
      NINE.map(([, , , , , kind]) => ['closient', kind]),
    );
  });

  it('CL-10 CL-17 CL-25 CL-37 CL-38: what to do follows from the declaration, not from the number', () => {
    expect(readings['nine']?.map(({ retryable, retry }) => [retryable, retry.when])).toEqual([
      [false, 'after_auth'],
      [false, 'never'],
      [true, expect.stringMatching(/^(after_wait|backoff)$/)],
      [false, 'after_change'],
      [false, 'after_change'],
      [false, 'after_change'],
      [false, 'never'],
      [false, 'never'],
      [true, 'backoff'],
    ]);
  });

  it('CL-19 CL-35: retry_after is in seconds', () => {
    expect(readings['wait']).toMatchObject([{ retryable: true, retry: { after_ms: 30_000 } }]);
  });

  it('CL-12: members that nobody knows do no harm', () => {
    expect(readings['extended']).toMatchObject([{ kind: 'not_found', dialect: 'closient' }]);
  });

  it('CL-26: codes that do not exist yet have the meaning of their range', () => {
    expect(readings['unborn']?.map(({ failure: failed, reaction }) => [failed, reaction])).toEqual(
      NEW.map(([, reaction]) => [true, reaction]),
    );
  });

  it('CL-15 CL-33 CL-39: only an error that is an object with a code is a failure', () => {
    expect(readings['successes']?.map((reading) => reading.failure)).toEqual([false, false, false, false]);
  });

  it('CL-16 CL-26: four classes, by range', async () => {
    const classOf = await member('closient', 'classOf');
    const groups = [
      [-32001, -32002, -32003, -32004],
      [-32100, -32101, -32102, -32150],
      [-32200, -32201, -32299],
      [-32300, -32399],
    ];
    const classes = groups.map((codes) => new Set(codes.map((code) => classOf(code))));
    expect(classes.map((group) => group.size)).toEqual([1, 1, 1, 1]);
    expect(new Set(classes.flatMap((group) => [...group])).size).toBe(4);
    expect(classOf(-31999)).toBeUndefined();
  });

  it('CL-9 CL-27: nine pairs of code and name, and no other', async () => {
    const { out } = await maydayText(['catalog', '--format', 'json']);
    const codes = JSON.parse(out).codes.filter((row: Wire) => row.source === 'closient');
    expect(codes.map((row: Wire) => [row.code, row.name, row.retryable])).toEqual(
      NINE.map(([, code, name, , retryable]) => [code, name, retryable]),
    );
  });
});

describe('writing it', () => {
  it('CL-25: an internal error of another dialect becomes retryable: true', async () => {
    const wires = await mayday(
      ['translate', '--to', 'closient'],
      [
        { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } },
        { thrown: { name: 'Error', message: 'boom' } },
      ],
    );
    expect(wires.map(({ wire }) => [wire.result.error.code, wire.result.error.data.retryable])).toEqual([
      [-32300, true],
      [-32300, true],
    ]);
  });

  it('CL-23 CL-11: the document’s example comes out as it went in', async () => {
    const example = failure(-32200, 'not_found', 404, {
      title: 'Not Found',
      detail: 'No product found for GTIN 00614141123452',
    });
    example.result.error.message = 'Not Found';
    const [translated] = await mayday(
      ['translate', '--to', 'closient'],
      [{ jsonrpc: '2.0', id: 1, ...example }],
    );
    expect(translated.wire.result.error).toEqual(example.result.error);
  });
});

describe('the sample client', () => {
  it('CL-35: waits retry_after seconds, then calls again', async () => {
    const limited = failure(-32003, 'rate_limited', 429, { retryable: true, retry_after: 30 });
    const run = await runSample('closient', [limited, SUCCESS]);
    expect([run.status, run.calls.length, run.waits]).toEqual([0, 2, [30_000]]);
  });

  it('CL-35 CL-36: waits 5 seconds where there is no retry_after', async () => {
    const run = await runSample('closient', [
      failure(-32300, 'internal_error', 500, { retryable: true }),
      SUCCESS,
    ]);
    expect([run.status, run.calls.length, run.waits]).toEqual([0, 2, [5000]]);
  });

  const LIMITED = failure(-32003, 'rate_limited', 429, {
    title: 'Rate Limited',
    detail: 'Rate limit exceeded',
    retryable: true,
    retry_after: 1,
  });
  LIMITED.result.error.message = 'Rate Limited';
  const BROKEN = failure(-32300, 'internal_error', 500, { retryable: true });
  const WARNED = {
    result: {
      ...LIMITED.result,
      content: [{ type: 'text', text: 'It may have happened; check before you repeat a change.' }],
    },
  };

  it.each([
    ['changes something', {}, BROKEN, 1, 1],
    ['changes something, and may have', {}, WARNED, 1, 1],
    ['changes something, and was refused', {}, LIMITED, 0, 2],
    ['changes something the same way each time', { annotations: { idempotentHint: true } }, BROKEN, 0, 2],
    ['knows repeated calls by a key', { _meta: { 'dev.mayday/idempotency-key': true } }, BROKEN, 0, 2],
  ])('CL-25 CL-35: does nothing twice with a tool that %s', async (_what, listed, answer, status, calls) => {
    const run = await runSample('closient', [answer, SUCCESS], { listed });
    expect([run.status, run.calls.length]).toEqual([status, calls]);
    expect(run.errors.includes('It may have happened: check before you call work again.')).toBe(status === 1);
    const keys = run.calls.map(({ params }) => params?._meta?.['dev.mayday/idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(typeof keys[0]).toBe('_meta' in listed ? 'string' : 'undefined');
  });

  it('CL-37: shows what does not exist to the user, and does not call again', async () => {
    const run = await runSample('closient', [failure(-32200, 'not_found', 404), SUCCESS]);
    expect([run.status, run.calls.length, run.waits]).toEqual([1, 1, []]);
    expect(run.errors).toContain('What happened this time');
  });

  it('CL-38 CL-17 CL-10: calls no other failure again, 4xx or 5xx', async () => {
    for (const [code, name, status] of [
      [-32001, 'unauthorized', 401],
      [-32101, 'validation_error', 400],
      [-32300, 'internal_error', 500],
    ] as const) {
      const run = await runSample('closient', [failure(code, name, status), SUCCESS]);
      expect([name, run.status, run.calls.length]).toEqual([name, 1, 1]);
    }
  });

  it.each([[{ gtin: '00614141123452', valid: true }], [{}]])(
    'CL-15 CL-39: a success is the tool’s normal payload, directly: %j',
    async (payload) => {
      const limited = failure(-32003, 'rate_limited', 429, { retryable: true, retry_after: 1 });
      const run = await runSample('closient', [limited, { result: payload }]);
      expect([run.status, run.calls.length, JSON.parse(run.out), run.errors]).toEqual([0, 2, payload, '']);
    },
  );

  it('CL-39 CL-33: gives the payload of a success', async () => {
    const run = await runSample('closient', [SUCCESS]);
    expect([run.status, run.calls.length]).toEqual([0, 1]);
    expect(run.out).toContain('pong');
  });
});
