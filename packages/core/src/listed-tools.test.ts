/** A tool that its server lists is there: "Tool pay not found" to a call of `pay` is how it failed. */
import { describe, expect, it } from 'vitest';
import { makeFault, read, write } from './index.ts';

const error = (code: number, message: string, data?: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message, ...(data && { data }) },
});
const http = (status: number, body: unknown): object => ({
  http: { status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) },
});

function executedOf(value: object, isListed: boolean | undefined, id = 'pay'): string | undefined {
  const reading = read(value, { began: false, called: { type: 'tool', id, isListed } });
  return reading.failure ? reading.fault.executed : undefined;
}

describe.each([
  ['an error', (code: number, message: string) => error(code, message)],
  ['an error under HTTP 404', (code: number, message: string) => http(404, error(code, message))],
  [
    'an exception of an SDK',
    (code: number, message: string) => ({ thrown: { name: 'McpError', code, message } }),
  ],
])('%s', (_form, make) => {
  it.each([
    [-32602, 'Unknown tool: pay'],
    [-32602, 'Unknown tool'],
    [-32602, 'Tool pay not found'],
    [-32602, 'MCP error -32602: Tool pay not found'],
    [-32602, 'Tool "pay" does not exist'],
    [-32602, 'Unknown tool: pay. Available tools: mail'],
    [-32601, 'Tool not found: pay'],
    [-32601, 'Tool pay is disabled'],
    [-32601, 'Method not found: pay'],
  ])('%i %s', (code, message) => {
    expect([true, false, undefined].map((isListed) => executedOf(make(code, message), isListed))).toEqual([
      'maybe',
      'no',
      'no',
    ]);
  });

  it.each([
    ['arguments', -32602, 'Invalid arguments for tool pay: amount is required'],
    ['the method of all tools', -32601, 'Method not found: tools/call'],
    ['the method without its name', -32601, 'Method not found'],
  ])('a refusal of %s stays one', (_what, code, message) => {
    expect(executedOf(make(code, message), true)).toBe('no');
  });
});

it('a status and its words, without a message', () => {
  expect(executedOf(http(404, 'Tool pay not found'), true)).toBe('maybe');
  expect(executedOf(http(404, ''), true)).toBe('no');
});

it('is no other word that has the name in it', () => {
  expect(executedOf(error(-32601, 'Method not found'), true, 'a')).toBe('no');
});

it('a declaration counts as before', () => {
  const fault = makeFault({
    kind: 'not_found',
    subject: { type: 'tool', id: 'pay' },
    message: 'Unknown tool: pay',
    executed: 'no',
  });
  const { wire } = write(fault, 'mayday', { id: 1, method: 'tools/call', placement: 'protocol' });
  expect([undefined, true].map((isListed) => executedOf(wire, isListed))).toEqual(['no', 'no']);
});
