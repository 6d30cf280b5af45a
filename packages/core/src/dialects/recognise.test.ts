/** How sure each dialect is that a message is its own: what it must see, and what a single missing sign costs. */
import { describe, expect, it } from 'vitest';
import { look } from '../wire/look.ts';
import { DIALECTS } from './index.ts';

function claim(id: string, wire: unknown): number | undefined {
  return DIALECTS.find((one) => one.id === id)?.recognise(look(wire));
}

const rpc = (code: number, message: string, data?: unknown): object => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message, data },
});
const inResult = (error: object): object => ({ jsonrpc: '2.0', id: 1, result: { error } });
const tool = (text: string, structuredContent?: object): object => ({
  isError: true,
  content: [{ type: 'text', text }],
  structuredContent,
});
const problem = (body: object, type = 'application/problem+json'): object => ({
  http: { status: 404, headers: { 'content-type': type }, body },
});

describe('closient', () => {
  const data = (more: object): object => inResult({ code: -32200, message: 'Not Found', data: more });

  it.each([
    [{ type: 'https://closient.com/docs/errors/not_found' }, 0.98],
    [{ type: 'https://example.com/not_found' }, 0],
    [{ error_code: 'not_found', retryable: false }, 0.9],
    [{ error_code: 'not_found' }, 0],
    [{ retryable: false }, 0],
  ])('%j: %d', (more, expected) => {
    expect(claim('closient', data(more))).toBe(expected);
  });

  it('an error without a document: 0', () => {
    expect(claim('closient', inResult({ code: -32200, message: 'Not Found' }))).toBe(0);
  });
});

describe('onx', () => {
  it.each([
    [inResult({ code: 2001, message: 'x', retryable: false }), 0.95],
    [inResult({ code: 2001, message: 'x', details: { field: 'a' } }), 0.75],
    [inResult({ code: 2001, message: 'x', details: { reason: 'a' } }), 0.75],
    [inResult({ code: 2001, message: 'x', details: { suggestion: 'a' } }), 0.75],
    [inResult({ code: 2001, message: 'x', details: { context: {} } }), 0.75],
    [inResult({ code: 2001, message: 'x', details: { originalError: 'A' } }), 0.75],
    [inResult({ code: 2001, message: 'x', details: { other: 'a' } }), 0],
    [inResult({ code: 2001, message: 'x' }), 0],
    [inResult({ code: 12, message: 'x', retryable: false }), 0],
    [rpc(2001, 'x', { retryable: false }), 0],
    [rpc(-32602, 'Invalid params', { field: 'order.id', reason: 'required' }), 0.75],
    [rpc(-32602, 'Invalid params', { field: 'order.id', other: 1 }), 0],
    [rpc(-32602, 'Invalid params', { reason: 'required' }), 0],
    [rpc(-32602, 'Wrong', { field: 'order.id' }), 0],
    [rpc(-32601, 'Invalid params', { field: 'order.id' }), 0],
    [tool('MCP error -32602: Invalid params', { field: 'order.id' }), 0],
  ])('%j: %d', (wire, expected) => {
    expect(claim('onx', wire)).toBe(expected);
  });
});

describe('erlmcp', () => {
  it.each([
    [rpc(-32001, 'Resource not found', { uri: 'x://y' }), 0.95],
    [rpc(-32001, 'Resource not found'), 0.8],
    [rpc(-32001, 'Gone', { uri: 'x://y' }), 0.75],
    [rpc(-32001, 'Gone'), 0],
    [rpc(-32007, 'Wrong', { field: 'a' }), 0],
    [rpc(-32008, 'Broken', { reason: 'a' }), 0],
    [rpc(-32006, 'Broken', { uri: 'x://y', reason: 'a' }), 0.75],
    [rpc(-32600, 'Invalid Request'), 0],
    [rpc(-32700, 'Parse error'), 0],
    [rpc(-31000, 'Resource not found'), 0],
    [rpc(1095, 'Task not found', { taskId: 't' }), 0.95],
    [rpc(-32008, 'Transport error'), 0.8],
    [rpc(-32066, 'Gone'), 0],
    [tool('MCP error -32002: Tool not found'), 0],
  ])('%j: %d', (wire, expected) => {
    expect(claim('erlmcp', wire)).toBe(expected);
  });
});

describe('qaqnuz', () => {
  it.each([
    [{ error_class: 'permission', sanitized_error: 'No' }, 1],
    [{ error_class: 'weather', sanitized_error: 'No' }, 0.6],
    [tool('Rate limit exceeded. Please wait before sending more requests.'), 0.5],
    [tool('This tool is not available for your key.'), 0.5],
    ['This tool is not available for your key.', 0.5],
    [tool('Unauthorized'), 0],
    [rpc(-32000, 'This tool is not available for your key.'), 0],
  ])('%j: %d', (wire, expected) => {
    expect(claim('qaqnuz', wire)).toBe(expected);
  });
});

