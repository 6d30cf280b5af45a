import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  causeOf,
  FaultError,
  fault,
  faultOf,
  isFault,
  KIND_NAMES,
  makeFault,
  read,
  toDocument,
} from './index.ts';

const secret = new Error('password=hunter2');

describe('a thrown fault', () => {
  const thrown = fault.notFound('No order 4711', { subject: { type: 'order', id: '4711' }, cause: secret });

  it('is an Error with the fault beside it', () => {
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown.message).toBe('No order 4711');
    expect(thrown.fault).toMatchObject({
      kind: 'not_found',
      reaction: 'terminal',
      subject: { type: 'order', id: '4711' },
    });
  });

  it('has one constructor for each kind', () => {
    const camel = (kind: string) => kind.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    for (const kind of KIND_NAMES) {
      const build = fault[camel(kind) as keyof typeof fault] as (message: string) => FaultError;
      expect(build('x').fault.kind).toBe(kind);
    }
  });

  it('keeps its cause for logs alone', () => {
    expect(causeOf(thrown)).toBe(secret);
    const shown = [
      JSON.stringify(thrown),
      JSON.stringify({ ...thrown }),
      JSON.stringify(structuredClone({ ...thrown })),
      String(thrown),
      structuredClone(thrown).message,
    ];
    for (const text of shown) expect(text).not.toContain('hunter2');
    expect(structuredClone(thrown).cause).toBeUndefined();
    expect(JSON.parse(JSON.stringify(thrown))).toEqual(toDocument(thrown.fault));
  });

  describe('printed', () => {
    afterEach(() => vi.unstubAllEnvs());

    it('shows neither cause nor stack in production', () => {
      vi.stubEnv('NODE_ENV', 'production');
      expect(inspect(thrown)).toBe('FaultError [not_found] order 4711: No order 4711');
      expect(inspect({ nested: thrown }, { showHidden: true })).not.toContain('hunter2');
    });

    it('shows both to a developer', () => {
      vi.stubEnv('NODE_ENV', 'development');
      expect(inspect(thrown)).toContain('fault-error.test.ts');
      expect(inspect(thrown)).toContain('caused by Error: password=hunter2');
    });
  });

  it('is recognised by another copy of the package', async () => {
    const built = new URL('../dist/index.js', import.meta.url).href;
    const copy: typeof import('./index.ts') = await import(built);
    expect(copy.FaultError).not.toBe(FaultError);
    expect(thrown).toBeInstanceOf(copy.FaultError);
    expect(copy.faultOf(thrown)).toBe(thrown.fault);
    expect(copy.causeOf(thrown)).toBe(secret);
  });

  it('reads as itself', () => {
    expect(read(thrown)).toMatchObject({ failure: true, certainty: 1, fault: { kind: 'not_found' } });
  });
});

describe('FaultError.from', () => {
  it('returns a thrown fault as it is, and adds a correlation id where there is none', () => {
    const thrown = fault.conflict('Already shipped', { cause: secret });
    expect(FaultError.from(thrown)).toBe(thrown);
    const tagged = FaultError.from(thrown, { correlationId: 'c-1' });
    expect(tagged.fault).toEqual({ ...thrown.fault, correlationId: 'c-1' });
    expect(causeOf(tagged)).toBe(secret);
  });

  it.each([
    [Object.assign(new Error('connect ECONNREFUSED 10.0.0.5'), { code: 'ECONNREFUSED' }), 'unavailable'],
    [Object.assign(new TypeError('fetch failed'), { cause: { code: 'ETIMEDOUT' } }), 'timeout'],
    [Object.assign(new Error('nope'), { status: 403 }), 'forbidden'],
    [new DOMException('gone', 'AbortError'), 'cancelled'],
    [new Error('boom'), 'internal'],
    ['a string', 'internal'],
    [null, 'internal'],
    [undefined, 'internal'],
    [{ code: 11_000, data: { x: 1 } }, 'internal'],
    [123n, 'internal'],
  ] as const)('masks %o as %s', (reason, kind) => {
    const { fault: got } = FaultError.from(reason);
    expect(got.kind).toBe(kind);
    expect(got.native).toBeUndefined();
    expect(got.message).toBe(makeFault({ kind }).message);
  });

  it('keeps the issues of a validator, which are about the input', () => {
    const zod = Object.assign(new Error('dump'), {
      name: 'ZodError',
      issues: [{ path: ['a', 0], message: 'Required', code: 'invalid_type' }],
    });
    expect(FaultError.from(zod).fault).toMatchObject({
      kind: 'invalid_arguments',
      issues: [{ path: ['a', 0], message: 'Required', code: 'invalid_type' }],
    });
  });
});

describe('isFault', () => {
  it('is false for everything else, hostile values included', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect([new Error('x'), {}, null, 'x', hostile].map(isFault)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(faultOf(hostile)).toBeUndefined();
  });
});
