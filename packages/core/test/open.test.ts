import { describe, expect, it } from 'vitest';
import { buildCatalogue, lookUp } from '../src/catalog/index.ts';
import { errorResponse, resultResponse } from '../src/dialects/answers.ts';
import { type Dialect, failureMarks, isOfHttp, statusOfCode } from '../src/dialects/dialect.ts';
import { formOf } from '../src/dialects/forms.ts';
import { DIALECTS, type Wire } from '../src/dialects/index.ts';
import { createLanguage, type Fault, fault, language, write } from '../src/index.ts';
import { plan } from '../src/plan/index.ts';
import { NOW } from './helpers.ts';

/** A system that nobody here knows: `{ok: false, trouble: 'E7', why}` inside a plain result. */
function troubleIn(wire: Wire): { trouble?: unknown; why?: unknown } | undefined {
  const said = wire.result?.['structuredContent'] as
    | { ok?: unknown; trouble?: unknown; why?: unknown }
    | undefined;
  return said?.ok === false ? said : undefined;
}

const acme: Dialect = {
  id: 'acme',
  title: 'Acme',
  shape: 'a plain result with ok: false',
  tell: 'trouble beside ok',
  codes: [
    {
      code: 'E7',
      name: 'busy',
      kind: 'overloaded',
      title: 'Busy',
      refusal: true,
      status: 503,
      written: true,
    },
    { code: 'E9', name: 'other', kind: 'internal', title: 'Other', written: true },
  ],
  recognise: (wire) => (troubleIn(wire) === undefined ? 0 : 1),
  read(wire) {
    const said = troubleIn(wire);
    if (said === undefined) return undefined;
    const row = acme.codes.find(({ code }) => code === said.trouble);
    return {
      kind: row?.kind ?? 'unknown',
      message: String(said.why),
      refusal: row?.refusal,
      native: { dialect: 'acme', code: String(said.trouble) },
      certainty: 1,
      evidence: [{ by: 'code', says: String(said.trouble), dialect: 'acme' }],
    };
  },
  write(said: Fault, context) {
    const row = acme.codes.find(({ kind }) => kind === said.kind);
    const body = { ok: false, trouble: row?.code ?? 'E9', why: said.message };
    return resultResponse(context, { content: [], structuredContent: body });
  },
  fails: (wire) => troubleIn(wire) !== undefined,
  failureMarks: ['"trouble"'],
  usualWaitMs: (kind) => (kind === 'overloaded' ? 700 : undefined),
  places: ['tool'],
};

const busy = {
  result: { content: [], structuredContent: { ok: false, trouble: 'E7', why: 'Try me later' } },
};