describe('platica', () => {
  const body = (more: object): object => tool(JSON.stringify(more));

  it.each([
    [rpc(-32001, 'Unauthorized: missing or invalid Authorization header'), 0.95],
    [rpc(-32001, 'Unauthorized'), 0],
    [body({ code: 404, error: 'Client not found' }), 0.9],
    [body({ code: 300, error: 'x' }), 0.9],
    [body({ code: 599, error: 'x' }), 0.9],
    [body({ code: 299, error: 'x' }), 0],
    [body({ code: 600, error: 'x' }), 0],
    [body({ code: 404 }), 0],
    [tool('x', { issues: [{ path: ['a'], code: 'too_small' }] }), 0.8],
    [tool('x', { issues: [{ path: ['a'] }] }), 0],
    [tool('x', { issues: [{ code: 'too_small' }] }), 0],
    [tool('x', { issues: [] }), 0],
    [{ http: { status: 404, body: { code: 404, error: 'Client not found' } } }, 0],
    [{ ...tool('{"code":404,"error":"x"}'), error: { code: 1, message: 'x' } }, 0],
  ])('%j: %d', (wire, expected) => {
    expect(claim('platica', wire)).toBe(expected);
  });
});

describe('mcp', () => {
  it.each([
    ['mcp', tool('x'), 0.4],
    ['mcp', 'only text', 0],
    ['mcp', rpc(-32700, 'x'), 0.4],
    ['mcp', rpc(-32603, 'x'), 0.4],
    ['mcp', rpc(-32600, 'x'), 0.4],
    ['mcp', rpc(-32604, 'x'), 0],
    ['mcp', rpc(-32599, 'x'), 0],
    ['mcp', rpc(-32020, 'x', { mismatch: 'a' }), 0.95],
    ['mcp', rpc(-32020, 'The Header differs'), 0.75],
    ['mcp', rpc(-32020, 'x'), 0],
    ['mcp', rpc(-32021, 'x', { requiredCapabilities: {} }), 0.95],
    ['mcp', rpc(-32021, 'Missing capability'), 0.75],
    ['mcp', rpc(-32022, 'x', { supported: [] }), 0.95],
    ['mcp', rpc(-32022, 'Unsupported version'), 0.75],
    ['mcp', rpc(-32022, `${'x'.repeat(192)} version`), 0.75],
    ['mcp', rpc(-32022, `${'x'.repeat(193)} version`), 0],
    ['mcp@2025-11-25', rpc(-32002, 'x', { uri: 'a' }), 0.95],
    ['mcp@2025-11-25', rpc(-32002, 'No such resource'), 0.75],
    ['mcp@2025-11-25', rpc(-32002, 'x'), 0],
    ['mcp@2025-11-25', rpc(-32042, 'x', { elicitations: [] }), 0.95],
    ['mcp@2025-11-25', rpc(-32042, 'Elicit first'), 0.75],
    ['mcp@2025-11-25', rpc(-1, 'User rejected sampling request'), 0.8],
    ['mcp@2025-11-25', rpc(-1, 'x'), 0],
    ['mcp@2025-11-25', rpc(-1, `${'x'.repeat(194)}reject`), 0.8],
    ['mcp@2025-11-25', rpc(-1, `${'x'.repeat(195)}reject`), 0],
    ['mcp@2025-11-25', rpc(-2, 'User rejected sampling request'), 0],
    ['mcp@2025-11-25', tool('MCP error -32002: Resource not found'), 0],
    ['mcp@2025-11-25', tool('User rejected'), 0],
    ['mcp@draft', rpc(-32023, 'x', { retryAfterMs: 1 }), 0.95],
    ['mcp@draft', rpc(-32024, 'x', { reason: 'a' }), 0.95],
    ['mcp@draft', rpc(-32025, 'x', { part: 'a' }), 0.95],
    ['mcp@draft', rpc(-32026, 'x', { kind: 'a' }), 0.95],
    ['mcp@draft', rpc(-32027, 'x', { feature: 'a' }), 0.95],
    ['mcp@draft', rpc(-32024, 'x', { retryAfterMs: 1 }), 0],
    ['mcp@draft', rpc(-32028, 'x', { feature: 'a' }), 0],
    ['mcp@draft', rpc(-32028, 'x', { undefined: 'a' }), 0],
    ['mcp@draft', rpc(-32022, 'x', { undefined: 'a' }), 0],
    ['mcp@draft', tool('x', { undefined: 'a' }), 0],
    ['mcp@draft', rpc(-32022, 'x', { retryAfterMs: 1 }), 0],
  ])('%s %j: %d', (id, wire, expected) => {
    expect(claim(id, wire)).toBe(expected);
  });
});

describe('problem', () => {
  it.each([
    [problem({ kind: 'not_found' }), 0.99],
    [problem({ kind: 'weather' }), 0.85],
    [problem({ title: 'x', status: 404 }, 'application/json'), 0.75],
    [problem({ title: 'x' }, 'application/json'), 0],
    [problem({ status: 404 }, 'application/json'), 0],
    [tool('{"title":"x","status":404}'), 0],
    [rpc(-32603, 'x', { title: 'x', status: 404 }), 0],
  ])('%j: %d', (wire, expected) => {
    expect(claim('problem', wire)).toBe(expected);
  });
});

describe('tool-failure', () => {
  it.each([
    [{ 'io.modelcontextprotocol/toolFailure': {} }, 0.99],
    [{}, 0],
  ])('%j: %d', (_meta, expected) => {
    expect(claim('tool-failure', { ...tool('x'), _meta })).toBe(expected);
  });

  it('fails even where nothing else says so', () => {
    const fails = DIALECTS.find((one) => one.id === 'tool-failure')?.fails;
    expect(fails?.(look({ result: { _meta: { 'io.modelcontextprotocol/toolFailure': {} } } }))).toBe(true);
    expect(fails?.(look({ result: {} }))).toBe(false);
  });
});
