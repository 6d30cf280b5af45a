import { expect, it } from 'vitest';
import { createDoorman } from './doorman.ts';

const knock = createDoorman(
  { allowedHosts: ['mcp.example.com:8443', 'any.example.com', '[2001:db8::1]'] },
  '127.0.0.1',
);

it.each([
  ['mcp.example.com:8443', undefined],
  ['mcp.example.com', 'host'],
  ['mcp.example.com:8443:1', 'host'],
  ['any.example.com', undefined],
  ['any.example.com:1', undefined],
  ['any.example.com:1:1', 'host'],
  ['[2001:db8::1]:7350', undefined],
  ['[::1]:7350', undefined],
  ['::1', undefined],
])('whoever calls it %s is let in, or not: %s', (host, refused) => {
  expect(knock({ headers: { host }, rawHeaders: ['Host', host] } as never)).toBe(refused);
});