describe('a dialect of one’s own', () => {
  const larger = language.with(acme);

  it('is read, also where nothing else says failure', () => {
    expect(language.read(busy)).toEqual({ failure: false });
    expect(larger.read(busy, { now: NOW })).toMatchObject({
      failure: true,
      dialect: 'acme',
      fault: { kind: 'overloaded', executed: 'no', message: 'Try me later' },
    });
    expect(larger.read(busy, { from: 'acme' })).toMatchObject({ dialect: 'acme' });
    expect(larger.read(busy, { trustDeclarations: false })).toMatchObject({ fault: { executed: 'maybe' } });
  });

  it('is believed about the work only when more than a number tells it, or when it is named', () => {
    const weak = language.with({ ...acme, recognise: (wire) => (troubleIn(wire) === undefined ? 0 : 0.6) });
    expect(weak.read(busy)).toMatchObject({
      dialect: 'acme',
      fault: { kind: 'overloaded', executed: 'maybe' },
    });
    expect(weak.read(busy, { from: 'acme' })).toMatchObject({ fault: { executed: 'no' } });
  });

  it('is written, redacted, and its losses are measured', () => {
    const said = fault.overloaded('Call me at 10.0.0.5 with password=hunter2').fault;
    const { wire, losses } = larger.write(said, 'acme', { id: 3 });
    expect(wire).toMatchObject({ id: 3, result: { structuredContent: { trouble: 'E7' } } });
    expect(JSON.stringify(wire)).not.toContain('hunter2');
    expect(losses).toEqual([]);
    expect(larger.write(fault.notFound('x').fault, 'acme').losses).toContain('kind');
  });

  it('says what to wait, and is in the catalogue', () => {
    const reading = larger.read(busy, { now: NOW });
    expect(reading.failure && plan(reading.fault, {}, { attempt: 1 })).toMatchObject({
      retry: true,
      afterMs: 700,
    });
    const catalogue = buildCatalogue({ dialects: larger.dialects });
    expect(catalogue.sources[0]).toEqual({
      id: 'acme',
      title: 'Acme',
      shape: 'a plain result with ok: false',
      tell: 'trouble beside ok',
    });
    expect(lookUp(catalogue, 'E7').codes).toMatchObject([{ source: 'acme', kind: 'overloaded' }]);
    expect(statusOfCode(larger.dialect('acme'), 'E7')).toBe(503);
    expect(failureMarks(larger.dialects)).toContain('"trouble"');
  });

  it('changes nothing for anybody else', () => {
    expect(language.dialects).toHaveLength(12);
    expect(larger.dialects).toHaveLength(13);
    expect(() => write(fault.internal().fault, 'acme')).toThrow(
      /Expected a dialect of this language \(closient, /,
    );
  });

  it('says so when somebody reads from a dialect that is not there', () => {
    expect(() => language.read(busy, { from: 'acme' })).toThrow(
      /Expected a dialect of this language .*got "acme"/,
    );
    expect(() => language.dialect('onxx')).toThrow(TypeError);
  });

  it('takes the place of another with its name', () => {
    const mine = { ...acme, id: 'onx' };
    expect(language.with(mine).dialects).toHaveLength(12);
    expect(language.with(mine).dialect('onx')).toMatchObject({ id: 'onx', title: 'Acme', codes: acme.codes });
  });

  it.each([
    [{ ...acme, id: '' }, 'Expected a dialect to have an `id`, got ""'],
    [{ ...acme, codes: undefined }, 'Expected `codes` of the dialect "acme" to be a list'],
    [{ ...acme, failureMarks: 5 }, 'Expected `failureMarks` of the dialect "acme" to be a list of texts'],
    [{ ...acme, failureMarks: null }, 'Expected `failureMarks` of the dialect "acme" to be a list of texts'],
    [{ ...acme, failureMarks: 'err' }, 'Expected `failureMarks` of the dialect "acme" to be a list of texts'],
    [{ ...acme, failureMarks: [7] }, 'Expected `failureMarks` of the dialect "acme" to be a list of texts'],
    [{ ...acme, recognise: undefined }, 'Expected `recognise` of the dialect "acme" to be a function'],
    [undefined, 'Expected a dialect to have an `id`, got undefined'],
  ])('is checked when it is added: %#', (wrong, message) => {
    expect(() => language.with(wrong as never)).toThrow(new TypeError(message));
  });
});

describe('facts of the dialects', () => {
  const facts = (pick: (dialect: Dialect) => unknown) =>
    Object.fromEntries(
      DIALECTS.map((dialect) => [dialect.id, pick(dialect)]).filter(([, fact]) => fact !== undefined),
    );

  it('how an answer to nobody is numbered', () => {
    expect(facts(({ unknownId }) => unknownId)).toEqual({
      closient: 'null',
      onx: 'null',
      erlmcp: 'null',
      qaqnuz: 'null',
      platica: 'null',
      mcp: 'absent',
      'mcp@2026-07-28': 'absent',
      'mcp@2025-11-25': 'absent',
      'mcp@draft': 'absent',
      'tool-failure': 'absent',
      mayday: 'absent',
    });
  });

  it.each([
    ['erlmcp', undefined, null],
    ['erlmcp', null, null],
    ['erlmcp', 0, 0],
    ['onx', undefined, null],
    ['mcp', undefined, undefined],
    ['mcp', null, undefined],
    ['mcp@2025-11-25', null, undefined],
    ['mayday', undefined, undefined],
    ['mayday', null, undefined],
    ['mayday', 'x', 'x'],
    ['tool-failure', null, undefined],
    ['platica', null, null],
    ['platica', undefined, null],
  ] as const)('ER-1 %s answers a request with id %j with id %j', (to, id, expected) => {
    const { wire } = write(fault.parseError('Parse error').fault, to, { id });
    expect((wire as { id?: unknown }).id).toBe(expected);
    expect(Object.keys(wire)[0]).toBe('jsonrpc');
  });

  it('an answer inside a result gets no id that nobody asked for', () => {
    const { wire } = write(fault.conflict('x').fault, 'onx');
    expect(wire).not.toHaveProperty('id');
  });

  it('what whoever serves has to know', () => {
    expect(facts(({ initializeFirst }) => initializeFirst)).toEqual({ erlmcp: true });
    expect(facts(({ requestKinds }) => requestKinds)).toEqual({ onx: true, platica: true });
    expect(facts(({ carriesDocument }) => carriesDocument)).toEqual({ mayday: true });
    expect(facts((dialect) => isOfHttp(dialect) || undefined)).toEqual({ problem: true });
    expect(facts((dialect) => formOf(dialect) && true)).toEqual({
      closient: true,
      onx: true,
      erlmcp: true,
      qaqnuz: true,
      platica: true,
    });
  });

  it('what a document’s client waits', () => {
    expect(facts(({ usualWaitMs }) => usualWaitMs?.('rate_limited'))).toEqual({
      closient: 5000,
      erlmcp: 30_000,
    });
    expect(facts(({ usualWaitMs }) => usualWaitMs?.('timeout'))).toEqual({ closient: 5000 });
  });

  it('the status that a document ties to a code', () => {
    expect(facts((dialect) => statusOfCode(dialect, -32601))).toEqual({
      mcp: 404,
      'mcp@2026-07-28': 404,
      'mcp@draft': 404,
    });
    expect(facts((dialect) => statusOfCode(dialect, -32603))).toEqual({ 'mcp@draft': 500 });
    expect(facts((dialect) => statusOfCode(dialect, -32101))).toEqual({ closient: 400 });
    expect(facts((dialect) => statusOfCode(dialect, 422))).toEqual({ platica: 422 });
  });

  it('where failures go out', () => {
    expect(facts(({ places }) => places?.join(' '))).toEqual({
      closient: 'tool',
      onx: 'protocol tool',
      erlmcp: 'protocol',
      qaqnuz: 'tool',
      platica: 'protocol tool',
      mcp: 'protocol tool',
      'mcp@2026-07-28': 'protocol tool',
      'mcp@2025-11-25': 'protocol tool',
      'mcp@draft': 'protocol tool',
      problem: 'http',
      'tool-failure': 'protocol tool',
      mayday: 'protocol tool',
    });
  });

  it('what a failing answer has in its bytes', () => {
    expect(failureMarks(DIALECTS)).toEqual(['"isError"', '"error"', '"error_class"', 'toolFailure']);
  });

  it('whose answers are the specification’s with something added', () => {
    expect(Object.keys(facts(({ extendsProtocol }) => extendsProtocol))).toEqual([
      'mcp',
      'mcp@2026-07-28',
      'mcp@2025-11-25',
      'mcp@draft',
      'tool-failure',
      'mayday',
    ]);
    expect(Object.keys(facts(({ classifies }) => classifies))).toEqual(['tool-failure', 'mayday']);
  });
});

describe('losses', () => {
  it('are measured when they are asked for, and once', () => {
    let reads = 0;
    const counting: Dialect = {
      ...acme,
      write: (said, context) => errorResponse(context, -32603, said.message),
      read: () => {
        reads += 1;
        return { kind: 'internal', certainty: 1, evidence: [] };
      },
    };
    const small = createLanguage({ dialects: [counting] });
    const translation = small.write(fault.notFound('x').fault, 'acme', { id: 1 });
    expect(translation.wire).toMatchObject({ error: { code: -32603 } });
    expect(reads).toBe(0);
    expect(translation.losses).toContain('kind');
    expect(translation.losses).toBe(translation.losses);
    expect(reads).toBe(1);
  });

  it('are there for whoever prints a translation', () => {
    const printed = JSON.parse(JSON.stringify(write(fault.misconfigured('x').fault, 'erlmcp', { id: 1 })));
    expect(printed.losses).toContain('kind');
  });
});
