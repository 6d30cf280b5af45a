import { makeFault } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import type { Said } from '@mayday/relay';
import { expect, it } from 'vitest';
import { sayDetails } from './say-details.ts';

function told(kind: 'invalid_arguments' | 'internal', message: string, data: unknown): string | undefined {
  const wire: JsonRpcWire = { jsonrpc: '2.0', id: 1, error: { code: -32602, message } };
  const said: Said = {
    type: 'message',
    message: { error: { code: -32602, message, data } },
    bytes: Buffer.alloc(0),
    status: 200,
  };
  return sayDetails(wire, makeFault({ kind, message }), said).error?.message;
}

it.each([
  ['Required', { field: 'city' }, 'Required (field: city)'],
  [
    'Invalid input.',
    { issues: [{ path: ['address', 'zip'], message: 'Required', code: 'x' }] },
    'Invalid input (path: address.zip; message: Required)',
  ],
  ['Bad unit', { allowed: ['celsius', 'kelvin'] }, 'Bad unit (allowed: celsius, kelvin)'],
  [
    'Unknown tool: list_file',
    { did_you_mean: 'list_files' },
    'Unknown tool: list_file (did_you_mean: list_files)',
  ],
])('says %s with what %j adds', (message, data, expected) => {
  expect(told('invalid_arguments', message, data)).toBe(expected);
});

it.each<readonly [message: string, field: string, expected: string]>([
  ['Required', 'q', 'q: Required'],
  ['Required', 'red', 'red: Required'],
  ['Invalid input', 'put', 'put: Invalid input'],
  ['Invalid value', 'id', 'id: Invalid value'],
  [
    'Invalid input: expected string, received undefined',
    'id',
    'id: Invalid input: expected string, received undefined',
  ],
])('%s of %s names the field', (message, field, expected) => {
  const wire: JsonRpcWire = { jsonrpc: '2.0', id: 1, error: { code: -32602, message } };
  const said: Said = { type: 'message', message: { error: {} }, bytes: Buffer.alloc(0), status: 200 };
  const fault = makeFault({ kind: 'invalid_arguments', message, issues: [{ path: [field], message }] });
  expect(sayDetails(wire, fault, said).error?.message).toBe(expected);
});

it('names a field of the data whose letters stand in another word', () => {
  expect(told('invalid_arguments', 'Required', { field: 'q' })).toBe('Required (field: q)');
  expect(told('invalid_arguments', 'Invalid value', { field: 'id' })).toBe('Invalid value (field: id)');
});

it('says nothing twice, and nothing where there is nothing to add', () => {
  expect(told('invalid_arguments', 'city is required', { field: 'city' })).toBe('city is required');
  expect(told('invalid_arguments', 'Required', undefined)).toBe('Required');
  expect(told('invalid_arguments', 'Required', { code: 'x', status: 4 })).toBe('Required');
});

it('leaves to the data what only the operator can act on', () => {
  expect(told('internal', 'Internal error', { table: 'users' })).toBe('Internal error');
});

it('takes secrets out, and stays short', () => {
  expect(told('invalid_arguments', 'Bad', { dsn: 'postgres://svc:hunter2@db/x' })).not.toContain('hunter2');
  expect(told('invalid_arguments', 'Bad', { all: 'word '.repeat(10_000) })?.length).toBeLessThan(1000);
});
