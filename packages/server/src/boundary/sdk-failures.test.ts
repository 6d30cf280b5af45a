import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../options.ts';
import { invalidOutput, readSdkError, type Speaker, subjectType, unknownTool } from './sdk-failures.ts';

const long = 'x'.repeat(300);
const cut = `${'x'.repeat(199)}…`;
const speaker = (began = false): Speaker => ({
  settings: settingsFrom({}),
  callable: () => ['get_order', 'find_order'],
  mayHaveBegun: () => began,
});

/** What a caller hears of an error of the SDK's, as far as this file decides it. */
function heard(error: { code: number; message: string; data?: unknown }, state: object = {}, began = false) {
  const call = { method: 'tools/call', name: 'get_orders', arguments: {}, ...state };
  const { thrown, ...rest } = readSdkError(error, speaker(began), call as never);
  const { kind, message, subject, advice, issues } = thrown.fault;
  return { kind, message, subject, advice, issues, ...rest };
}

const MEANT = 'Did you mean get_order? List the tools and call one of them.';

describe('what the SDK refuses', () => {
  it('a method that nobody answers, by its name; where somebody does, in their words', () => {
    const error = { code: -32601, message: 'MCP error -32601: Method not found' };
    expect(heard(error, { method: 'a/b' })).toMatchObject({
      kind: 'unsupported',
      message: 'Unknown method: a/b',
      subject: { type: 'method', id: 'a/b' },
      began: false,
      ours: true,
      code: -32601,
    });
    expect(heard(error, { method: long }).subject).toEqual({ type: 'method', id: cut });
    expect(heard(error, { method: 'a/b' }, true)).toMatchObject({
      message: 'Method not found',
      began: true,
      code: -32601,
    });
  });

  it.each([
    ['tools/call', 'Tool get_orders not found', 'Unknown tool: get_orders', 'tool', MEANT],
    ['tools/call', 'Tool get_orders disabled', 'Unknown tool: get_orders', 'tool', MEANT],
    ['tools/call', 'Tool not found: get_orders', 'Unknown tool: get_orders', 'tool', MEANT],
    ['prompts/get', 'Prompt get_orders not found', 'Unknown prompt: get_orders', 'prompt', undefined],
    [
      'resources/read',
      'Resource get_orders not found',
      'Unknown resource: get_orders',
      'resource',
      undefined,
    ],
  ])('%s of what is not there: %s', (method, message, said, type, advice) => {
    expect(heard({ code: -32602, message }, { method })).toMatchObject({
      kind: 'not_found',
      message: said,
      subject: { type, id: 'get_orders' },
      advice,
      began: false,
      ours: true,
    });
    expect(heard({ code: -32602, message }, { method, name: long }).subject?.id).toBe(cut);
  });

  it('does not take any other sentence for that', () => {
    const others = [
      [{ code: -32602, message: 'Order not found in the attic' }, {}],
      [{ code: -32603, message: 'Tool get_orders not found' }, {}],
      [{ code: -32602, message: 'It was not found' }, { name: undefined }],
      [{ code: -32602, message: 'It was not found' }, { method: 'tools/list' }],
    ] as const;
    for (const [error, state] of others) {
      expect(heard(error, state)).toMatchObject({ began: true });
      expect(heard(error, state).message).not.toMatch(/^Unknown /);
    }
  });

  it('parameters, issue by issue', () => {
    const dump = JSON.stringify([{ message: 'Too small', path: ['params', 'name'], code: 'too_small' }]);
    expect(heard({ code: -32603, message: `Invalid: ${dump}` }, { method: 'a/b' })).toMatchObject({
      kind: 'invalid_arguments',
      message: 'Invalid parameters for a/b',
      issues: [{ path: ['params', 'name'], message: 'Too small', code: 'too_small' }],
      ofRequest: true,
      ours: true,
      code: -32602,
    });
    expect(heard({ code: -32603, message: `Invalid tools/call result: ${dump}` })).toMatchObject({
      kind: 'invalid_output',
      began: true,
    });
  });

  it.each(['Invalid tools/call result: x', 'MCP error -32602: Invalid task result: x'])(
    'an answer without its promised form: %s',
    (message) => {
      expect(heard({ code: -32602, message }, { name: 'a' })).toMatchObject({
        kind: 'invalid_output',
        message: 'The answer did not have the form that was promised',
        subject: { type: 'tool', id: 'a' },
        began: true,
      });
    },
  );

  it.each([-32700, -32600, -32020, -32021, -32022])('%i keeps its code, words and data', (code) => {
    expect(heard({ code, message: `MCP error ${code}: Odd`, data: { a: 1 } })).toMatchObject({
      message: 'Odd',
      ofRequest: true,
      ours: true,
      began: false,
      code,
      data: { a: 1 },
    });
  });

  it('a problem of the envelope, whatever its code', () => {
    const data = { envelope: 1 };
    expect(heard({ code: -32602, message: 'Odd', data })).toMatchObject({
      ofRequest: true,
      code: -32602,
      data,
    });
    for (const other of ['envelope', null, {}])
      expect(heard({ code: -32602, message: 'Odd', data: other }).ofRequest).toBeUndefined();
  });

  it.each([
    'Invalid or expired requestState',
    'Resource URI x is invalid',
    'Resource template x not found here',
    'Invalid completion reference',
    'Cannot request input',
    'Missing required client capability',
    'Prompt x disabled now',
    'Resource x disabled now',
  ])('keeps the sentence: %s', (message) => {
    expect(heard({ code: -32602, message, data: 7 }, { method: 'a/b' })).toMatchObject({
      message,
      code: -32602,
      data: 7,
      began: false,
    });
    expect(heard({ code: -32603, message }, { method: 'a/b' })).toMatchObject({ began: true });
  });

  it('keeps back what somebody else said, with all that they said in the log', () => {
    const said = 'MCP error -32603: MCP error 5: connect postgres://admin:hunter2@10.0.0.5/prod';
    const failure = readSdkError({ code: -32603, message: said }, speaker(), { method: 'a/b' } as never);
    expect(failure).toMatchObject({ began: true, ours: true });
    expect(failure.thrown.fault.message).not.toContain('postgres');
  });
});

describe('words for it', () => {
  it('a tool that nobody meant has no advice, and a long name is cut', () => {
    expect(unknownTool(long, ['get_order']).fault).toMatchObject({
      message: `Unknown tool: ${cut}`,
      subject: { type: 'tool', id: cut },
    });
    expect(unknownTool('x'.repeat(200), []).fault.subject?.id).toHaveLength(200);
    expect(unknownTool('zzz', ['get_order']).fault.advice).toBe(unknownTool('yyy', []).fault.advice);
  });

  it.each([
    ['tools/call', 'tool'],
    ['prompts/get', 'prompt'],
    ['resources/read', 'resource'],
    ['tools/list', 'method'],
  ])('%s is about a %s', (method, type) => {
    expect(subjectType(method)).toBe(type);
    expect(invalidOutput({ method } as never, 'why').fault.subject).toEqual({ type });
  });
});
