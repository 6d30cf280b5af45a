import { makeFault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { refusalOf } from './refusal-of.ts';

type Call = Parameters<typeof refusalOf>[0];
type Said = Parameters<typeof refusalOf>[2];

const call = { method: 'tools/call', target: 'book', headers: {}, params: () => ({ name: 'book' }) };
const said: Said = { type: 'message', message: { jsonrpc: '2.0', id: 1, result: {} } } as unknown as Said;

function refused(message: string): { readonly message: string; readonly isRefusal: boolean } {
  const { fault, isRefusal } = refusalOf(
    call as unknown as Call,
    makeFault({ kind: 'not_found', message }),
    said,
  );
  return { message: fault.message, isRefusal };
}

describe('a tool that is not there', () => {
  it.each([
    'Unknown tool: book',
    'Unknown tool "book"',
    'MCP error -32602: Tool book not found',
    "Tool 'book' does not exist.",
    'tool book is disabled',
    'No such tool: book',
    'Unknown tool: book. Did you mean look?',
    'Tool book not found. Available tools: look, list',
  ])('is told in one form: %s', (message) => {
    expect(refused(message)).toEqual({ message: 'Unknown tool: book', isRefusal: true });
  });

  it.each([
    'Tool book: the room 12 was not found',
    'Unknown tool: book; did the plugin of the customer expire?',
    'Tool bookings not found',
    'tool book not found in the warehouse of Lyon',
    'Tool book not found in the catalogue of tool book',
  ])('is not what other words say: %s', (message) => {
    expect(refused(message)).toEqual({ message, isRefusal: false });
  });
});

describe('a server that has failed by its own word, outside of tools', () => {
  const saying = (method: string, kind: 'invalid_arguments' | 'not_found', message: string) =>
    refusalOf(
      {
        ...call,
        method,
        target: 'note://a',
        params: () => ({ uri: 'note://a', name: 'p' }),
      } as unknown as Call,
      makeFault({ kind, message, native: { dialect: 'mcp', code: -32603 } }),
      said,
    ).fault.kind;

  it.each(["Cannot read properties of undefined (reading 'id')", 'template missing'])(
    'has not refused what was sent: %s',
    (message) => {
      expect(saying('resources/read', 'invalid_arguments', message)).toBe('internal');
      expect(saying('prompts/get', 'invalid_arguments', message)).toBe('internal');
    },
  );

  it('may say that something is not there', () => {
    expect(saying('resources/read', 'not_found', 'No note a')).toBe('not_found');
  });
});
