import { expect, test } from 'vitest';
import { answer } from './mayday.ts';

const TOOL_MISSING = {
  jsonrpc: '2.0',
  id: 'abc',
  error: { code: -32002, message: 'Tool not found', data: { tool: 'export' } },
};

test('answers with a whole response that carries the id that came in', async () => {
  expect(await answer(['translate', '--to', 'mcp'], TOOL_MISSING)).toMatchObject({
    wire: { jsonrpc: '2.0', id: 'abc', error: { code: -32602 } },
  });
});

test('finds the id inside an HTTP body, also when the body is text', async () => {
  const body = { jsonrpc: '2.0', id: 9, error: { code: -32603, message: 'Internal error' } };
  const asObject = { http: { status: 500, headers: {}, body } };
  const asText = { http: { status: 500, headers: {}, body: JSON.stringify(body) } };
  expect(await answer(['translate', '--to', 'mcp'], asObject)).toMatchObject({ wire: { id: 9 } });
  expect(await answer(['translate', '--to', 'mcp'], asText)).toMatchObject({ wire: { id: 9 } });
});

test('carries no id where none came in', async () => {
  const result = { isError: true, content: [{ type: 'text', text: 'Rate limit exceeded' }] };
  const { wire } = (await answer(['translate', '--to', 'mayday'], result)) as { wire: object };
  expect(Object.keys(wire)).toEqual(['jsonrpc', 'result']);
});

test('keeps a protocol error a protocol error, and an error result a result', async () => {
  const error = { jsonrpc: '2.0', id: 4, error: { code: -32603, message: 'Internal error' } };
  const result = {
    jsonrpc: '2.0',
    id: 5,
    result: { isError: true, content: [{ type: 'text', text: 'Internal error' }] },
  };
  expect(await answer(['translate', '--to', 'mayday'], error)).toMatchObject({
    wire: { id: 4, error: { code: -32603 } },
  });
  expect(await answer(['translate', '--to', 'mayday'], result)).toMatchObject({
    wire: { id: 5, result: { isError: true } },
  });
});

test('answers an HTTP response for problem', async () => {
  expect(await answer(['translate', '--to', 'problem'], TOOL_MISSING)).toMatchObject({
    wire: {
      http: {
        status: 404,
        headers: { 'content-type': 'application/problem+json' },
        body: { kind: 'not_found', subject: { type: 'tool', id: 'export' } },
      },
    },
    losses: [],
  });
});

test('adds the inner envelope for qaqnuz, and names what it loses', async () => {
  const { envelope, losses } = (await answer(['translate', '--to', 'qaqnuz'], TOOL_MISSING)) as {
    envelope: object;
    losses: string[];
  };
  expect(envelope).toMatchObject({ error_class: expect.any(String), sanitized_error: expect.any(String) });
  expect(losses).not.toEqual([]);
});

test('passes a success through unchanged', async () => {
  const success = { jsonrpc: '2.0', id: 1, result: { content: [], structuredContent: { ok: true } } };
  expect(await answer(['translate', '--to', 'onx'], success)).toEqual({ wire: success, losses: [] });
});
