import { resolveSettings } from '@mayday/gateway';
import { expect, it } from 'vitest';
import { banner } from './banner.ts';

const GATEWAY = { url: 'http://x', adminUrl: undefined, upstreams: ['a'], virtual: [] };

it.each([
  ['_', 'http://x/mcp (all of them, names prefixed)'],
  ['', 'http://x/mcp (all of them)'],
] as const)('says what names are like with the separator %j', (separator, line) => {
  const source = resolveSettings({ upstreams: { a: { command: 'node' } }, joined: { separator } });
  expect(banner(GATEWAY, { ...source, override: {} })).toContain(`${line}\n`);
});
