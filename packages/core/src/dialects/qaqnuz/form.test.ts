/** How qaqnuz has failures outside of tools, and its own sentences inside of them. */
import { expect, it } from 'vitest';
import { type FormedRow, formedBy } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<FormedRow>([
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a'], message: 'Odd' }] }, {},
    { result: { content: [{ type: 'text', text: 'Bad: a: Odd' }], isError: true } }],
  [{ kind: 'conflict', message: 'Taken' }, {},
    { result: { content: [{ type: 'text', text: 'Taken' }], isError: true } }],
  [{ kind: 'forbidden', message: 'Not from db.internal' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Not from [host]' } }],
  [{ kind: 'not_found', message: 'Gone' }, { ofRequest: true },
    { id: null, error: { code: -32602, message: 'Gone' } }],
  [{ kind: 'forbidden', message: 'No' }, { method: 'resources/read' },
    { id: null, error: { code: -32603, message: 'No' } }],
  [{ kind: 'parse_error', message: 'No JSON' }, { ofRequest: true },
    { id: null, error: { code: -32700, message: 'No JSON' } }],
  [{ kind: 'not_found', message: 'There is no tool nope', subject: { type: 'tool', id: 'nope' } }, {},
    { result: { content: [{ type: 'text', text: 'This tool is not available for your key.' }], isError: true } }],
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a', 'b'], message: 'Odd' }, { path: [], message: 'Extra' }] }, {},
    { result: { content: [{ type: 'text', text: 'Bad: a.b: Odd; Extra' }], isError: true } }],
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a'], message: 'Odd' }] }, { ours: false },
    { result: { content: [{ type: 'text', text: 'Bad' }], isError: true } }],
  [{ kind: 'internal', message: 'duplicate key value' }, {},
    { result: { content: [{ type: 'text', text: 'Internal error' }], isError: true } }],
])('qaqnuz has %j %j', (fault, context, answer) => {
  expect(formedBy('qaqnuz', fault, context)).toEqual({ jsonrpc: '2.0', ...answer });
});
