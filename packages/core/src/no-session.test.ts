import { expect, it } from 'vitest';
import { deniesSession, isUnderPlaceholder, mayDenySession, saysUnopened } from './no-session.ts';

const rpc = (code: number, message: string, data?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, data } });

it.each([
  [404, ''],
  [404, 'Not Found'],
  [404, 'session not found\n'],
  [404, 'Invalid session ID'],
  [404, 'Not Found: Session not found'],
  [404, 'Session timed out'],
  [404, 'Could not find session'],
  [404, '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}'],
  [
    404,
    '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Not Found: Session has been terminated"}}',
  ],
  [
    400,
    '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request: Missing session ID"}}',
  ],
  [404, '{"jsonrpc":"2.0","id":"call-one","error":{"code":-32001,"message":"Session not found"}}'],
  [404, "Couldn't find the session"],
  [404, 'Cannot find session'],
  [404, 'No session'],
  [404, 'Invalid session'],
  [404, '{"detail":"Could not find session"}'],
  [404, '{"error":"No session"}'],
  [404, rpc(-32001, 'Could not find session')],
  [400, 'Could not find session'],
  [400, 'Invalid session ID'],
  [400, 'session_id is required'],
  [404, 'Session expired. Please reinitialize.'],
  [404, 'Session does not exist; client must start a new session'],
  [404, '{"error":"session_not_found","message":"The session has ended or is unknown"}'],
  [404, '{"error":"Session not found","message":"Please initialize a new session"}'],
  [404, 'Session not found'],
  [404, '{"detail":"Not Found"}'],
  [404, '{"error":"Invalid or expired session","code":404}'],
  [404, rpc(-32001, 'Session not found')],
  [404, rpc(-32600, 'Session has been terminated')],
  [400, rpc(-32000, 'Bad Request: No valid session ID provided')],
  [400, rpc(-32000, 'Bad Request: Server not initialized')],
  [400, 'Missing session ID'],
  [404, `[${rpc(-32001, 'Session not found')}]`],
  [400, `[${rpc(-32000, 'Bad Request: No valid session ID provided')}]`],
  [404, '{"jsonrpc":"2.0","id":"error","error":{"code":-32001,"message":"Session not found"}}'],
  [404, '{"jsonrpc":"2.0","id":-1,"error":{"code":-32001,"message":"Session not found"}}'],
  [200, rpc(-32001, 'Session not found')],
  [200, rpc(-32000, 'Bad Request: No valid session ID provided')],
  [200, '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}'],
])('knows a plain answer to an unknown session: %i %s', (status, body) => {
  expect(deniesSession({ status, body })).toBe(true);
});

it.each([
  [404, 'Payment accepted; receipt failed: template not found'],
  [404, 'Payment accepted; session not found'],
  [404, 'upstream order service: session not found'],
  [404, 'Customer not found'],
  [404, 'gone'],
  [404, 'Client not found'],
  [404, 'Found'],
  [404, 'Request not found'],
  [404, 'No request found'],
  [404, 'Request timed out'],
  [404, 'The request timed out, please send it again'],
  [404, 'Request ended'],
  [404, 'Could not find'],
  [404, 'Could not find client'],
  [404, 'Could not find the request for this session'],
  [404, 'Could not find a client for this session'],
  [404, 'Client closed'],
  [404, 'No client with this id'],
  [404, 'Timed out'],
  [404, 'Client exists'],
  [404, 'Session exists'],
  [404, 'The session is valid'],
  [404, 'The session has not expired'],
  [404, 'Please initialize'],
  [404, 'Request timed out; session closed'],
  [404, 'Session closed and request ended'],
  [404, 'Request ended in closed session'],
  [404, '{"error":"Client not found","session":"unknown"}'],
  [404, '{"error":"Session not found","message":"Request ended"}'],
  [404, rpc(-32000, 'Client not found')],
  [404, rpc(-32001, 'Request timed out')],
  [404, rpc(-32002, 'Request ended')],
  [404, rpc(-32602, 'No client with this id')],
  [400, rpc(-32000, 'Request timed out in this session')],
  [404, '{"orderId":7}'],
  [404, '{"error":"Session not found","order":7}'],
  [404, rpc(-32601, 'Method not found')],
  [404, rpc(-32603, 'Session not found')],
  [404, rpc(-32603, 'Internal error')],
  [404, rpc(-32001, 'Session not found', { orderId: 7 })],
  [404, '{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"not found"}]}}'],
  [404, '{"jsonrpc":"2.0","id":1,"result":{}}'],
  // What GitHub says, handed on: the page is not about our session.
  [404, '{"message":"Not Found","documentation_url":"https://docs.github.com"}'],
  [404, '{"message":"Not Found","help":"https://mail.example/errors"}'],
  [400, ''],
  [400, 'Bad Request'],
  [400, 'Invalid request: missing id'],
  [410, 'Session not found'],
  // Where the status says that all is well, whoever worked on the request may have said it.
  [200, 'Session not found'],
  [200, ''],
  [200, '{"error":"Session not found"}'],
  [200, '{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"Session not found"}}'],
  [200, rpc(-32001, 'Payment accepted; session not found')],
  [200, rpc(-32603, 'Session not found')],
  [202, rpc(-32001, 'Session not found')],
  [500, 'Session not found'],
])('takes everything else for another failure: %i %s', (status, body) => {
  expect(deniesSession({ status, body })).toBe(false);
});

