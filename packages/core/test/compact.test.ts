import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { DIALECTS, type Dialect } from '../src/dialects/index.ts';
import { createLanguage, lookAtHttp, mayday, problem } from '../src/entries/compact.ts';
import { foreign, readUnstructured } from '../src/entries/prose-compact.ts';
import { createLanguage as createWhole, type Fault, fault, language, type Reading } from '../src/index.ts';
import { anything, faults, nearWires } from './arbitraries.ts';
import { NOW, rpc, toolError } from './helpers.ts';

const dialects: readonly Dialect[] = DIALECTS.map((one) =>
  one.id === 'mayday' ? mayday : one.id === 'problem' ? problem : one,
);
const small = createLanguage({ dialects, foreign, prose: readUnstructured, http: lookAtHttp });
const bare = createLanguage({ dialects: [] });
/** The same without the compact parts: what they may leave out is to be seen. */
const whole = createWhole({ dialects: DIALECTS, foreign, prose: readUnstructured });

function faultIn(reading: Reading): Fault {
  expect(reading.failure).toBe(true);
  return (reading as Extract<Reading, { failure: true }>).fault;
}

function executedIn(reading: Reading): Fault['executed'] | 'success' {
  return reading.failure ? reading.fault.executed : 'success';
}

describe('a compact language', () => {
  it('reads anything, and never says that nothing happened', () => {
    fc.assert(
      fc.property(
        fc.oneof(anything, nearWires),
        fc.option(fc.boolean(), { nil: undefined }),
        (value, began) => {
          const options = { now: NOW, began };
          expect(executedIn(small.read(value, options))).not.toBe('no');
          expect(executedIn(bare.read(value, options))).not.toBe('no');
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it('reads what the whole language reads, but for what proves that nothing happened', () => {
    fc.assert(
      fc.property(nearWires, (value) => {
        const options = { now: NOW };
        const reading = whole.read(value, options);
        const again = small.read(value, options);
        expect(again.failure).toBe(reading.failure);
        const [one, other] = [reading, again].map((said) => (said.failure ? said.fault : undefined));
        expect(other?.kind).toBe(one?.kind);
        expect(other?.subject).toEqual(one?.subject);
        expect(other?.executed === one?.executed || one?.executed === 'no').toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  it.each(dialects.map(({ id }) => id))(
    'writes %s so that nobody takes it for a refusal that is none',
    (id) => {
      const isClosed = dialects.find((one) => one.id === id)?.closed === true;
      fc.assert(
        fc.property(faults, (said) => {
          const { wire } = small.write(said, id, { id: 1, now: NOW });
          expect(small.read(wire, { from: id, now: NOW }).failure).toBe(true);
          const { executed, retryable } = faultIn(language.read(wire, { from: id, now: NOW }));
          const isKnown = said.executed === 'no' || executed !== 'no';
          expect(isKnown || (isClosed && !retryable)).toBe(true);
        }),
        { numRuns: runs(300) },
      );
    },
  );

  it('says what a document declares to have happened', () => {
    const document = { kind: 'timeout', reaction: 'retryable', executed: 'yes', message: 'x' };
    const wire = toolError('x', { _meta: { 'dev.mayday/fault': document } });
    expect(executedIn(small.read(wire))).toBe('yes');
    const declared = toolError('x', { _meta: { 'dev.mayday/fault': { ...document, executed: 'no' } } });
    expect(executedIn(small.read(declared))).toBe('maybe');
  });

  it('without the part for HTTP reads a failing status as a failure, and nothing more', () => {
    const down = { http: { status: 503, headers: {}, body: 'down' } };
    expect(faultIn(bare.read(down)).kind).toBe('unknown');
    expect(bare.read({ http: { status: 200, headers: {}, body: 'ok' } }).failure).toBe(false);
    expect(faultIn(small.read(down)).kind).toBe('unavailable');
  });

  it('writes as the whole language does where nothing is in doubt', () => {
    const said = fault.notFound('No such order', {
      subject: { type: 'order', id: '7' },
      executed: 'no',
    }).fault;
    const options = { id: 1, now: NOW };
    expect(small.write(said, 'mayday', options).wire).toEqual(language.write(said, 'mayday', options).wire);
  });
});

describe('the compact reader of words', () => {
  it.each([
    [toolError('Request failed with status code 429: retry in 7 seconds'), 'rate_limited', 7000],
    [toolError('connect ECONNREFUSED 127.0.0.1:5432'), 'unavailable', undefined],
    [toolError('{"error":{"code":401,"message":"Invalid API key"}}'), 'unauthenticated', undefined],
    [toolError('Order 4711 not found'), 'not_found', undefined],
    [rpc(-32602, 'Missing required argument: amount'), 'invalid_arguments', undefined],
  ])('reads %j', (wire, kind, afterMs) => {
    const read = faultIn(small.read(wire, { now: NOW }));
    expect([read.kind, read.retry.afterMs]).toEqual([kind, afterMs]);
  });

  it('says that it does not know what only the whole reader knows', () => {
    const wire = toolError('Diese Datei ist leider nicht mehr vorhanden');
    expect(faultIn(small.read(wire))).toMatchObject({ kind: 'unknown', retryable: false });
  });

  it('asks for no retry that the servers which were gathered did not ask for', () => {
    const path = new URL('fixtures/reading/gathered.jsonl', import.meta.url);
    const rows = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
      .filter(
        ({ readable, disguise, label }) => readable && disguise === undefined && label.failure !== false,
      );
    const read = rows.map(({ wire, label }) => ({ label, said: faultIn(small.read(wire)) }));
    expect(read.filter(({ said, label }) => said.retryable && label.retryable !== true)).toEqual([]);
    const right = read.filter(({ said, label }) => [label.kind, ...(label.also ?? [])].includes(said.kind));
    expect(right.length / rows.length).toBeGreaterThan(0.93);
  });
});

interface Row {
  readonly wire: unknown;
  readonly readable: boolean;
  readonly disguise?: string;
  readonly label: {
    readonly failure?: boolean;
    readonly kind: string;
    readonly also?: readonly string[];
    readonly retryable?: boolean;
  };
}

it.each([{ dialect: [] }, { dialects: mayday }])('says what a language is made of: %j', (options) => {
  expect(() => createLanguage(options as never)).toThrow(new TypeError('Expected a list of `dialects`'));
});
