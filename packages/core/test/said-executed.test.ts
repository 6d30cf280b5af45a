import { describe, expect, it } from 'vitest';
import { defineFault, FaultError, fault, makeFault, read, saidExecuted } from '../src/index.ts';

describe('what a thrower says itself', () => {
  it('is told from what only follows from the kind', () => {
    expect(saidExecuted(fault.rateLimited('x'))).toBe(undefined);
    expect(saidExecuted(fault.rateLimited('x', { executed: 'no' }))).toBe('no');
    expect(saidExecuted(fault('timeout', 'x', { executed: 'maybe' }))).toBe('maybe');
    // Read from the answer to some other call: true there, not here.
    expect(saidExecuted(new FaultError(makeFault({ kind: 'rate_limited', executed: 'no' })))).toBe(undefined);
    expect(saidExecuted(new Error('x'))).toBe(undefined);
  });

  it('stays after the work had begun, and nothing else does', () => {
    const began = { began: true };
    expect(FaultError.from(fault.rateLimited('x'), began).fault.executed).toBe('maybe');
    expect(FaultError.from(fault.rateLimited('x', { executed: 'no' }), began).fault.executed).toBe('no');
    expect(FaultError.from(fault.invalidOutput('x'), began).fault.executed).toBe('yes');
    expect(FaultError.from(fault.rateLimited('x')).fault.executed).toBe('no');
    expect(read(fault.rateLimited('x'), began)).toMatchObject({ fault: { executed: 'maybe' } });
    expect(read(fault.rateLimited('x', { executed: 'no' }), began)).toMatchObject({
      fault: { executed: 'no' },
    });
  });

  it('survives a new carrier', () => {
    const copy = FaultError.from(fault.overloaded('x', { executed: 'no' }), {
      correlationId: 'c-1',
      began: true,
    });
    expect([copy.fault.correlationId, copy.fault.executed, saidExecuted(copy)]).toEqual(['c-1', 'no', 'no']);
  });

  it('is not made up for exceptions, whoever caught them', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(FaultError.from(refused).fault).toMatchObject({ kind: 'unavailable', executed: 'maybe' });
    expect(FaultError.from(refused, { began: false }).fault.executed).toBe('no');
  });

  it('may be part of an application’s own error', () => {
    const NoStock = defineFault('NO_STOCK', {
      kind: 'conflict',
      message: 'Nothing left',
      meaning: 'Checked before anything is reserved.',
      executed: 'no',
    });
    expect(saidExecuted(NoStock({}))).toBe('no');
    expect(saidExecuted(NoStock({}, { executed: 'maybe' }))).toBe('maybe');
    expect(FaultError.from(NoStock({}), { began: true }).fault.executed).toBe('no');
  });
});

describe('yes or maybe beside a declared no', () => {
  const document = { kind: 'rate_limited', reaction: 'retryable', executed: 'no', message: 'busy' };
  const heard = (more: object, inner: object = {}): unknown => {
    const meta = { 'dev.mayday/fault': { ...document, ...inner } };
    const content = [{ type: 'text', text: 'busy' }];
    const reading = read({ result: { isError: true, content, _meta: meta, ...more } });
    return reading.failure && reading.fault.executed;
  };

  it('is believed, wherever it stands', () => {
    expect(heard({})).toBe('no');
    expect(heard({ structuredContent: { executed: 'yes' } })).toBe('yes');
    expect(heard({ structuredContent: { executed: 'maybe' } })).toBe('maybe');
    expect(heard({ structuredContent: { error: { executed: true } } })).toBe('yes');
    expect(heard({ error: { executed: 'maybe' } })).toBe('maybe');
    expect(heard({}, { details: { executed: 'maybe' } })).toBe('maybe');
    expect(heard({}, { cause: { executed: 'yes' } })).toBe('yes');
    const failure = { 'io.modelcontextprotocol/toolFailure': { executed: true } };
    expect(heard({ _meta: { 'dev.mayday/fault': document, ...failure } })).toBe('yes');
  });

  it('counts more the surer it is', () => {
    expect(heard({ structuredContent: { executed: 'yes' } }, { details: { executed: 'maybe' } })).toBe('yes');
  });

  it('is not what a member says that is no declaration', () => {
    expect(heard({ structuredContent: { executed: false } })).toBe('no');
    expect(heard({ structuredContent: { executed: 'no' } })).toBe('no');
  });
});
