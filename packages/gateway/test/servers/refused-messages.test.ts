/** A server whose HTTP turns away what the gateway sent as it should be: nobody who called has done anything wrong. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, idIn, json, open, type Posted, post, upstream } from '../tools.ts';

afterEach(cleanUp);

interface Asked {
  readonly dialect?: string;
  readonly asked?: object;
  readonly headers?: { readonly [name: string]: string };
}

/** What a caller is told of a server that answers everything with this. */
async function told(
  status: number,
  body: string | object,
  { dialect = 'mayday', asked = callTool('pay', { amount: 5 }), headers = {} }: Asked = {},
): Promise<Posted> {
  const { url } = await upstream((said, response) => {
    if (body === NOT_ALLOWED) json(response, status, { ...body, id: idIn(said) });
    else if (typeof body === 'object') json(response, status, body);
    else response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  });
  const gateway = await open({ upstreams: { a: { url } } });
  return post(`${gateway.url}/a/mcp`, asked, { 'mayday-dialect': dialect, ...headers });
}

const WITHOUT_A_WORD = 'The server refused the request without saying why';
/** Under the id of whatever was asked. */
const NOT_ALLOWED = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Invalid params: amount' } };

/** As the transports of the SDKs refuse what they have not even read: under no id, or one of their own. */
function unread(message: string, { code = -32000, id = null }: { code?: number; id?: string | null } = {}) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

const NOT_ACCEPTABLE = 'Not Acceptable: Client must accept both application/json and text/event-stream';
const NO_JSON = 'Unsupported Media Type: Content-Type must be application/json';
const OF_PYTHON = { code: -32600, id: 'server-error' };

describe('what it is', () => {
  it.each([
    [400, '', 'internal', `${WITHOUT_A_WORD} (HTTP 400)`],
    [400, 'Bad Request', 'internal', `${WITHOUT_A_WORD} (HTTP 400)`],
    [400, '400 bad request.', 'internal', `${WITHOUT_A_WORD} (HTTP 400)`],
    [400, { error: 'Bad Request' }, 'internal', `${WITHOUT_A_WORD} (HTTP 400)`],
    [400, 'no good', 'internal', 'no good'],
    [400, { error: 'Invalid request' }, 'internal', 'Invalid request'],
    [411, '', 'internal', `${WITHOUT_A_WORD} (HTTP 411)`],
    [406, '', 'internal', `${WITHOUT_A_WORD} (HTTP 406)`],
    [415, '', 'internal', `${WITHOUT_A_WORD} (HTTP 415)`],
    [415, 'no good', 'internal', 'no good'],
    [406, unread(NOT_ACCEPTABLE), 'internal', NOT_ACCEPTABLE],
    [415, unread(NO_JSON), 'internal', NO_JSON],
    [406, unread(NOT_ACCEPTABLE, OF_PYTHON), 'internal', NOT_ACCEPTABLE],
    [400, unread('Bad Request: something'), 'internal', 'Bad Request: something'],
    [400, unread('Bad Request'), 'internal', `${WITHOUT_A_WORD} (HTTP 400)`],
    // As frameworks and the SDKs of other languages say it.
    [400, 'Invalid Content-Type header', 'internal', 'Invalid Content-Type header'],
    [400, 'Bad Request: body must be JSON\n', 'internal', 'Bad Request: body must be JSON\n'],
    [406, unread(NOT_ACCEPTABLE, { id: '' }), 'internal', NOT_ACCEPTABLE],
    [
      415,
      { type: 'https://example.com/415', title: 'Unsupported Media Type', status: 415, traceId: '00-aa' },
      'internal',
      `${WITHOUT_A_WORD} (HTTP 415)`,
    ],
    [
      415,
      {
        statusCode: 415,
        error: 'Unsupported Media Type',
        message: 'Unsupported Media Type: application/json',
      },
      'internal',
      'Unsupported Media Type: application/json',
    ],
    [421, 'Invalid Host header', 'misconfigured', 'Invalid Host header'],
    [403, 'Invalid Origin header', 'misconfigured', 'Invalid Origin header'],
    [403, unread('Invalid Host: gateway.example'), 'misconfigured', 'Invalid Host: gateway.example'],
  ])('HTTP %i %j: %s', async (status, body, kind, message) => {
    const fault = faultIn(await told(status, body));
    const terminal = { reaction: 'terminal', retryable: false, executed: 'no', origin: 'server' };
    expect(fault).toMatchObject({ kind, message, ...terminal });
  });

  it('of a message that is too large, the caller can send less', async () => {
    expect(faultIn(await told(413, ''))).toMatchObject({ kind: 'too_large', subject: { type: 'message' } });
  });

  it.each([
    [400, { error: 'amount must be positive' }, 'invalid_arguments'],
    [415, { error: 'amount must be positive' }, 'invalid_arguments'],
    [400, NOT_ALLOWED, 'invalid_arguments'],
    [
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } },
      'invalid_request',
    ],
    [400, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }, 'parse_error'],
    [400, { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'No' }, 'invalid_arguments'],
  ])('HTTP %i %j keeps what its words mean: %s', async (status, body, kind) => {
    expect(faultIn(await told(status, body))).toMatchObject({ kind, reaction: 'validation' });
  });

  it('keeps the words about an argument that stand beside the name of the status', async () => {
    const message = "body must have required property 'amount'";
    const body = { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message };
    expect(faultIn(await told(400, body))).toMatchObject({ kind: 'invalid_arguments', message });
  });

  it.each(['Invalid Origin header', unread('Invalid Host: gateway.example')])(
    'HTTP 403 %j asks nobody to sign in',
    async (body) => {
      expect((await told(403, body)).status).toBe(200);
    },
  );

  it('HTTP 403 is about the origin of a caller who comes from one', async () => {
    const headers = { origin: 'http://127.0.0.1' };
    const fault = faultIn(await told(403, 'Invalid Origin header', { headers }));
    expect(fault).toMatchObject({ kind: 'forbidden' });
  });

  it.each([
    [415, { 'content-type': 'application/xml' }],
    [406, { accept: 'application/json' }],
    [406, { accept: 'text/html' }],
  ])('HTTP %i is about a caller whose own headers say so: %j', async (status, headers) => {
    for (const body of ['', unread(NOT_ACCEPTABLE)])
      expect(faultIn(await told(status, body, { headers }))).toMatchObject({ kind: 'unsupported_media' });
  });

  it('HTTP 400 is about a caller whose params have not the form of their method', async () => {
    const asked = call('tools/list', { cursor: 7 });
    expect(faultIn(await told(400, '', { asked }))).toMatchObject({ reaction: 'validation' });
  });
});

