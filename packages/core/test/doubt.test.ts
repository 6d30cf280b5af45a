/** Law 7 on the way out: what may have happened is never told as something that has not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormContext, JsonRpcWire } from '../src/dialects/dialect.ts';
import { inForm } from '../src/dialects/forms.ts';
import { DIALECTS } from '../src/dialects/index.ts';
import { type Fault, KIND_NAMES, language, makeFault, read, type WriteOptions, write } from '../src/index.ts';
import { faults } from './arbitraries.ts';
import { NOW } from './helpers.ts';

const PAY = { type: 'tool', id: 'pay' };

/** Everything that a reader may know of who wrote an answer, and of what was called. */
function heardIn(wire: unknown, from: string): readonly string[] {
  return [{}, { from }, { called: PAY }, { from, called: PAY }].map((known) => {
    const reading = read(wire, { now: NOW, ...known });
    if (!reading.failure) return 'no failure';
    const { executed, retryable } = reading.fault;
    // A closed document has no place for a word of ours: there it is enough that nobody tries again.
    return CLOSED.includes(from) && !retryable ? 'not again' : executed;
  });
}

const CLOSED: readonly string[] = ['platica', 'qaqnuz'];

const subjects = fc.constantFrom(
  undefined,
  PAY,
  { type: 'tool', id: 'mail' },
  { type: 'resource', id: 'a:b' },
  {
    type: 'method',
  },
);
const words = fc.constantFrom(
  'Too many requests',
  'Rate limit exceeded',
  'Unknown tool: pay',
  'Method not found',
  'Invalid params',
  'Parse error',
  'Session not found',
  'not authorized',
  'm x',
);
const doubted = fc
  .tuple(faults, fc.constantFrom('maybe' as const, 'yes' as const), subjects, words)
  .map(([said, executed, subject, message]) => makeFault({ ...said, executed, subject, message }));

const places: fc.Arbitrary<WriteOptions> = fc.record({
  id: fc.constant(1),
  now: fc.constant(NOW),
  method: fc.constantFrom('tools/call', 'resources/read', 'prompts/get', undefined),
  placement: fc.constantFrom('tool' as const, 'protocol' as const, undefined),
  revision: fc.constantFrom('2025-11-25' as const, '2026-07-28' as const),
});

const situations: fc.Arbitrary<Omit<FormContext, 'method'>> = fc.record({
  name: fc.constantFrom('pay', undefined),
  ours: fc.boolean(),
  ofRequest: fc.boolean(),
  masked: fc.boolean(),
  retryableSaid: fc.boolean(),
  now: fc.constant(NOW),
  foreign: fc.constantFrom('backend' as const, 'somebody' as const, undefined),
  mayChange: fc.boolean(),
});

describe.each(DIALECTS.map((dialect) => [dialect.id, dialect] as const))('%s', (id, dialect) => {
  it.each(KIND_NAMES)('%s that may have happened is not read as something that has not', (kind) => {
    for (const executed of ['maybe', 'yes'] as const) {
      const said = makeFault({ kind, message: 'm x', executed, subject: PAY });
      for (const method of ['tools/call', 'resources/read'])
        expect(heardIn(write(said, id, { id: 1, method, now: NOW }).wire, id)).not.toContain('no');
    }
  });

  it('keeps the doubt whatever the fault is and wherever it goes', () => {
    fc.assert(
      fc.property(doubted, places, (said, options) => {
        expect(heardIn(write(said, id, options).wire, id)).not.toContain('no');
      }),
      { numRuns: 80 },
    );
  });

  it('keeps it in the form that its document has for who serves', () => {
    const formed = (said: Fault, options: WriteOptions, situation: Omit<FormContext, 'method'>) => {
      const context = { ...situation, method: options.method ?? '' };
      const spoken = dialect.asSaid?.(said, context) ?? said;
      const { wire } = write(spoken, id, options);
      return 'http' in wire ? wire : inForm(wire as JsonRpcWire, spoken, dialect, language, context);
    };
    fc.assert(
      fc.property(doubted, places, situations, (said, options, situation) => {
        expect(heardIn(formed(said, options, situation), id)).not.toContain('no');
      }),
      { numRuns: 80 },
    );
  });
});

describe('what a server declares itself', () => {
  it.each([
    ['erlmcp', { error: { code: -32010, message: 'Rate limit exceeded', data: { retry_after: 1 } } }],
    ['closient', { result: { error: { code: -32003, message: 'Rate Limited', data: { status: 429 } } } }],
  ])('%s: a refusal stays one, and is handed on as one', (id, said) => {
    const wire = { jsonrpc: '2.0', id: 1, ...said };
    const reading = read(wire, { from: id, now: NOW });
    expect(reading).toMatchObject({ failure: true, fault: { executed: 'no', kind: 'rate_limited' } });
    const { fault } = reading as Extract<typeof reading, { failure: true }>;
    const again = write(fault, id, { id: 1, now: NOW }).wire;
    expect(read(again, { from: id, now: NOW })).toMatchObject({ fault: { executed: 'no' } });
    expect(JSON.stringify(again)).not.toContain('dev.mayday');
  });

  it('is no proof where only its number is known, and is not served as one', () => {
    const wire = {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32010, message: 'Rate limit exceeded', data: { limit: 9 } },
    };
    const reading = read(wire, { now: NOW });
    expect(reading).toMatchObject({ dialect: 'erlmcp', fault: { executed: 'maybe' } });
    const { fault } = reading as Extract<typeof reading, { failure: true }>;
    expect(write(fault, 'erlmcp', { id: 1, now: NOW }).wire).toEqual(wire);
    const plain = { ours: false, ofRequest: false, masked: false, retryableSaid: false, now: NOW };
    const context = { ...plain, method: 'tools/call', name: 'pay' };
    const served = inForm(wire as JsonRpcWire, fault, language.dialect('erlmcp'), language, context);
    expect(served.error?.data).toEqual({ limit: 9, 'dev.mayday/error': { happened: 'maybe' } });
  });

  it('is not believed where a word of ours beside it says otherwise', () => {
    const data = { retry_after: 1, 'dev.mayday/error': { happened: 'maybe' } };
    const wire = { jsonrpc: '2.0', id: 1, error: { code: -32010, message: 'Rate limit exceeded', data } };
    const reading = read(wire, { from: 'erlmcp', now: NOW });
    expect(reading).toMatchObject({ fault: { executed: 'maybe', retry: { afterMs: 1000 } } });
    expect(reading).not.toHaveProperty('fault.details');
  });

  it('is written beside the code, under our name', () => {
    const said = makeFault({ kind: 'rate_limited', message: 'Too many requests', executed: 'maybe' });
    const { wire } = write(said, 'erlmcp', { id: 1, now: NOW });
    expect(wire).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32010,
        message: 'Too many requests',
        data: { 'dev.mayday/error': { happened: 'maybe' } },
      },
    });
  });
});
