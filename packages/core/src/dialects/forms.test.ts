import { describe, expect, it } from 'vitest';
import { fault, KIND_NAMES, language, makeFault } from '../index.ts';
import type { Dialect, FormContext, JsonRpcWire } from './dialect.ts';
import { formOf, inForm } from './forms.ts';

const PLAIN: FormContext = {
  method: 'tools/call',
  ours: true,
  ofRequest: false,
  masked: false,
  retryableSaid: false,
  now: Date.UTC(2026, 10, 15),
};

/** What a server of the dialect answers to nobody in particular. */
function formed(
  said: { readonly fault: Parameters<typeof inForm>[1] },
  id: string,
  more: Partial<FormContext> = {},
) {
  const context = { ...PLAIN, ...more };
  const options = { method: context.method, now: context.now, redact: false } as const;
  const wire = language.write(said.fault, id, options).wire as JsonRpcWire;
  return inForm(wire, said.fault, language.dialect(id), language, context);
}

const DOCUMENTS = ['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'];

const unknownTool = fault.notFound('There is no tool nope', { subject: { type: 'tool', id: 'nope' } });
const outside = fault.forbidden('This Host is not served here');

it('ER-33 a page in place of words is told by its title', () => {
  const page = '<!DOCTYPE html><html><head><title>Bad gateway</title></head><body><pre>x</pre></body></html>';
  expect(formed(fault.internal(page), 'erlmcp', { name: 'pay', ours: false })).toMatchObject({
    error: { code: -32031, data: { tool: 'pay', reason: 'Bad gateway' } },
  });
});

describe('a tool that is not there', () => {
  it.each([
    ['erlmcp', { code: -32002, message: 'Tool not found', data: { tool: 'nope' } }],
    ['onx', { code: -32602, message: 'Invalid params', data: { field: 'name', reason: 'unknown_tool' } }],
    ['platica', { code: -32602, message: 'There is no tool nope' }],
  ])('%s', (id, error) => {
    expect(formed(unknownTool, id)).toEqual({ jsonrpc: '2.0', id: null, error });
  });

  it('qaqnuz: only that it is out of reach', () => {
    expect(formed(unknownTool, 'qaqnuz').result?.['content']).toEqual([
      { type: 'text', text: 'This tool is not available for your key.' },
    ]);
  });

  it.each(['onx', 'platica'])('%s: what an author did not find is the author’s to say', (id) => {
    expect(formed(unknownTool, id, { ours: false }).result).toMatchObject({ isError: true });
  });
});

describe('a request that is wrong as such', () => {
  it.each([
    ['closient', -32002],
    ['onx', -32600],
    ['erlmcp', -32056],
    ['qaqnuz', -32600],
    ['platica', -32602],
  ])('%s says it at the top, with id null', (id, code) => {
    const answer = formed(outside, id, { method: '', ofRequest: true });
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
    expect(answer).not.toHaveProperty('result');
  });

  it.each(DOCUMENTS)('%s: whatever its kind and subject, it is an error with id null', (id) => {
    for (const kind of KIND_NAMES) {
      for (const type of [undefined, 'tool', 'method', 'header', 'session']) {
        const said = makeFault({ kind, message: 'No', subject: type === undefined ? type : { type } });
        const answer = formed({ fault: said }, id, { method: '', ofRequest: true });
        expect(Object.keys(answer), `${kind} ${type}`).toEqual(['jsonrpc', 'id', 'error']);
        expect([answer.id, Number.isInteger(answer.error?.code)]).toEqual([null, true]);
      }
    }
  });

  it('closient: its fields are told in words', () => {
    const issues = [{ path: ['name'], message: 'Expected a text', code: 'invalid_type' }];
    const wrong = fault.invalidArguments('Bad params', { issues });
    const { error } = formed(wrong, 'closient', { ofRequest: true });
    expect(error).toMatchObject({ code: -32100, data: { detail: 'Bad params; name: Expected a text' } });
    expect(error?.data).not.toHaveProperty('errors');
  });
});

describe('other dialects', () => {
  it.each(['mayday', 'mcp', 'mcp@2025-11-25', 'tool-failure'])('%s has no other form', (id) => {
    const written = language.write(outside.fault, id, { method: 'ping', id: 7 }).wire as JsonRpcWire;
    expect(inForm(written, outside.fault, language.dialect(id), language, PLAIN)).toBe(written);
  });

  it('one of somebody’s own brings its form along', () => {
    const own: Dialect = { ...language.dialect('mcp'), id: 'own', form: (_, { kind }) => said(kind) };
    const said = (kind: string): JsonRpcWire => ({ jsonrpc: '2.0', error: { code: 1, message: kind } });
    expect(inForm(said(''), outside.fault, own, language.with(own), PLAIN)).toEqual(said('forbidden'));
  });

  it('one that takes another’s name has not its form', () => {
    expect(formOf({ ...language.dialect('mcp'), id: 'erlmcp' })).toBeUndefined();
  });
});