const OURS = '3f2c9a1e-77b0-4f43-9d2f-1d1f0a8f2b11';

it.each([
  [404, `Session ${OURS} not found`],
  [404, `No transport found for sessionId ${OURS}`],
  [404, `Session not found: ${OURS}`],
  [404, `Could not find session ${OURS}`],
  [404, `Could not find session for ID: ${OURS}`],
  [404, `{"detail":"Unknown session ${OURS}."}`],
  [404, `{"error":"Session not found","sessionId":"${OURS}"}`],
  [404, rpc(-32001, `Session '${OURS}' expired`)],
  [400, rpc(-32000, `Bad Request: No valid session ID provided (${OURS})`)],
])('our own session may be named: %i %s', (status, body) => {
  expect(deniesSession({ status, body, session: OURS })).toBe(true);
  expect(deniesSession({ status, body, session: '3f2c9a1e-77b0-4f43-9d2f-1d1f0a8f2b12' })).toBe(false);
  expect(deniesSession({ status, body })).toBe(false);
});

it.each([
  [404, 'Session cs_77 not found'],
  [404, '{"detail":"Session cs_77 not found"}'],
  [404, 'Session pay_991 not found'],
  [404, 'Unknown session cs_77'],
  [404, 'Could not find session cs_77'],
  [404, 'Session cs_77 expired'],
  [404, 'Session 11111111-51a4-4be9-9c1e-000000000009 not found'],
  [404, `Session ${OURS}-7 not found`],
  [404, `Session ${OURS}.7 not found`],
  [404, `Session x${OURS} not found`],
  [404, `Session ${OURS} not found, cs_77`],
  [404, rpc(-32001, 'Session cs_77 not found')],
  [404, rpc(-32602, 'Session cs_77 not found')],
  [400, 'Session cs_77 not found'],
  [400, rpc(-32000, 'Session cs_77 not found')],
  [400, 'Bad Request: No valid session ID provided cs_77'],
])('another session is another thing: %i %s', (status, body) => {
  expect(deniesSession({ status, body, session: OURS })).toBe(false);
});

it.each([
  [{ 'mcp-session-id': OURS }, true],
  [{ 'mcp-session-id': 'pay_991' }, false],
  [{ 'Mcp-Session-Id': 'pay_991' }, false],
])('a header may name our own session and no other: %j', (headers, isDenied) => {
  expect(deniesSession({ status: 404, headers, body: 'Session not found', session: OURS })).toBe(isDenied);
});

it.each(['{"error":"Session not found","code":991}', '{"error":"Session not found","status":200}'])(
  'a number of something is another thing: %s',
  (body) => {
    expect(deniesSession({ status: 404, body, session: OURS })).toBe(false);
  },
);

it.each(['', 'pay', '7', 'paid', 'refund'])('an id that may mean anything is no name: %s', (session) => {
  expect(deniesSession({ status: 404, body: `Session ${session} paid`, session })).toBe(false);
});

const thrown = (message: string, more: object = {}): string =>
  JSON.stringify({
    cause: null,
    stackTrace: Array.from({ length: 80 }, (_, line) => ({
      classLoaderName: 'app',
      methodName: 'handlePost',
      fileName: 'WebMvcStreamableServerTransportProvider.java',
      lineNumber: 300 + line,
      className: 'io.modelcontextprotocol.server.transport.WebMvcStreamableServerTransportProvider',
      nativeMethod: false,
    })),
    jsonRpcError: null,
    message,
    suppressed: [],
    localizedMessage: message,
    ...more,
  });

it.each([
  [404, `Session not found: ${OURS}`],
  [404, 'Session not found'],
  [400, 'Session ID missing'],
  [400, `Unknown session: ${OURS}`],
])('an exception of Java that says nothing else is as good as its words: %i %s', (status, message) => {
  expect(deniesSession({ status, body: thrown(message), session: OURS })).toBe(true);
});

