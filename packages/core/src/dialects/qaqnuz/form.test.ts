/** How qaqnuz has failures outside of tools, and its own sentences inside of them. */
import { describe, expect, it } from 'vitest';
import { type FormedRow, formedBy } from '../../../test/helpers.ts';
import type { Kind } from '../../index.ts';

// biome-ignore format: a table
it.each<FormedRow>([
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a'], message: 'Odd' }] }, {},
    { result: { content: [{ type: 'text', text: 'Bad: a: Odd' }], isError: true } }],
  [{ kind: 'conflict', message: 'Taken' }, {},
    { result: { content: [{ type: 'text', text: 'Taken' }], isError: true } }],
  [{ kind: 'forbidden', message: 'Not from db.internal' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Not from [host]' } }],
  [{ kind: 'not_found', message: 'Gone' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Gone' } }],
  [{ kind: 'unsupported', message: 'Use POST' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Use POST' } }],
  [{ kind: 'unsupported_media', message: 'Use JSON' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Use JSON' } }],
  [{ kind: 'too_large', message: 'Too much' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Too much' } }],
  [{ kind: 'invalid_arguments', message: 'No name' }, { ofRequest: true },
    { id: null, error: { code: -32602, message: 'No name' } }],
  [{ kind: 'unsupported', message: 'Unknown method: x/y', subject: { type: 'method', id: 'x/y' } }, { ofRequest: true },
    { id: null, error: { code: -32601, message: 'Unknown method: x/y' } }],
  [{ kind: 'unauthenticated', message: 'Your key has expired' }, { method: 'resources/read', ours: false },
    { id: null, error: { code: -32600, message: 'Unauthorized' } }],
  [{ kind: 'forbidden', message: 'No' }, { method: 'resources/read' },
    { id: null, error: { code: -32600, message: 'No' } }],
  [{ kind: 'parse_error', message: 'No JSON' }, { ofRequest: true },
    { id: null, error: { code: -32700, message: 'No JSON' } }],
  [{ kind: 'not_found', message: 'There is no tool nope', subject: { type: 'tool', id: 'nope' } }, {},
    { result: { content: [{ type: 'text', text: 'This tool is not available for your key.' }], isError: true } }],
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a', 'b'], message: 'Odd' }, { path: [], message: 'Extra' }] }, {},
    { result: { content: [{ type: 'text', text: 'Bad: a.b: Odd; Extra' }], isError: true } }],
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a'], message: 'Odd' }] }, { ours: false },
    { result: { content: [{ type: 'text', text: 'Bad' }], isError: true } }],
  [{ kind: 'unauthenticated', message: 'No token' }, { ours: false },
    { result: { content: [{ type: 'text', text: 'Unauthorized' }], isError: true } }],
  [{ kind: 'rate_limited', message: 'Rate limit exceeded' }, { ours: false },
    { result: { content: [{ type: 'text', text: 'Rate limit exceeded. Please wait before sending more requests.' }], isError: true } }],
  [{ kind: 'rate_limited', message: 'Slow down' }, { ours: false },
    { result: { content: [{ type: 'text', text: 'Rate limit exceeded. Please wait before sending more requests.' }], isError: true } }],
  [{ kind: 'rate_limited', message: 'The provider’s rate limit is reached' }, { ours: false },
    { result: { content: [{ type: 'text', text: 'The provider’s rate limit is reached' }], isError: true } }],
  [{ kind: 'rate_limited', message: 'Request failed with status code 429' }, { foreign: 'backend' },
    { result: { content: [{ type: 'text', text: 'Rate limit exceeded. Please wait before sending more requests.' }], isError: true } }],
  [{ kind: 'not_found', message: 'Request failed with status code 404' }, { foreign: 'backend' },
    { result: { content: [{ type: 'text', text: 'Not found' }], isError: true } }],
  [{ kind: 'unavailable', message: 'connect ECONNREFUSED' }, { foreign: 'somebody', ours: false },
    { result: { content: [{ type: 'text', text: 'Unavailable' }], isError: true } }],
  [{ kind: 'conflict', message: 'Taken' }, { foreign: 'somebody', ours: false },
    { result: { content: [{ type: 'text', text: 'Taken' }], isError: true } }],
  [{ kind: 'invalid_arguments', message: 'Bad: a: Odd', issues: [{ path: ['a'], message: 'Odd' }, { path: ['b'], message: 'Even' }] }, { foreign: 'somebody', ours: false },
    { result: { content: [{ type: 'text', text: 'Bad: a: Odd: b: Even' }], isError: true } }],
  [{ kind: 'not_found', message: 'Tool nope not found', subject: { type: 'tool', id: 'nope' } }, { ours: false, foreign: 'somebody', name: 'nope' },
    { result: { content: [{ type: 'text', text: 'This tool is not available for your key.' }], isError: true } }],
  [{ kind: 'internal', message: 'duplicate key value' }, {},
    { result: { content: [{ type: 'text', text: 'Internal error' }], isError: true } }],
])('qaqnuz has %j %j', (fault, context, answer) => {
  expect(formedBy('qaqnuz', fault, context)).toEqual({ jsonrpc: '2.0', ...answer });
});

const OTHERS: readonly (readonly [Kind, string, string])[] = [
  ['not_found', 'Stripe: No such customer cus_123 (req_9aZ) table users_v2', 'Not found'],
  ['not_found', 'No row 4711 in table invoices', 'Not found'],
  ['not_found', 'Order 4711 does not exist', 'Not found'],
  ['not_found', 'OpenAI API: model gpt-9 not found in org-abc123', 'Not found'],
  ['not_found', 'Salesforce: INVALID_SESSION_ID: Session expired or invalid', 'Not found'],
  ['not_found', 'Contact not found at HubSpot (correlationId 9a-11)', 'Not found'],
  ['not_found', 'Document /srv/app/data/x.json not found', 'Not found'],
  ['conflict', 'Key (id)=([sql:1]) already exists in table "orders"', 'Conflict'],
  ['conflict', 'The user Ada Lovelace already exists', 'Conflict'],
  ['invalid_arguments', 'invalid input syntax for type uuid: "[sql:1]"', 'Invalid arguments'],
  ['invalid_arguments', 'Column "pwd_hash" of relation "users" cannot be null', 'Invalid arguments'],
  ['unknown', 'Stripe error: Your card was declined (pi_3Nabc)', 'Unknown failure'],
  ['unknown', 'The printer is out of paper', 'Unknown failure'],
  ['unknown', 'Patient Maria is HIV positive', 'Unknown failure'],
  ['unknown', 'Zendesk says: ticket closed', 'Unknown failure'],
  ['conflict', 'insert into ledger failed', 'Conflict'],
  ['conflict', 'UPDATE accounts SET balance failed', 'Conflict'],
  ['not_found', 'select name from staff gave nothing', 'Not found'],
  ['not_found', 'delete from orders found nothing', 'Not found'],
  ['conflict', 'Bucket customer-exports is full', 'Conflict'],
  ['invalid_arguments', 'You must provide a name', 'You must provide a name'],
  ['conflict', 'The room is taken. Choose another one!', 'The room is taken. Choose another one!'],
  [
    'approval_required',
    'issue_refund requires approval (request apr_30c38415e7be)',
    'issue_refund requires approval (request apr_30c38415e7be)',
  ],
  [
    'invalid_arguments',
    'Invalid arguments. order_id: expected a string',
    'Invalid arguments. order_id: expected a string',
  ],
];

describe.each([
  { foreign: 'somebody', ours: true },
  { foreign: 'somebody', ours: false },
] as const)('QA-3 QA-6 QA-7 of words that are not ours (%j)', (context) => {
  it.each(OTHERS)('%s: %j crosses as %j', (kind, message, text) => {
    expect(formedBy('qaqnuz', { kind, message }, context)).toEqual({
      jsonrpc: '2.0',
      result: { content: [{ type: 'text', text }], isError: true },
    });
  });
});
