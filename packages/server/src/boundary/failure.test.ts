import { fault, makeFault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../options.ts';
import { correlationIdFor, opaqueId } from './correlate.ts';
import { failureFromThrown } from './failure.ts';
import { idInUse, lateAfter, lateAlready } from './refusals.ts';
import { safeResult } from './safe-result.ts';
import { spokenError } from './spoken.ts';
import { answersAsTool, wantsTask } from './task-requests.ts';
import { badLineAnswer } from './unasked.ts';

class ProtocolError extends Error {
  readonly code: unknown;
  readonly data: unknown;
  constructor(code: unknown, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
class McpError extends ProtocolError {}
class Derived extends McpError {}

describe('an error of the SDK’s that an author throws', () => {
  it.each([
    new ProtocolError(-1, 'a'),
    new McpError(-1, 'MCP error -1: MCP error 5: a'),
    new Derived(-1, 'a'),
  ])('keeps code and sentence: %s', (thrown) => {
    expect(spokenError(thrown)).toEqual({ code: -1, message: 'a' });
  });

  it('keeps its data', () => {
    expect(spokenError(new McpError(7, 'a', { b: 1 }))).toEqual({ code: 7, message: 'a', data: { b: 1 } });
  });

  it.each([
    [Object.assign(new Error('a'), { code: -1 })],
    [new McpError(1.5, 'a')],
    [new McpError('1', 'a')],
    [{ code: -1, message: 'a' }],
    [undefined],
  ])('is none: %o', (thrown) => {
    expect(spokenError(thrown)).toBeUndefined();
  });

  it('is none when asking for its code throws', () => {
    const hostile = Object.defineProperty(new McpError(1, 'a'), 'code', {
      get() {
        throw new Error('no');
      },
    });
    expect(spokenError(hostile)).toBeUndefined();
  });
});

describe('whatever is thrown', () => {
  const call = { method: 'tools/call', name: 'a', arguments: {} } as never;
  const judged = (thrown: unknown, options = {}) =>
    failureFromThrown(thrown, { settings: settingsFrom(options), call, began: true });

  it('keeps a code and data that were spoken, and is the server’s own failure where nobody knows better', () => {
    const failure = judged(new McpError(-7, 'Odd', { a: 1 }));
    expect(failure).toMatchObject({
      began: true,
      spokenCode: -7,
      thrown: {
        fault: { kind: 'internal', message: 'Odd', origin: 'server', details: { code: -7, data: { a: 1 } } },
      },
    });
    expect(judged(new McpError(-7, 'Odd')).thrown.fault.details).toEqual({ code: -7 });
    expect(judged(new McpError(-7, 'Odd', 1n)).thrown.fault.details).toEqual({ code: -7 });
    expect(judged(new McpError(-32602, 'Odd')).thrown.fault.kind).toBe('invalid_arguments');
  });

  it('becomes what the author makes of it; a bug there costs the caller nothing', () => {
    const reason = new Error('postgres://admin:hunter2@10.0.0.5/prod');
    const mine = fault.conflict('Mine');
    const mapped = judged(reason, { mapError: () => mine });
    expect([mapped.thrown.fault.message, mapped.cause]).toEqual(['Mine', reason]);
    expect(judged(reason, { mapError: () => undefined })).toMatchObject({ ours: true, began: true });
    for (const mapError of [
      () => 'odd',
      () => {
        throw new Error('bug');
      },
    ]) {
      const { cause, thrown } = judged(reason, { mapError });
      expect(thrown.fault.message).not.toContain('postgres');
      expect((cause as AggregateError).errors[0]).toBe(reason);
      expect((cause as Error).message).toMatch(/^mapError threw: .+/);
    }
  });
});

describe('an identifier for the log', () => {
  const of = (own: string | undefined, made: () => unknown) =>
    correlationIdFor(makeFault({ kind: 'internal', correlationId: own }), made);
  const RANDOM = /^[0-9a-f]{8}-[0-9a-f]{4}-4/;

  it('is the fault’s, the operator’s, or a random one', () => {
    expect(of('a.b:c/d=e+f@g-h_1', () => 'x')).toBe('a.b:c/d=e+f@g-h_1');
    expect(of(undefined, () => 'x'.repeat(128))).toBe('x'.repeat(128));
    const failing = () => {
      throw new Error('no');
    };
    for (const made of [() => 7, () => '', () => 'a b', () => 'x'.repeat(129), failing, () => undefined])
      expect(of(undefined, made)).toMatch(RANDOM);
    expect(of(undefined, () => 'sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0')).toMatch(RANDOM);
  });

  it('that must tell nothing is the same for the same id, and another for another', () => {
    const opaque = (id: unknown) => opaqueId({ id } as never);
    expect(opaque(1)).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(opaque(1)).toBe(opaque(1));
    expect(new Set([opaque(1), opaque('1'), opaque(2)]).size).toBe(3);
    const parts = opaque(1).split('-');
    expect(new Set(parts).size).toBe(5);
  });
});

describe('a refusal of the boundary’s', () => {
  it('says which limit was passed, whether the work began, and what to do', () => {
    expect(lateAfter(50, true)).toMatchObject({
      began: true,
      ours: true,
      thrown: { fault: { kind: 'timeout', executed: 'maybe', details: { timeout_ms: 50 } } },
    });
    expect(lateAfter(50, false).thrown.fault.executed).toBe('no');
    expect(lateAlready()).toMatchObject({
      began: false,
      ours: true,
      thrown: { fault: { kind: 'timeout', message: 'The deadline has passed already' } },
    });
    expect(idInUse('x'.repeat(300))).toMatchObject({
      began: false,
      ours: true,
      ofRequest: true,
      code: -32600,
      thrown: {
        fault: {
          kind: 'invalid_request',
          executed: 'maybe',
          message: 'Another request with this id is under way',
          subject: { type: 'message', id: `${'x'.repeat(199)}…` },
          advice: 'Give every request an id of its own.',
        },
      },
    });
  });

  it('of a line that is no message has its code', () => {
    const { language } = settingsFrom();
    const thrown = { fault: makeFault({ kind: 'parse_error', message: 'Odd' }) } as never;
    const answer = (to: 'mcp' | 'problem' | 'erlmcp', code?: number) =>
      badLineAnswer({ thrown, id: undefined, code } as never, to, language, 0);
    expect(answer('mcp').error).toMatchObject({ code: -32700 });
    expect(answer('erlmcp').error).toMatchObject({ code: -32700, message: 'Parse error' });
    expect(answer('problem')).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: 'Odd' } });
    expect(answer('problem', -32700).error?.code).toBe(-32700);
  });
});

