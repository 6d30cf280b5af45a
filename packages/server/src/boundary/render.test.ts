import { type DialectId, type Fault, FaultError, type FaultInit, language, makeFault } from '@mayday/core';
import { restError } from '@mayday/core/dialects/platica';
import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../options.ts';
import type { Message } from '../shapes.ts';
import { dialectFor, keepsContent, type Rendered, render } from './render.ts';
import { seal } from './seal.ts';

const settings = settingsFrom();
const state = (more: object = {}) =>
  ({
    id: 7,
    method: 'tools/call',
    name: 'refund',
    revision: '2025-11-25',
    tool: undefined,
    message: { params: {} },
    ...more,
  }) as never;

/** The answer for a fault. */
function answer(
  init: FaultInit,
  {
    dialect = 'mayday' as DialectId,
    of = {},
    failure = {} as Rendered,
    replaced = undefined as Message | undefined,
    placement = undefined as 'tool' | 'protocol' | undefined,
  } = {},
): Message {
  const own = { ...settings, placement } as never;
  return render(makeFault(init), state(of), language.dialect(dialect), own, failure, replaced);
}

const LATE: FaultInit = { kind: 'timeout', message: 'Too slow', executed: 'maybe' };
const GONE: FaultInit = { kind: 'not_found', message: 'Gone', subject: { type: 'tool', id: 'refund' } };