const FAILED = { isError: true };
const WORDS: { readonly [status: number]: string } = {
  400: 'Bad Request: something',
  401: 'Unauthorized',
  406: NOT_ACCEPTABLE,
  413: 'Payload too large',
  415: NO_JSON,
};
const READ = { asked: call('resources/read', { uri: 'note://a' }) };

// biome-ignore format: a table
describe.each([
  [[400, 406, 415], {
    mcp: { result: FAILED },
    closient: { result: { ...FAILED, error: { code: -32300, data: { status: 500, error_code: 'internal_error' } } } },
    onx: { result: { ...FAILED, error: { code: 4001, retryable: false } } },
    erlmcp: { error: { code: -32031, message: 'Tool execution failed', data: { tool: 'pay' } } },
    qaqnuz: { result: { ...FAILED, content: [{ type: 'text', text: 'Internal error' }] } },
    platica: { result: { ...FAILED, structuredContent: { code: 500, error: 'Internal error' } } },
  }],
  [[413], {
    mcp: { result: FAILED },
    closient: { result: { ...FAILED, error: { code: -32100, data: { status: 413, retryable: false } } } },
    onx: { result: { ...FAILED, error: { code: 4001, retryable: false } } },
    erlmcp: { error: { code: -32012, message: 'Message size exceeds maximum allowed' } },
    qaqnuz: { result: { ...FAILED, content: [{ type: 'text', text: 'Too large' }] } },
    platica: { result: { ...FAILED, structuredContent: { code: 413 } } },
  }],
  [[401], {
    closient: { result: { ...FAILED, error: { code: -32001 } } },
    onx: { result: { ...FAILED, error: { code: 4001 } } },
    erlmcp: { error: { code: -32051, message: 'Authentication failed' } },
    qaqnuz: { result: { ...FAILED, content: [{ type: 'text', text: 'Unauthorized' }] } },
    platica: { result: { ...FAILED, structuredContent: { code: 401 } } },
  }],
] as [number[], { [dialect: string]: object }][])('HTTP %j to a call', (statuses, inEach) => {
  it.each(Object.entries(inEach))('in %s is a failure of the call', async (dialect, message) => {
    for (const status of statuses) {
      expect((await told(status, '', { dialect })).message).toMatchObject(message);
      expect((await told(status, 'no good', { dialect })).message).toMatchObject(message);
      expect((await told(status, unread(WORDS[status] ?? ''), { dialect })).message).toMatchObject(message);
    }
  });
});

it.each(['mayday', 'closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'])(
  'in %s clients read the answer to a call that the transport of a server did not take',
  async (dialect) => {
    for (const status of [400, 406, 415])
      expect((await told(status, unread(WORDS[status] ?? ''), { dialect })).status).toBe(200);
  },
);

// biome-ignore format: a table
describe.each([
  [400, { mcp: -32603, closient: -32300, onx: -32603, erlmcp: -32603, qaqnuz: -32603, platica: -32603 }],
  [415, { mcp: -32603, closient: -32300, onx: -32603, erlmcp: -32603, qaqnuz: -32603, platica: -32603 }],
  [413, { mcp: -32602, closient: -32100, erlmcp: -32012, platica: -32602 }],
] as [number, { [dialect: string]: number }][])('HTTP %i to a request outside of tools', (status, codes) => {
  it.each(Object.entries(codes))('in %s', async (dialect, code) => {
    expect((await told(status, '', { ...READ, dialect })).message.error).toMatchObject({ code });
  });
});

it('HTTP 401 outside of tools says nothing of the caller’s own header in Platica', async () => {
  const { error } = (await told(401, '', { ...READ, dialect: 'platica' })).message;
  expect(error).toEqual({ code: -32001, message: 'Unauthorized' });
});
