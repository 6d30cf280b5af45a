/** What Mayday hears in every wire that it can meet, to the last member. */
import { expect, it } from 'vitest';
import { type HeardRow, heardBy, rpc, toolError, wholeHeard } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<HeardRow>([
  [rpc(-32602, 'Taken', { kind: 'conflict', message: 'Taken', reaction: 'validation' }),
    { kind: 'conflict', message: 'Taken', reaction: 'validation' }, 1, 'document: a fault document'],
  [toolError('Taken', { _meta: { 'dev.mayday/fault': { kind: 'conflict', message: 'Taken', reaction: 'validation', executed: 'no' } } }),
    { kind: 'conflict', message: 'Taken', reaction: 'validation', executed: 'no' }, 1, 'document: a fault document'],
  [toolError('Taken', { _meta: {} }), undefined],
  [{ jsonrpc: '2.0', id: 1, result: { isError: true, content: [], error: { code: 1, message: 'x', data: { kind: 'conflict', message: 'Taken', reaction: 'validation' } } } }, undefined],
  [rpc(-32602, 'Taken', { kind: 'conflict' }), undefined],
  [rpc(-32602, 'Taken', { kind: 'weather', reaction: 'validation' }), undefined],
  [rpc(-32602, 'Taken'), undefined],
])('mayday hears %j', (wire, said, certainty, proof) => {
  expect(heardBy('mayday', wire)).toEqual(wholeHeard('mayday', said, certainty, proof));
});