describe('an answer', () => {
  it('of a tool is a result; of anything else, or of a task’s beginning, an error', () => {
    expect(answer(LATE)).toMatchObject({ jsonrpc: '2.0', id: 7, result: { isError: true } });
    expect(answer(LATE, { of: { method: 'resources/read' } })).toMatchObject({
      error: { data: { kind: 'timeout' } },
    });
    expect(answer(LATE, { of: { message: { params: { task: {} } } } })).toHaveProperty('error');
    expect(answer({ kind: 'internal', message: 'x' }, { placement: 'protocol' })).toHaveProperty('error');
    expect(answer({ kind: 'internal', message: 'x' })).toHaveProperty('result');
  });

  it('is a tool’s result where it has to be, with its own kind and subject in the document', () => {
    const failure = { asTool: true };
    expect(answer(GONE)).toHaveProperty('error');
    const { result } = answer(GONE, { failure });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('Gone') }],
      _meta: { 'dev.mayday/fault': { kind: 'not_found', subject: { type: 'tool', id: 'refund' } } },
    });
    expect(answer(GONE, { failure, placement: 'protocol' })).toHaveProperty('error');
    expect(answer(GONE, { failure, dialect: 'mcp' }).result).toMatchObject({ isError: true });
  });

  it('carries a problem document where the dialect is HTTP’s', () => {
    const { result } = answer(LATE, { dialect: 'problem' });
    expect(result).toMatchObject({ isError: true, structuredContent: { status: 504 } });
    expect(result?.['_meta']).toEqual({ 'dev.mayday/problem': result?.['structuredContent'] });
    const strict = { tool: { outputSchema: {} } };
    expect(answer(LATE, { dialect: 'problem', of: strict }).result).not.toHaveProperty('structuredContent');
    const newer = { ...strict, revision: '2026-07-28' };
    expect(answer(LATE, { dialect: 'problem', of: newer }).result).toHaveProperty('structuredContent');
    expect(answer(LATE, { dialect: 'problem', of: { method: 'resources/read' } }).error).toMatchObject({
      data: { status: 504 },
    });
  });

  it.each([-32601, -32020, -32021, -32022])(
    'has the code %i in every dialect: a status hangs on it',
    (code) => {
      for (const dialect of ['mayday', 'mcp', 'closient', 'onx', 'erlmcp', 'platica', 'problem'] as const)
        expect(answer(LATE, { dialect, failure: { code } }).error?.code).toBe(code);
    },
  );

  it('has another code of the specification’s where the dialect does not say its own', () => {
    const failure = { code: -32602 };
    const of = { method: 'resources/read' };
    expect(answer(LATE, { failure, of }).error).toMatchObject({ code: -32602, data: { kind: 'timeout' } });
    expect(answer(LATE, { failure, of, dialect: 'erlmcp' }).error?.code).not.toBe(-32602);
  });

  it('has the code that an author chose, where the number is the author’s to choose', () => {
    const said = (spokenCode: number, revision = '2025-11-25') =>
      answer(LATE, { failure: { spokenCode }, of: { method: 'resources/read', revision } }).error?.code;
    expect([7, -31999, -32000, -32768, -32769, -32002].map((code) => said(code) === code)).toEqual([
      true,
      true,
      false,
      false,
      true,
      true,
    ]);
    expect(said(-32002, '2026-07-28')).not.toBe(-32002);
    expect(answer(LATE, { failure: { spokenCode: 7 } })).not.toHaveProperty('error');
  });

  it('has the data that the specification defines, beside its own', () => {
    const failure = { data: { supported: ['a'] } };
    const of = { method: 'resources/read' };
    expect(answer(LATE, { failure, of }).error?.data).toMatchObject({ kind: 'timeout', supported: ['a'] });
    for (const data of ['x', null, undefined])
      expect(answer(LATE, { failure: { data }, of }).error).toEqual(answer(LATE, { of }).error);
  });

  it('keeps the stamps of the result that it replaces', () => {
    const stamp = (result: object): Message => ({ jsonrpc: '2.0', id: 7, result: result as never });
    const replaced = stamp({ resultType: 'complete', _meta: { server: 'x', 'dev.mayday/fault': 1 } });
    expect(answer(LATE, { replaced }).result).toMatchObject({
      resultType: 'complete',
      _meta: { server: 'x', 'dev.mayday/fault': { kind: 'timeout' } },
    });
    expect(answer(LATE, { replaced: stamp({}), of: { revision: '2026-07-28' } }).result).not.toHaveProperty(
      'resultType',
    );
  });

  it('is the author’s own, with the fault in it, where the author wrote one', () => {
    const content = [{ type: 'text', text: 'Mine' }];
    const replaced: Message = { jsonrpc: '2.0', id: 7, result: { isError: true, content } };
    const told = answer(LATE, { failure: { authored: true, advised: true }, replaced }).result;
    expect(told?.['content']).toEqual([...content, { type: 'text', text: expect.any(String) }]);
    const quiet = answer(LATE, { failure: { authored: true }, replaced }).result;
    expect(quiet).toMatchObject({ content, _meta: { 'dev.mayday/fault': { kind: 'timeout' } } });
    expect(quiet?.['content']).toHaveLength(1);
    expect(answer(LATE, { failure: { authored: true } }).result?.['content']).not.toEqual(content);
    const task = { method: 'tasks/result' };
    expect(answer(LATE, { failure: { authored: true }, replaced, of: task })).toHaveProperty('result');
  });

  it('refers to the log where words were kept back', () => {
    const init = { ...LATE, correlationId: 'ref-1' };
    const text = (failure: Rendered) => JSON.stringify(answer(init, { failure }).result?.['content']);
    expect(text({ masked: true })).toContain('ref-1');
    expect(text({})).not.toContain('ref-1');
  });

  it('is said in ours, when a dialect of somebody’s own throws', () => {
    const broken = {
      ...language.dialect('mayday'),
      id: 'broken' as DialectId,
    };
    const warned: Error[] = [];
    const listen = (warning: Error) => void warned.push(warning);
    process.on('warning', listen);
    expect(render(makeFault(LATE), state(), broken, settings)).toMatchObject({
      result: { _meta: { 'dev.mayday/fault': { kind: 'timeout' } } },
    });
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      process.off('warning', listen);
      expect(warned.map(({ message }) => message).join()).toContain(
        'the dialect broken could not say a fault: ',
      );
    });
  });
});

