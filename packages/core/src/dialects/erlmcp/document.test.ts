import { describe, expect, it } from 'vitest';
import { heard, said } from '../../../test/helpers.ts';
import { forModel } from '../../entries/render.ts';
import { createErrorResponse, erlmcp, userMessage } from './index.ts';

const wire = (code: number, message: string, data?: unknown): object => ({
  jsonrpc: '2.0',
  id: 1,
  error: data === undefined ? { code, message } : { code, message, data },
});

describe('what erlmcp’s document says to do', () => {
  it('ER-28 tells the model to send initialize, not to wait', () => {
    const { fault } = heard(wire(-32005, 'Server not initialized', { phase: 'pre_initialization' }));
    expect([fault.kind, fault.reaction, fault.retryable]).toEqual(['not_ready', 'validation', false]);
    expect(forModel(fault)).toBe(
      'Server not initialized. Send `initialize` request first. Wait for `notifications/initialized`.',
    );
  });

  it('ER-33 leaves a rate limit its wait', () => {
    const { fault } = heard(wire(-32010, 'Rate limit exceeded', { limit: 1, window: 60, retry_after: 5 }));
    expect(forModel(fault)).toMatch(/Wait at least 5 s\.$/);
  });

  it('ER-79 ER-84 retries two of its documented codes', () => {
    const retried = erlmcp.codes.filter((row) => row.written && row.retryable === true);
    expect(retried.map(({ code }) => code)).toEqual([-32009, -32010]);
    expect(erlmcp.codes.filter((row) => row.written && row.retryable === false)).toHaveLength(54);
  });

  it('ER-19…ER-60 has the steps of fifteen sections', () => {
    const told = erlmcp.codes.filter(({ steps = [] }) => steps.length > 0);
    expect(told.map(({ code }) => code)).toEqual([
      -32001, -32002, -32004, -32005, -32009, -32010, -32012, -32025, -32054, -32072, -32600, -32601, -32602,
      -32603, -32700,
    ]);
    expect(told.every(({ steps }) => steps?.length === 3)).toBe(true);
  });

  it.each([[99], [{ x: 1 }], [true], ['abc']])(
    'ER-65 gives the token %j back as it came',
    (progressToken) => {
      const error = wire(-32091, 'Invalid progress token', { progressToken });
      expect(said(heard(error).fault, 'erlmcp', { id: 1 })).toEqual(error);
    },
  );

  it('ER-80 speaks to the user about what the user can do', () => {
    expect(userMessage(-32603)).toBe(
      'Internal error. It did not work, and trying the same again will not help.',
    );
    expect(userMessage(-32010)).toBe('Rate limit exceeded. Wait a moment, then try again.');
    expect(userMessage(-32602)).toBe(
      'Invalid params. Something in the request was not accepted; change it, then try again.',
    );
    expect(userMessage(-32051)).toBe(
      'Authentication failed. You are not allowed to do this yet; sign in, or ask somebody for access.',
    );
    expect(userMessage(-32039)).toBe(
      'Tool dependency failed. Something that it depends on is not working; try again later.',
    );
  });

  it.each([
    [
      -32007,
      'Validation failed',
      { field: 'a.b', constraint: 'must be positive' },
      ['a', 'b'],
      'must be positive',
    ],
    [-32112, 'Invalid completion argument', { argument: 'x', details: 'unknown' }, ['x'], 'unknown'],
    [-32112, 'Invalid completion argument', { argument: 'x' }, ['x'], 'is invalid'],
  ])('ER-30 ER-70 %i %s names what is wrong with the input: %j', (code, message, data, path, says) => {
    expect(heard(wire(code, message, data)).fault.issues).toEqual([{ path, message: says }]);
  });

  it('ER-48 an argument of a prompt that is missing is required, whatever its name', () => {
    const missing = wire(-32043, 'Prompt argument missing', { prompt: 'p', argument: 'a.b' });
    expect(heard(missing).fault.issues).toEqual([
      { path: ['a.b'], message: 'is required', code: 'required' },
    ]);
    const named = wire(-32001, 'Resource not found', { uri: 'x://y', field: 'uri' });
    expect(heard(named).fault.issues).toEqual([]);
  });

  it('ER-5 remembers that data was a string', () => {
    const { fault } = heard(wire(-32600, 'Invalid Request', 'Missing field'), 'erlmcp');
    expect(fault.native?.extra).toEqual({ data: 'string' });
  });

  it.each([
    [-32700, 'Parse error', 'Unexpected token at position 15'],
    [-32600, 'Invalid Request', 'Missing required field: method'],
  ])(
    'ER-5 %i keeps the text in place of data, also where nobody knows who said it',
    (code, message, data) => {
      const { fault } = heard(wire(code, message, data));
      expect(said(fault, 'erlmcp', { id: 1 }).error).toEqual({ code, message, data });
    },
  );

  it('ER-88 builds responses without secrets in the message, and never without a message', () => {
    const token = 'sk_live_51HxTestTestTestTestTest';
    const built = createErrorResponse(1, -32603, `fail ada@example.com ${token}`);
    expect(built.error?.message).toMatch(/^fail /);
    expect(JSON.stringify(built)).not.toMatch(/ada@example|sk_live/);
    expect(createErrorResponse(1, -32002).error).toEqual({ code: -32002, message: 'Tool not found' });
    expect(createErrorResponse(1, -1, '').error).toEqual({ code: -32603, message: 'Internal error' });
  });

  it('ER-89 builds responses without secrets', () => {
    const built = createErrorResponse('r', -32603, 'Internal error', { password: 'hunter2correct', n: 2 });
    expect(JSON.stringify(built)).not.toContain('hunter2correct');
    expect(built.error?.data).toMatchObject({ n: 2 });
  });
});
