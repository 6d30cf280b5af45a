import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { DIALECTS } from '../src/dialects/index.ts';
import { forModel } from '../src/entries/render.ts';
import { type DialectId, type Fault, FaultError, fault, read, toDocument, write } from '../src/index.ts';
import { anything, faults, nearWires } from './arbitraries.ts';

const NOW = Date.parse('2026-04-26T02:34:56Z');
const ids: readonly DialectId[] = DIALECTS.map((dialect) => dialect.id);

function roundTrip(said: Fault, to: DialectId): { heard: Fault; losses: readonly string[] } {
  const { wire, losses } = write(said, to, { id: 1, now: NOW });
  const reading = read(wire, { from: to, now: NOW });
  expect(reading.failure).toBe(true);
  return { heard: (reading as Extract<typeof reading, { failure: true }>).fault, losses };
}

const MEMBERS = ['kind', 'reaction', 'retryable'] as const;

describe('law 1: what is written is read back, except the losses', () => {
  it.each(ids)('%s keeps kind, reaction, retryability and subject, or names the loss', (id) => {
    fc.assert(
      fc.property(faults, (said) => {
        const { heard, losses } = roundTrip(said, id);
        for (const member of MEMBERS)
          expect([said[member], losses.includes(member) ? said[member] : heard[member]]).toEqual([
            said[member],
            said[member],
          ]);
        const kept = losses.includes('subject') ? said.subject?.type : heard.subject?.type;
        expect(kept).toBe(said.subject?.type);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(['mayday', 'problem'] as const)('%s keeps everything', (id) => {
    fc.assert(
      fc.property(faults, (said) => {
        const { heard, losses } = roundTrip(said, id);
        expect(losses).toEqual([]);
        expect(toDocument(heard)).toEqual(toDocument(said));
      }),
      { numRuns: runs(500) },
    );
  });

  it('tool-failure keeps kind, retryability, wait and correlation id of every tool failure', () => {
    fc.assert(
      fc.property(faults, (said) => {
        const { wire } = write(said, 'tool-failure', { id: 1, now: NOW });
        fc.pre('result' in wire);
        const { heard } = roundTrip(said, 'tool-failure');
        expect([heard.kind, heard.retryable]).toEqual([said.kind, said.retryable]);
        expect(heard.retry.afterMs).toBe(said.retryable ? said.retry.afterMs : undefined);
        expect(heard.correlationId ?? said.correlationId).toBe(said.correlationId ?? heard.correlationId);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('law 3: no dialect sends a number that it does not define', () => {
  const codeOf = (wire: object): number | undefined => {
    const { error, result } = wire as { error?: { code: number }; result?: { error?: { code: number } } };
    return error?.code ?? result?.error?.code;
  };

  it.each(DIALECTS.map((dialect) => [dialect.id, dialect] as const))('%s', (id, dialect) => {
    // mayday, problem and tool-failure have no numbers of their own: they send the specification's.
    const spec = DIALECTS.find((candidate) => candidate.id === 'mcp') as (typeof DIALECTS)[number];
    const numbered = dialect.codes.some((row) => typeof row.code === 'number') ? dialect : spec;
    const allowed = new Set<number | string>(
      numbered.codes.filter((row) => row.written).map((row) => row.code),
    );
    fc.assert(
      fc.property(faults, fc.constantFrom('tools/call', 'resources/read', undefined), (said, method) => {
        const code = codeOf(
          write(said, id, { id: 1, now: NOW, ...(method === undefined ? {} : { method }) }).wire,
        );
        expect(code === undefined || allowed.has(code)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('mcp and mayday stay out of the ranges that 2026-07-28 reserves', () => {
    const defined = new Set([-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022]);
    fc.assert(
      fc.property(
        faults,
        fc.constantFrom('mcp' as const, 'mcp@2026-07-28' as const, 'mayday' as const),
        (said, id) => {
          const code = codeOf(write(said, id, { id: 1, now: NOW, method: 'resources/read' }).wire) ?? -32603;
          expect(defined.has(code)).toBe(true);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe('law 4: nothing private is written', () => {
  it('writes neither the cause nor the stack of a thrown fault, in any dialect', () => {
    fc.assert(
      fc.property(faults, fc.uuid(), (said, secret) => {
        const thrown = new FaultError(said, { cause: new Error(`cannot reach ${secret}`) });
        for (const id of ids) {
          const text = JSON.stringify(write(thrown.fault, id, { id: 1, now: NOW }));
          expect(text).not.toContain(secret);
          expect(text).not.toContain('laws.test');
        }
      }),
      { numRuns: 50 },
    );
  });

  it('masks the message of everything that is not a fault', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer(), (secret, code) => {
        const reasons = [
          new Error(secret),
          secret,
          { message: secret, code, data: { secret } },
          Object.assign(new TypeError(secret), { code: 'ENOENT', path: secret }),
        ];
        for (const reason of reasons) {
          for (const id of ids)
            expect(
              JSON.stringify(write(FaultError.from(reason).fault, id, { id: 1, now: NOW })),
            ).not.toContain(secret);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('law 5: reading is total and repeatable', () => {
  it('reads anything, with and without a dialect, the same way each time', () => {
    fc.assert(
      fc.property(fc.oneof(anything, nearWires), fc.constantFrom(undefined, ...ids), (value, from) => {
        const options = { now: NOW, ...(from === undefined ? {} : { from }) };
        const first = read(value, options);
        expect(typeof first.failure).toBe('boolean');
        expect(read(value, options)).toEqual(first);
      }),
      { numRuns: runs(1500) },
    );
  });

  it('translates whatever it read into every dialect', () => {
    fc.assert(
      fc.property(nearWires, fc.constantFrom(...ids), (value, to) => {
        const reading = read(value, { now: NOW });
        const said = reading.failure ? reading.fault : fault.internal().fault;
        expect(() => JSON.stringify(write(said, to, { now: NOW }))).not.toThrow();
      }),
      { numRuns: runs(1000) },
    );
  });

  it('survives values that fight back', () => {
    const cyclic: Record<string, unknown> = { jsonrpc: '2.0' };
    cyclic['error'] = { code: -32603, message: 'x', data: cyclic };
    const throwing = {
      get error(): never {
        throw new Error('no');
      },
      get jsonrpc(): string {
        return '2.0';
      },
    };
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('get');
        },
        has: () => {
          throw new Error('has');
        },
        ownKeys: () => {
          throw new Error('keys');
        },
        getOwnPropertyDescriptor: () => {
          throw new Error('descriptor');
        },
      },
    );
    const deep = JSON.parse(`${'{"error":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    const deepData = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'm', data: deep } };
    for (const value of [
      cyclic,
      throwing,
      trap,
      deep,
      deepData,
      '\ud800',
      JSON.parse('{"__proto__":{"isError":true}}'),
      { jsonrpc: '2.0', error: { code: 1.5, message: 'x' } },
      { jsonrpc: '2.0', id: null, error: { code: 'constructor', message: 3 } },
    ]) {
      const reading = read(value);
      expect(typeof reading.failure).toBe('boolean');
      const said = reading.failure ? reading.fault : fault.internal().fault;
      for (const id of ids) expect(() => JSON.stringify(write(said, id))).not.toThrow();
    }
  });
});

describe('law 6: certainty is honest', () => {
  it('does not guess what a bare -32001 means, and names the candidates', () => {
    const reading = read({ jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'oops' } });
    expect(reading).toMatchObject({
      failure: true,
      dialect: null,
      certainty: 0,
      fault: { kind: 'unknown', retryable: false },
    });
    const says = (reading as Extract<typeof reading, { failure: true }>).evidence;
    expect(says.map(({ dialect, kind }) => [dialect, kind])).toEqual([
      ['closient', 'unauthenticated'],
      ['erlmcp', 'not_found'],
      ['platica', 'unauthenticated'],
    ]);
  });

  it('never lets a guess below one half be retried', () => {
    fc.assert(
      fc.property(fc.oneof(anything, nearWires), (value) => {
        const reading = read(value, { now: NOW });
        expect(reading.failure && reading.certainty < 0.5 && reading.fault.retryable).toBe(false);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('the text for the model', () => {
  it('stays under 60 words whatever the fault holds', () => {
    fc.assert(
      fc.property(faults, fc.string({ maxLength: 3000 }), (said, message) => {
        const text = forModel({ ...said, message: `${said.message} ${message}` });
        expect(text.split(/\s+/).filter(Boolean).length).toBeLessThan(60);
      }),
      { numRuns: runs(500) },
    );
  });
});
