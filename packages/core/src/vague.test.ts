import { describe, expect, it } from 'vitest';
import { heard } from '../test/helpers.ts';
import { isVague } from './vague.ts';

describe('a message that only says that there is an error', () => {
  it.each([
    '',
    ' ',
    'Error',
    'error.',
    'ERROR!',
    'An error occurred',
    'error occurred',
    'An unknown error occurred while executing the tool',
    'Something went wrong',
    'Oops, something went wrong…',
    'failed',
    'Request failed',
    'Server error',
    'Custom server error',
    'Unexpected exception',
    'Tool execution failed',
  ])('%j says nothing', (message) => {
    expect(isVague(message)).toBe(true);
  });

  it.each([
    'Internal error',
    'Error 503',
    'fetch failed',
    'Request timed out',
    'Unknown tool',
    'Unknown tool: pay',
    'Bad request',
    'Not found',
    'Try again later',
    '出错了',
    'x'.repeat(200),
  ])('%j says something', (message) => {
    expect(isVague(message)).toBe(false);
  });
});

const VAGUE = [
  '',
  'Error',
  'error occurred',
  'Something went wrong',
  'failed',
  'Unknown error',
  'Server error',
];

describe('a number with such a message', () => {
  const readings = VAGUE.flatMap((message) =>
    [
      -32000, -32001, -32002, -32003, -32010, -32020, -32021, -32022, -32023, -32024, -32031, -32042, -32099,
      -32300, 3001, 4002, 1001, 400, 401, 404, 409, 429, 500, 503,
    ].map((code) => ({ code, message })),
  );

  it.each(readings)('%o is not known', (error) => {
    for (const wire of [
      { jsonrpc: '2.0', id: 1, error },
      { jsonrpc: '2.0', id: 1, error: { ...error, data: {} } },
      { thrown: { name: 'McpError', ...error, message: `MCP error ${error.code}: ${error.message}` } },
      { http: { status: 200, body: { jsonrpc: '2.0', id: 1, error } } },
      { result: { isError: true, content: [], error } },
    ]) {
      const reading = heard(wire);
      expect([reading.fault.kind, reading.fault.retryable]).toEqual(['unknown', false]);
      expect(reading.certainty).toBeLessThan(0.5);
    }
  });

  it('names the candidates', () => {
    const says = (code: number) =>
      heard({ jsonrpc: '2.0', id: 1, error: { code, message: 'Error' } })
        .evidence.filter(({ by }) => by === 'candidate')
        .map(({ dialect, kind }) => `${dialect} ${kind}`);
    expect(says(-32001)).toEqual(['closient unauthenticated', 'erlmcp not_found', 'platica unauthenticated']);
    expect(says(-32003)).toEqual(['closient rate_limited', 'erlmcp not_found']);
    expect(says(-32021)).toEqual([
      'erlmcp not_found',
      'mcp unsupported',
      'mcp@2026-07-28 unsupported',
      'mcp@draft unsupported',
    ]);
    expect(says(3001)).toEqual(['onx rate_limited']);
    expect(says(409)).toContain('undefined conflict');
    expect(says(503)).toContain('undefined unavailable');
  });

  it.each([
    'MCP error 404',
    'MCP error 404: Error',
    'n/a',
    'null',
    'undefined',
    '[object Object]',
    '-',
    'Fehler',
    'Ein Fehler ist aufgetreten',
    'Une erreur est survenue',
    'Ocurrió un error',
    'エラー',
    '发生错误',
    '오류',
    'Ошибка',
  ])('is a number alone beside %j', (message) => {
    const { fault, certainty, evidence } = heard({ jsonrpc: '2.0', id: 1, error: { code: 404, message } });
    expect([fault.kind, certainty]).toEqual(['unknown', 0]);
    expect(evidence.map(({ by, kind }) => `${by} ${kind}`)).toContain('candidate not_found');
  });

  it.each([
    ['Kein Zimmer frei', 409, 'conflict'],
    ['nope', 404, 'not_found'],
    ['Slow down', 429, 'rate_limited'],
  ])('is a status beside words of its own: %s', (message, code, kind) => {
    expect(heard({ jsonrpc: '2.0', id: 1, error: { code, message } }).fault.kind).toBe(kind);
  });

  it('still means what JSON-RPC itself defines', () => {
    const kind = (code: number) =>
      heard({ jsonrpc: '2.0', id: 1, error: { code, message: 'Error' } }).fault.kind;
    expect([-32700, -32600, -32601, -32602, -32603].map(kind)).toEqual([
      'parse_error',
      'invalid_request',
      'unsupported',
      'invalid_arguments',
      'internal',
    ]);
  });

  it('is still told by its data, and by the dialect that was named', () => {
    const limited = {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32023, message: 'Error', data: { retryAfterMs: 5 } },
    };
    expect(heard(limited).fault.kind).toBe('rate_limited');
    const missing = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Error' } };
    expect(heard(missing, 'erlmcp').fault.kind).toBe('not_found');
  });

  it('leaves a tool its word of the server behind it', () => {
    const said = { isError: true, content: [{ type: 'text', text: 'Server Error' }] };
    expect(heard({ jsonrpc: '2.0', id: 1, result: said }).fault.kind).toBe('upstream_failed');
  });
});