describe('a request about tasks', () => {
  it.each([
    ['tools/call', { task: {} }, true, true],
    ['tools/call', {}, false, true],
    ['tools/call', undefined, false, true],
    ['tasks/result', { task: {} }, false, true],
    ['tasks/get', { task: {} }, false, false],
  ])('%s with %j', (method, params, wanted, asTool) => {
    expect(wantsTask({ method, message: { params } } as never)).toBe(wanted);
    expect(answersAsTool(method)).toBe(asTool);
  });
});

describe('an author’s failing result', () => {
  const LEAK = 'postgres://admin:hunter2-S3cr3tPassw0rd@10.0.0.5:5432/prod';
  const options = { ...settingsFrom(), maxTextLength: 20 };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const blocks = (...content: unknown[]) => safeResult({ content }, options)['content'] as never[];

  it('loses its secrets and has an end to each text, in base64 as well', () => {
    const [text] = blocks({ type: 'text', text: 'x'.repeat(30) }) as { text: string }[];
    expect(text?.text).toBe(`${'x'.repeat(20)}… [10 more characters]`);
    const safe = blocks(
      { type: 'text', text: LEAK },
      { type: 'resource', resource: { uri: 'a:b', blob: base64(LEAK) } },
      { type: 'image', mimeType: 'image/png', data: base64(LEAK) },
    ) as { resource?: { blob: string; uri: string }; data?: string }[];
    expect(JSON.stringify(safe)).not.toContain('hunter2');
    const decoded = [safe[1]?.resource?.blob, safe[2]?.data].map((one) =>
      String(Buffer.from(one ?? '', 'base64')),
    );
    expect(decoded.join()).not.toContain('hunter2');
    expect(safe[1]?.resource?.uri).toBe('a:b');
  });

  it('keeps to the byte what is no text, or a text without secrets', () => {
    const content = [
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUg==' },
      { type: 'audio', data: base64('fine') },
      { type: 'resource', resource: { uri: 'a:b', blob: 'iVBORw0KGgoAAAANSUhEUg==' } },
      { type: 'resource', resource: null },
      { type: 'resource' },
      { type: 'text', text: 'fine' },
      { type: 'odd', data: 7 },
      null,
      'odd',
    ];
    expect(blocks(...content)).toEqual(content);
  });

  it('is plain data, or nothing', () => {
    const cyclic: { content?: unknown } = {};
    cyclic.content = cyclic;
    expect(safeResult(cyclic, options)).toEqual({});
    expect(safeResult(undefined, options)).toEqual({});
    const boxed = { content: { toJSON: () => LEAK }, at: new Date(0) };
    const safe = safeResult(boxed as never, options);
    expect(safe['at']).toBe('1970-01-01T00:00:00.000Z');
    expect(JSON.stringify(safe)).not.toContain('hunter2');
  });
});
