/** What an author said, where a document has a fixed name for the message: it is what the model is told, and it goes out as it came. */
import { expect, it } from 'vitest';
import { read, write } from '../src/index.ts';
import { forModel } from '../src/render/for-model.ts';
import { rpc } from './helpers.ts';

const OURS = 'dev.mayday/error';

it.each([
  [
    'erlmcp',
    rpc(-32031, 'Tool execution failed', { tool: 'look', reason: 'No product found' }),
    'No product found',
  ],
  [
    'erlmcp',
    rpc(-32044, 'Prompt render failed', { prompt: 'p', reason: 'The partial is gone' }),
    'The partial is gone',
  ],
  [
    'erlmcp',
    rpc(-32052, 'Authorization failed', { operation: 'x', [OURS]: { message: 'Needs qr:generate' } }),
    'Needs qr:generate',
  ],
  ['onx', rpc(-32603, 'Internal error', { [OURS]: { message: 'The till is closed' } }), 'The till is closed'],
] as const)('%s %j', (dialect, wire, words) => {
  const reading = read(wire, { from: dialect });
  if (!reading.failure) throw new Error('Expected a failure');
  expect(reading.fault.message).toBe(words);
  expect(forModel(reading.fault)).toContain(words);
  expect(write(reading.fault, dialect, { id: 1, method: 'resources/read' }).wire).toEqual(wire);
});

it.each([
  [rpc(-32006, 'Subscription failed', { uri: 'a:1', reason: 'already_subscribed' }), 'Subscription failed'],
  [rpc(-32031, 'My own words', { tool: 'look', reason: 'No product found' }), 'My own words'],
  [rpc(-32052, 'Authorization failed', { [OURS]: { message: '' } }), 'Authorization failed'],
  [rpc(-32052, 'Authorization failed', { [OURS]: 'x' }), 'Authorization failed'],
])('is not looked for in identifiers, nor where somebody chose a message: %j', (wire, words) => {
  expect(read(wire, { from: 'erlmcp' })).toMatchObject({ fault: { message: words } });
});
