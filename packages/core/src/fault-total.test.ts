/** Whatever a fault is made of, a fault comes of it: nothing is thrown, and nothing wrong is left in it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { forModel } from './entries/render.ts';
import {
  causeOf,
  defineFault,
  FaultError,
  fault,
  faultOf,
  KIND_NAMES,
  makeFault,
  saidExecuted,
  saidRetryable,
  toDocument,
  write,
} from './index.ts';

const any = (value: unknown): never => value as never;

const hostile = {
  get type(): string {
    throw new Error('no');
  },
};

const throws = (): never => {
  throw new Error('no');
};

describe('a field of the wrong type', () => {
  it.each([
    ['a subject that is a word', { subject: 'order' }, { subject: { type: 'order' } }],
    ['a number as id', { subject: { type: 'order', id: 4711 } }, { subject: { type: 'order', id: '4711' } }],
    ['an object as id', { subject: { type: 'order', id: {} } }, { subject: { type: 'order' } }],
    ['more than a subject has', { subject: { type: 'order', x: 1 } }, { subject: { type: 'order' } }],
    [
      'a wait of which one member throws',
      { retryable: true, retry: Object.defineProperty({ afterMs: 5 }, 'jitter', { get: throws }) },
      { retry: { when: 'after_wait', afterMs: 5 } },
    ],
    [
      'what a dialect said, of which one member throws',
      { native: Object.defineProperty({ dialect: 'onx', code: 7 }, 'extra', { get: throws }) },
      { native: { dialect: 'onx', code: 7 } },
    ],
    ['issues that are words', { issues: ['bad id'] }, { issues: [{ path: [], message: 'bad id' }] }],
    [
      'one issue',
      { issues: { path: ['id'], message: 'bad' } },
      { issues: [{ path: ['id'], message: 'bad' }] },
    ],
    [
      'a path that is a word',
      { issues: [{ path: 'a.0', message: 'x' }] },
      { issues: [{ path: ['a', 0], message: 'x' }] },
    ],
    ['an issue without a path', { issues: [{ message: 'x' }] }, { issues: [{ path: [], message: 'x' }] }],
    [
      'an issue without words',
      { issues: [{ path: ['id'] }] },
      { issues: [{ path: ['id'], message: 'invalid' }] },
    ],
    ['issues that say nothing', { issues: [null, 7, {}, ''] }, { issues: [] }],
    ['a yes', { executed: true }, { executed: 'yes' }],
    ['a no', { executed: false }, { executed: 'maybe' }],
    ['a word that nobody knows', { executed: 'never' }, { executed: 'maybe' }],
    ['an origin that nobody knows', { origin: 'moon' }, { origin: 'caller' }],
    ['a reaction that nobody knows', { reaction: 'panic' }, { reaction: 'terminal' }],
    ['a word in place of a boolean', { retryable: 'yes' }, { retryable: false }],
    ['a number as correlation id', { correlationId: 7 }, { correlationId: '7' }],
    ['a date', { timestamp: new Date(0) }, { timestamp: '1970-01-01T00:00:00.000Z' }],
    [
      'big numbers and dates in details',
      { details: { n: 7n, at: new Date(0) } },
      { details: { n: '7', at: '1970-01-01T00:00:00.000Z' } },
    ],
    [
      'a retry of nonsense',
      { retryable: true, retry: { when: 'soon', afterMs: '5', maxAttempts: -1, backoff: 'x', jitter: 7 } },
      { retry: { when: 'backoff' } },
    ],
  ])('%s', (_, given, expected) => {
    expect(fault.conflict('x', any(given)).fault).toMatchObject(expected);
    expect(makeFault(any({ kind: 'conflict', ...given }))).toMatchObject(expected);
  });

  it.each([
    ['subject', null],
    ['subject', hostile],
    ['subject', 7],
    ['advice', 5],
    ['name', {}],
    ['timestamp', new Date(Number.NaN)],
    ['details', 'words'],
    ['details', []],
    ['native', 'mcp'],
    ['native', { dialect: 7 }],
  ])('%s that cannot be anything is left out', (name, value) => {
    expect(fault.conflict('x', any({ [name]: value })).fault).not.toHaveProperty(name);
  });

  it('a message that is no text is the title of its kind; an exception is the cause', () => {
    const boom = new Error('postgres://svc:hunter2@db/x');
    const thrown = fault.internal(any(boom));
    expect(thrown.message).toBe('Internal error');
    expect(causeOf(thrown)).toBe(boom);
    expect(fault.notFound(any(7)).message).toBe('7');
    expect(fault.notFound(any({})).message).toBe('Not found');
    expect(fault.notFound(any(Symbol('x'))).message).toBe('Not found');
  });

  it('a kind that nobody knows is unknown', () => {
    expect(fault(any('nope'), 'x').fault).toMatchObject({ kind: 'unknown', message: 'x', executed: 'maybe' });
    expect(makeFault(any(undefined))).toMatchObject({ kind: 'unknown', message: 'Unknown failure' });
    expect(makeFault(any({ kind: '__proto__' })).kind).toBe('unknown');
  });

  it('says nothing for its author', () => {
    expect(saidExecuted(fault.conflict('x', any({ executed: false })))).toBeUndefined();
    expect(saidRetryable(fault.conflict('x', any({ retryable: 'no' })))).toBeUndefined();
    expect(saidExecuted(fault.conflict('x', { executed: 'no' }))).toBe('no');
  });

  it.each([
    [
      { retryAfter: 5 },
      'Unknown option `retryAfter` of a fault; it has subject, retryable, retry, executed,',
    ],
    [{ excuted: 'no' }, 'Unknown option `excuted` of a fault; it has subject, '],
  ])(
    'options that nobody reads are told of once, and the fault is the same: %j',
    async (options, sentence) => {
      const warnings: string[] = [];
      const hear = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`);
      process.on('warning', hear);
      const made = [fault.notFound('No order 4711', any(options)), fault('not_found', 'x', any(options))];
      await new Promise((resolve) => setImmediate(resolve));
      process.off('warning', hear);
      expect(made.map(({ message }) => message)).toEqual(['No order 4711', 'x']);
      expect(warnings).toEqual([expect.stringContaining(`MaydayWarning: ${sentence}`)]);
    },
  );

  it('what is said, handed on or thrown by others is no such option', async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error): void => void warnings.push(warning);
    process.on('warning', hear);
    const { fault: other } = fault.conflict('x', { subject: { type: 'order' }, advice: 'y', cause: 'z' });
    expect(fault.notFound('y', other).fault.kind).toBe('not_found');
    expect(fault.notFound('y', any(Object.assign(new Error('x'), { status: 404 }))).message).toBe('y');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', hear);
    expect(warnings).toEqual([]);
  });

  it('options that are no object are none', () => {
    expect(fault.conflict('x', any(null)).fault).toEqual(makeFault({ kind: 'conflict', message: 'x' }));
    expect(fault.conflict('x', any('words')).fault).toEqual(makeFault({ kind: 'conflict', message: 'x' }));
  });
});

describe('a carrier', () => {
  it('holds a whole fault, whatever it was made of', () => {
    const thrown = new FaultError(any({ kind: 'conflict', message: 'x' }));
    expect(thrown.fault).toEqual(makeFault({ kind: 'conflict', message: 'x' }));
    expect(new FaultError(any(undefined)).fault.kind).toBe('unknown');
  });

  it('of another copy of this package is read the same way', () => {
    const brand = Symbol.for('dev.mayday/fault');
    const foreign = Object.defineProperty(new Error('x'), brand, {
      value: { kind: 'conflict', issues: ['y'] },
    });
    expect(faultOf(foreign)).toMatchObject({
      kind: 'conflict',
      message: 'Conflict',
      issues: [{ message: 'y' }],
    });
    expect(FaultError.from(foreign).fault.issues).toEqual([{ path: [], message: 'y' }]);
  });

  it('keeps a fault that is whole as it is', () => {
    const whole = makeFault({ kind: 'conflict', details: { a: [1] }, subject: { type: 'order' } });
    expect(new FaultError(whole).fault).toBe(whole);
  });
});

describe('an error that an application defines', () => {
  const OutOfStock = defineFault<{ sku: string }>('OUT_OF_STOCK', {
    kind: 'conflict',
    subject: 'product',
    subjectId: 'sku',
    message: ({ sku }) => `Nothing left of ${sku.toUpperCase()}`,
    meaning: 'x',
  });

  it('is made of whatever there is', () => {
    expect(OutOfStock({ sku: 'a' }).message).toBe('Nothing left of A');
    expect(OutOfStock(any(undefined)).fault).toMatchObject({
      name: 'OUT_OF_STOCK',
      message: 'Conflict',
      subject: { type: 'product' },
    });
    expect(OutOfStock(any({ sku: Symbol('x') }), any(null)).fault.name).toBe('OUT_OF_STOCK');
    expect(OutOfStock({ sku: 'a' }, any({ afterMs: Symbol('x') })).fault.retry).toEqual({ when: 'never' });
  });
});

const FIELDS = [
  'kind',
  'message',
  'subject',
  'reaction',
  'retryable',
  'retry',
  'executed',
  'origin',
  'issues',
  'name',
  'advice',
  'details',
  'correlationId',
  'timestamp',
  'native',
  'cause',
];

const thorny = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  }),
  fc.constantFrom<unknown>(
    hostile,
    Symbol('x'),
    () => 1,
    new Error('x'),
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
        ownKeys: () => {
          throw new Error('no');
        },
      },
    ),
  ),
  fc.record(
    {
      type: fc.anything(),
      id: fc.anything(),
      path: fc.anything(),
      message: fc.anything(),
      when: fc.anything(),
      dialect: fc.string(),
      code: fc.anything(),
      extra: fc.anything(),
    },
    { requiredKeys: [] },
  ),
);
const given = fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(thorny, fc.array(thorny, { maxLength: 3 })));

describe('whatever the fields are', () => {
  it('a fault comes of it that can be told, written, and made again', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<unknown>(...KIND_NAMES, 'nope', 7),
        thorny,
        given,
        (kind, message, options) => {
          const { fault: made } = fault(any(kind), any(message), any(options));
          expect(makeFault(made)).toEqual(made);
          expect(['no', 'maybe', 'yes']).toContain(made.executed);
          expect(JSON.parse(JSON.stringify(toDocument(made)))).toMatchObject({ kind: made.kind });
          expect(typeof forModel(made)).toBe('string');
          expect(JSON.stringify(write(made, 'mayday').wire)).toContain(made.kind);
          expect(new FaultError(makeFault(any(options))).fault.issues).toBeInstanceOf(Array);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