describe('the dialect of an answer', () => {
  const asking = (meta?: unknown, header?: unknown) =>
    state({
      meta: (key: string) => (key === 'dev.mayday/dialect' ? meta : undefined),
      header: (key: string) => (key === 'mayday-dialect' ? header : undefined),
    });

  it('is the one that was asked for, in the meta before the header, if the server allows it', () => {
    const of = (...asked: Parameters<typeof asking>) => dialectFor(asking(...asked), settings).id;
    expect([of('mcp', 'onx'), of(undefined, 'mcp'), of(), of('nobody'), of(7)]).toEqual([
      'mcp',
      'mcp',
      'mayday',
      'mayday',
      'mayday',
    ]);
    const closed = settingsFrom({ clientDialects: false });
    expect(dialectFor(asking('mcp'), closed).id).toBe('mayday');
  });

  it.each([
    ['mayday', true],
    ['mcp', true],
    ['problem', true],
    ['tool-failure', true],
    ['closient', false],
    ['onx', false],
    ['erlmcp', false],
    ['qaqnuz', false],
    ['platica', false],
  ] as const)('%s leaves an author’s content as it is: %j', (id, keeps) => {
    expect(keepsContent(language.dialect(id))).toBe(keeps);
  });
});

describe('a fault as it leaves', () => {
  const sealed = (init: FaultInit, more: object = {}, began = true) => {
    const thrown = { fault: makeFault(init) };
    return seal({ thrown: thrown as never, began }, state(more), settings);
  };

  it('is about what the request was about, where that cannot change its place', () => {
    expect(sealed(LATE).subject).toEqual({ type: 'tool', id: 'refund' });
    expect(sealed({ ...LATE, subject: { type: 'order', id: '7' } }).subject).toEqual({
      type: 'order',
      id: '7',
    });
    expect(sealed(LATE, { name: undefined }).subject).toBeUndefined();
    expect(sealed(LATE, { method: 'prompts/get' }).subject?.type).toBe('prompt');
    for (const kind of ['not_found', 'unsupported'] as const)
      expect(sealed({ kind, message: 'x' }).subject).toBeUndefined();
  });
});

describe('a body that an author passes on', () => {
  const passedOn = (dialect: DialectId, status: number, body: string): Message =>
    answer(restError(status, body) as FaultInit, { dialect });

  it('PL-5 goes out to the letter, people in it and all', () => {
    const body = '{ "code": 422,  "error": "No client ada@example.com" }';
    expect(passedOn('platica', 422, body).result).toEqual({
      isError: true,
      content: [{ type: 'text', text: body }],
      structuredContent: { code: 422, error: 'No client ada@example.com' },
    });
  });

  it.each([
    '{"code":422,"error":"key sk_live_51HabcdefghijklmnopQRSTUV"}',
    '\uFEFF{"code":422,"error":"postgres://svc:hunter2@10.0.0.5:5432/prod"}',
    '{"code":422,"error":"x","password":"correct-horse"}',
    '<html>secret sk_live_51HabcdefghijklmnopQRSTUV</html>',
  ])('but for secrets: %s', (body) => {
    const { result } = passedOn('platica', 422, body);
    expect(result).toHaveProperty('content');
    expect(JSON.stringify(result)).not.toMatch(/sk_live|hunter2|correct-horse/);
  });

  it('QA-6 is a provider’s, and does not cross', () => {
    const body = '{"code":409,"error":"stripe: charge ch_3MqLiJLkdIwHu7ix0 already refunded"}';
    expect(passedOn('qaqnuz', 409, body).result).toEqual({
      content: [{ type: 'text', text: 'Conflict' }],
      isError: true,
    });
  });

  it('EM-6 a write that broke in the middle is not to be repeated', () => {
    const failure = { thrown: new FaultError(restError(500, '{"code":500,"error":"Oops"}') as Fault) };
    const init = restError(500, '{"code":500,"error":"Oops"}') as FaultInit;
    const { result } = answer(init, { dialect: 'onx', failure });
    expect(result?.['error']).toMatchObject({ code: 4001, retryable: false });
  });
});
