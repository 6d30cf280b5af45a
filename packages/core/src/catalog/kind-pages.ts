/**
 * The prose of the fault pages, one entry a kind: what it means, what the author of a server does, and a
 * real failing message. It belongs to the catalogue and the docs; reading and writing never load it.
 */
import type { Kind } from '../kinds.ts';

/** What a page says about a kind beside its table row. */
export interface KindPage {
  /** What happened, for whoever meets the kind for the first time. */
  readonly meaning: string;
  /** What the author of a server does about it. */
  readonly author: string;
  /** A failing message that reads as this kind. */
  readonly example: unknown;
}

/** The prose of every kind. */
export const KIND_PAGES: { readonly [K in Kind]: KindPage } = {
  parse_error: {
    meaning:
      'What arrived was not JSON, so nobody could tell what was asked. The request was never looked at, and often not even its id is known.',
    author:
      'Answer before anything else looks at the bytes. Say where the text stopped being JSON, never repeat the text itself.',
    example: { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } },
  },
  invalid_request: {
    meaning:
      'The message was JSON but no valid request: a member is missing, a header contradicts the body, or the batch is malformed. The arguments of the call were not looked at.',
    author:
      'Name the member or header that is wrong and what it should have been. Keep this kind for the frame of the message; wrong arguments are `invalid_arguments`.',
    example: { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'Invalid Request' } },
  },
  invalid_arguments: {
    meaning:
      'The request was understood, but at least one argument is missing, of the wrong type, or out of range.',
    author:
      'Report every issue at once, each with its path, so that the caller needs one more attempt and not five. Inside a tool call this is a tool result with `isError`, because the model can correct it.',
    example: {
      jsonrpc: '2.0',
      id: 2,
      result: {
        error: {
          code: -32101,
          message: 'Validation Error',
          data: {
            type: 'https://closient.com/docs/errors/validation_error',
            title: 'Validation Error',
            status: 400,
            detail: 'quantity must be positive',
            error_code: 'validation_error',
            retryable: false,
          },
        },
      },
    },
  },
  unprocessable: {
    meaning:
      'Every argument is well-formed, yet together they ask for something that cannot be: an end before its start, a currency the account does not hold.',
    author:
      'Say which rule the input breaks and what would satisfy it. When the input is fine and only the current state forbids it, use `conflict`.',
    example: {
      http: {
        status: 422,
        headers: { 'content-type': 'application/json' },
        body: { detail: 'The end date lies before the start date' },
      },
    },
  },
  too_large: {
    meaning:
      'The message, an argument, or the requested result is larger than the other side accepts. A smaller one may succeed.',
    author:
      'Give the limit and the actual size in the details, with their unit. Refuse early, before the whole of it is in memory.',
    example: {
      jsonrpc: '2.0',
      id: 3,
      error: {
        code: -32012,
        message: 'Message size exceeds maximum allowed',
        data: { actual_size: 20971520, max_size: 16777216, unit: 'bytes' },
      },
    },
  },
  unsupported_media: {
    meaning: 'The content is in a format or an encoding that the server does not take, or cannot produce.',
    author: 'List the formats that are taken. A media type in the wrong place is `invalid_arguments`.',
    example: {
      jsonrpc: '2.0',
      id: 4,
      error: { code: -32013, message: 'Invalid content type', data: { content_type: 'image/tiff' } },
    },
  },
  expired: {
    meaning:
      'A value that was good once is not good any more: a cursor, a session, a progress token. The same call without it, or with a fresh one, works.',
    author:
      'Say what expired and how to get a new one. Expired credentials are `unauthenticated`, because the way on is to sign in.',
    example: {
      jsonrpc: '2.0',
      id: 5,
      error: { code: -32072, message: 'Cursor expired', data: { cursor: 'c-81', ttl_seconds: 300 } },
    },
  },
  unsupported: {
    meaning:
      'The server does not offer this at all: the method, the capability, the protocol version. No other argument and no later attempt changes that.',
    author:
      'Name what is supported instead, for example the versions you speak. Do not answer `internal` here.',
    example: {
      jsonrpc: '2.0',
      id: 6,
      error: {
        code: -32022,
        message: 'Unsupported protocol version',
        data: { supported: ['2026-07-28'], requested: '2024-11-05' },
      },
    },
  },
  unauthenticated: {
    meaning:
      'The caller is not known: the credentials are missing, wrong, or expired. The same call works after signing in.',
    author:
      'Do not say which part of the credentials was wrong. Over HTTP answer 401 with `WWW-Authenticate`, so that clients can start the sign-in by themselves.',
    example: {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32001, message: 'Unauthorized: missing or invalid Authorization header' },
    },
  },
  forbidden: {
    meaning:
      'The caller is known but may not do this. Repeating the call cannot help; being given access can.',
    author:
      'Name the permission or scope that is missing if the caller may know it. Where even the existence is secret, answer `not_found`.',
    example: {
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32052,
        message: 'Authorization failed',
        data: { operation: 'orders/refund', required_role: 'manager' },
      },
    },
  },
  approval_required: {
    meaning:
      'The call is allowed only after somebody says yes to it. What they are asked about waits until then.',
    author:
      'Say who can approve and hand out a reference for the request, so that the caller can ask for it and come back.',
    example: {
      content: [{ type: 'text', text: 'This tool requires approval before it can run.' }],
      isError: true,
    },
  },
  input_required: {
    meaning:
      'The server needs something from the user before it can go on: a form, a confirmation in the browser, a missing piece of information.',
    author:
      'On MCP 2026-07-28 answer `input_required`; the older -32042 is only for sessions of 2025-11-25. Ask for one thing at a time.',
    example: {
      jsonrpc: '2.0',
      id: 8,
      error: {
        code: -32042,
        message: 'URL elicitation required',
        data: {
          elicitations: [
            { mode: 'url', elicitationId: 'e-1', url: 'https://example.com/connect', message: 'Connect' },
          ],
        },
      },
    },
  },
  not_found: {
    meaning:
      'What the call names does not exist, or not for this caller: a resource, a tool, an order. The subject says which.',
    author:
      'Set the subject and its id; they decide the code in most dialects. Suggest how to list what does exist.',
    example: {
      jsonrpc: '2.0',
      id: 9,
      error: { code: -32001, message: 'Resource not found', data: { uri: 'file:///reports/q3.md' } },
    },
  },
  conflict: {
    meaning:
      'The call contradicts the current state: it exists already, it is locked, it was changed in between, it is in the wrong phase.',
    author:
      'Say what the state is, so that the caller need not ask. When only time has to pass, use `not_ready` instead.',
    example: {
      jsonrpc: '2.0',
      id: 10,
      result: {
        error: {
          code: 4001,
          message: 'Order cannot be cancelled',
          retryable: false,
          details: { originalError: 'INVALID_ORDER_STATE' },
        },
      },
    },
  },
  not_ready: {
    meaning:
      'The answer will exist, but not yet: an index is being built, a task still runs, the server has not finished starting.',
    author: 'Give the wait if you can estimate it. Do not block the call until it is ready.',
    example: { jsonrpc: '2.0', id: 11, error: { code: -32089, message: 'Task result not ready' } },
  },
  rate_limited: {
    meaning: 'Too many calls in a short time. The call itself was fine and works after the wait.',
    author: 'Always say how long to wait. Count before you work, and never count a call that you refused.',
    example: {
      jsonrpc: '2.0',
      id: 12,
      error: {
        code: -32010,
        message: 'Rate limit exceeded',
        data: { limit: 100, window: 60, retry_after: 30 },
      },
    },
  },
  quota_exhausted: {
    meaning:
      'An allowance is used up: the credits, the monthly volume, the plan. Waiting a little does not help; somebody has to act.',
    author: 'Say which allowance it is and when it is renewed. Short windows are `rate_limited`.',
    example: {
      http: { status: 402, headers: {}, body: { error: 'Monthly quota exceeded, upgrade your plan' } },
    },
  },
  overloaded: {
    meaning:
      'The server has more work than it can take and refused this call before starting it: a full queue, an exhausted pool, shed load.',
    author: 'Refuse early and cheaply, with a wait. A limit per caller is `rate_limited`.',
    example: {
      jsonrpc: '2.0',
      id: 13,
      error: { code: -32095, message: 'Notification queue full', data: { queueSize: 1000 } },
    },
  },
  timeout: {
    meaning:
      'The time was up before the answer came. The work may have been done all the same, which is why a blind retry of a change can do it twice.',
    author:
      'Say which step ran out of time and after how long. Stop the work when you report this, or accept an idempotency key.',
    example: {
      jsonrpc: '2.0',
      id: 14,
      result: { error: { code: 3002, message: 'Operation exceeded time limit', retryable: true } },
    },
  },
  cancelled: {
    meaning: 'Somebody called it off: the user, the client, a shutdown. Part of the work may have happened.',
    author: 'Listen to the abort signal and stop. Under MCP a cancelled request gets no response at all.',
    example: {
      jsonrpc: '2.0',
      id: 15,
      error: {
        code: -32033,
        message: 'Tool execution cancelled',
        data: { tool: 'export', reason: 'requested by the user' },
      },
    },
  },
  disconnected: {
    meaning:
      'The connection broke, or the process at the other end died, while the call was under way. Whether it was carried out is not known.',
    author:
      'This is what your callers see when you crash. Close streams cleanly, and answer before you exit.',
    example: { thrown: { name: 'Error', code: 'ECONNRESET', message: 'read ECONNRESET' } },
  },
  unavailable: {
    meaning: 'The service that is needed cannot be reached or says that it is down.',
    author:
      'Use it for what lies behind you, with the subject `upstream`. Open a circuit, so that the next callers learn it at once.',
    example: {
      thrown: { name: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' },
    },
  },
  upstream_failed: {
    meaning:
      'A service behind the server was reached and failed, or answered nonsense. What it did before is not known.',
    author:
      'Keep the upstream’s own words for the log and send a sentence of yours: they may hold secrets. Mark it retryable only if a repetition is safe.',
    example: { http: { status: 502, headers: {}, body: 'Bad Gateway' } },
  },
  misconfigured: {
    meaning:
      'The server cannot work because of its own setup: a missing key, a bad certificate, a wrong path.',
    author:
      'Check the settings at start and refuse to start without them. Name the setting, never its value.',
    example: {
      thrown: { name: 'Error', code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' },
    },
  },
  invalid_output: {
    meaning:
      'The operation ran, but its result broke the schema it promised or could not be serialized. Its effects have happened.',
    author:
      'Validate results in your tests against `outputSchema`. Do not run the operation again to repair the answer.',
    example: {
      thrown: {
        name: 'McpError',
        code: -32602,
        message: 'MCP error -32602: Structured content does not match the tool’s output schema',
      },
    },
  },
  internal: {
    meaning:
      'Something unexpected broke inside the server. Nothing more is known for sure, not even whether the work was done.',
    author:
      'Send a fixed sentence and a correlation id, keep the exception for your log. If you can name the cause, you have a better kind.',
    example: { jsonrpc: '2.0', id: 16, error: { code: -32603, message: 'Internal error' } },
  },
  unknown: {
    meaning:
      'It failed, and nothing in the message tells how. This is what an honest reader says instead of guessing from a number alone.',
    author: 'Never write it on purpose. If your failures are read as `unknown`, they carry too little.',
    example: { jsonrpc: '2.0', id: 17, error: { code: -32001, message: 'Failed' } },
  },
};
