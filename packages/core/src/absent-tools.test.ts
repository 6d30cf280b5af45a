/** A tool that is not there, as servers say it that answer as to an unknown method. */
import { describe, expect, it } from 'vitest';
import { read } from './index.ts';

const subjectOf = (message: string): string => {
  const reading = read({ jsonrpc: '2.0', id: 1, error: { code: -32601, message } });
  if (!reading.failure) return '';
  const { kind, subject } = reading.fault;
  return [kind, subject?.type, subject?.id].filter((part) => part !== undefined).join(' ');
};

const FORMS = [
  'Could not find #',
  "Couldn't find #",
  'Cannot find #',
  'Unable to find #',
  'Failed to find #',
  'Did not find #',
  'Unable to locate #',
  'Could not resolve #',
  '# not found',
  '# was not found',
  '# could not be found',
  '# does not exist',
  '# is not available',
  '# is not registered',
  '# is not defined',
  '# is not known',
  '# is unknown',
  '# not implemented',
  'Unknown #',
  'Unrecognised #',
  'No such #',
  'No matching #',
  'No handler for #',
  'MCP error -32601: Could not find #',
];

describe.each(['tool fetch_rates', 'tool "fetch_rates"', 'tool: fetch_rates'])('%s', (named) => {
  it.each(FORMS.filter((form) => form.endsWith('#') || !named.includes(':')))('%s', (form) => {
    expect(subjectOf(form.replace('#', named))).toBe('not_found tool fetch_rates');
  });
});

it.each(['No tool named fetch_rates', 'Tool not found: fetch_rates', "Tool doesn't exist: fetch_rates"])(
  '%s',
  (message) => {
    expect(subjectOf(message)).toBe('not_found tool fetch_rates');
  },
);

it.each(['tool_not_found', 'There is no such tool', 'No tool handler for fetch_rates'])(
  'without a name: %s',
  (message) => {
    expect(subjectOf(message)).toBe('not_found tool');
  },
);

it.each([
  'Method not found',
  'Method not found: tools/list',
  'Could not find method: tools/list',
  'Could not find tools/list',
  'Tools are not supported',
  'Server does not support resources (required for resources/read)',
  'resource subscriptions are not supported',
  'tool calls are not implemented',
  'Tool execution failed: boom',
])('a method stays one: %s', (message) => {
  expect(subjectOf(message)).toMatch(/^unsupported method/);
});

it.each([
  ['Could not find prompt: greet', 'not_found prompt greet'],
  ['Could not find resource: notes://a', 'not_found resource notes://a'],
])('%s', (message, told) => {
  expect(subjectOf(message)).toBe(told);
});
