import { makeFault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { createFaultLines } from './fault-lines.ts';

const OF = { upstream: 'shop', method: 'tools/call', target: 'pay', caller: null };
const LINE = (id: string): string =>
  `fault upstream=shop method=tools/call tool=pay kind=not_found reaction=terminal origin=upstream executed=maybe id=${id} "No such order"`;

const unnumbered = makeFault({
  kind: 'not_found',
  origin: 'upstream',
  executed: 'maybe',
  message: 'No such order',
});
const numbered = (correlationId: string) => ({ ...unnumbered, correlationId });

describe('lines of failures', () => {
  it('have the number of each, however often the same is said', () => {
    const lineOf = createFaultLines();
    const beside = { unnumbered };
    expect(lineOf(numbered('a-1'), OF, {})).toBe(LINE('a-1'));
    for (const id of ['b-2', 'c-3', 'd-4']) expect(lineOf(numbered(id), OF, beside)).toBe(LINE(id));
  });

  it('tell of the call that it is about, though another failed alike', () => {
    const lineOf = createFaultLines();
    lineOf(numbered('a-1'), OF, { unnumbered });
    const other = { ...OF, target: 'refund', caller: 'ann' };
    expect(lineOf(numbered('b-2'), other, { unnumbered })).toContain('tool=refund caller=ann kind=not_found');
    expect(lineOf(numbered('c-3'), { ...OF, upstream: 'bank' }, { unnumbered })).toContain('upstream=bank ');
    expect(lineOf(numbered('d-4'), { ...OF, method: 'prompts/get' }, { unnumbered })).toContain('prompt=pay');
  });

  it('tell why and where in a trace, and keep neither for the next', () => {
    const lineOf = createFaultLines();
    const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
    expect(lineOf(numbered('a-1'), OF, { unnumbered, reason: 'denied' })).toContain('reason=denied');
    expect(lineOf(numbered('b-2'), OF, { unnumbered, trace })).toContain(`trace_id=${trace.traceId}`);
    expect(lineOf(numbered('c-3'), OF, { unnumbered })).toBe(LINE('c-3'));
  });

  it('are whole where the number stands in the words too', () => {
    const lineOf = createFaultLines();
    const said = { ...unnumbered, message: 'No such order (7f)' };
    const line = (id: string): string => lineOf({ ...said, correlationId: id }, OF, { unnumbered: said });
    expect(line('7f')).toContain('id=7f "No such order (7f)"');
    expect(line('8a')).toContain('id=8a "No such order (7f)"');
  });
});