it.each([
  ['of another session', thrown('Session not found: 0d1b7a77-6a43-4be7-8dd4-1f6de6cf1a90')],
  ['with a cause', thrown('Session not found', { cause: { message: 'Payment 991 booked' } })],
  ['with something suppressed', thrown('Session not found', { suppressed: [{ message: 'mail failed' }] })],
  ['with an error of its own', thrown('Session not found', { jsonRpcError: { code: 1, message: 'booked' } })],
  ['with another word', thrown('Session not found', { booked: 991 })],
  [
    'in other words elsewhere',
    thrown('Session not found', { localizedMessage: 'Booked, session not found' }),
  ],
  ['about the work', thrown('Payment booked, session not found')],
])('but not one %s', (_, body) => {
  expect(deniesSession({ status: 404, body, session: OURS })).toBe(false);
});

const under = (id: unknown, more: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32001, message: 'Session not found' }, ...more });

it.each([
  [under('error'), 7, true],
  [under('session-error'), '7', true],
  [under(-1), 7, true],
  [`[${under('error')}]`, 7, true],
  [under('error'), 'pay', false],
  [under(0), 7, false],
  [under(8), 7, false],
  [under('call-8'), 7, false],
  [under('error', { result: {} }), 7, false],
  [under('error', { method: 'm' }), 7, false],
  [`[${under('error')},${under('error')}]`, 7, false],
  [under('error').replace('"error":', '"id":8,"error":'), 7, false],
  ['Session not found', 7, false],
  ['', 7, false],
])('knows an id that no client gives: %s, asked as %j', (body, id, isIt) => {
  expect(isUnderPlaceholder(body, id)).toBe(isIt);
});

it.each([
  [400, '', true],
  [200, '{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"Session not found"}}', true],
  [404, '{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"Session not found"}}', true],
  [200, '[{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"Session not found"}}]', true],
  [200, '{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"Checkout session not found"}}', false],
  [200, '{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"Session cs_77 not found"}}', false],
  [200, '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found"}}', false],
  [200, '{"jsonrpc":"2.0","id":7,"result":{"error":"Session not found"}}', false],
  [404, '', true],
  [410, '', true],
  [410, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session expired"}}', true],
  [410, 'Session expired', true],
  [410, 'The order is gone', false],
  [500, '{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"Session not found"}}', true],
  [503, 'Session not found', true],
  [500, 'Checkout session not found', false],
  [500, '', false],
  [429, '{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"Session not found"}}', false],
  [
    200,
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Received request before initialization was complete"}}',
    true,
  ],
  [
    200,
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Paid 7 EUR, before initialization of the mail"}}',
    false,
  ],
  [200, 'Session not found', false],
  [400, ' ', false],
  [200, '', false],
])('may deny the session, with nothing proven of the request: %i %s', (status, body, may) => {
  expect(mayDenySession({ status, headers: {}, body })).toBe(may);
});

const EARLY = 'Received request before initialization was complete';
const answer = (message: string, more: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, error: { code: -32602, message, ...more } });

it.each([
  [200, answer(EARLY), true],
  [200, answer(`${EARLY}.`), true],
  [200, answer(EARLY, { data: '' }), true],
  [200, answer(EARLY, { data: null }), true],
  [200, `[${answer(EARLY)}]`, true],
  [400, answer(EARLY), true],
  [200, answer('Server not initialized'), false],
  [200, answer('Bad Request: Server not initialized'), false],
  [200, answer('The server has not been initialised yet'), false],
  // Who is still starting has forgotten nothing.
  [503, answer('Server not initialized'), false],
  [429, answer('Server not initialized'), false],
  [200, answer(EARLY, { data: { order: 7 } }), false],
  [200, answer(EARLY, { data: 'paid' }), false],
  [200, answer(EARLY, { order: 7 }), false],
  [200, answer(EARLY).replace('"id":7', '"id":7,"order":7'), false],
  [200, answer(EARLY).replace('"id":7', '"id":7,"message":"paid"'), false],
  [200, answer('Paid before initialization of the mail'), false],
  [200, answer('Received request before initialization of the mail'), false],
  [200, answer('Paid. Server not initialized'), false],
  [200, answer('Mail server not initialized'), false],
  [200, answer('Server not initialized for paying'), false],
  [200, answer('Session not found'), false],
  [200, `[${answer(EARLY)},${answer(EARLY)}]`, false],
  [200, '{"jsonrpc":"2.0","id":7,"error":{"code":-32602}}', false],
  [
    200,
    `{"jsonrpc":"2.0","id":7,"result":{"isError":true,"content":[{"type":"text","text":"${EARLY}"}]}}`,
    false,
  ],
  [400, 'Server not initialized', false],
  [400, '', false],
])('says itself that no session was opened: %i %s', (status, body, isIt) => {
  expect(saysUnopened({ status, body })).toBe(isIt);
});
