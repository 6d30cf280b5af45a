import type { JsonObject } from '@mayday/core';
import { expect, it } from 'vitest';
import { mergeDiscover, mergeInitialize } from './merge.ts';

const part = (upstream: string, capabilities: JsonObject) => ({ upstream, result: { capabilities } });
const PARTS = [
  part('a', {
    tools: {},
    extensions: { 'io.modelcontextprotocol/tasks': {}, 'io.modelcontextprotocol/ui': { mimeTypes: ['a'] } },
  }),
  part('b', {
    tools: { listChanged: true },
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['b', 'a'], isLive: true }, 'acme/x': {} },
    experimental: { 'acme/y': { depth: 1 } },
  }),
  part('c', { extensions: null, experimental: { 'acme/y': { depth: 2, isFast: false } } }),
];
const MERGED = {
  tools: { listChanged: true },
  extensions: {
    'io.modelcontextprotocol/tasks': {},
    'io.modelcontextprotocol/ui': { mimeTypes: ['a', 'b'], isLive: true },
    'acme/x': {},
  },
  experimental: { 'acme/y': { depth: 1, isFast: false } },
};

it.each([false, true])(
  'offers the extensions of all servers in both eras; tools only: %s',
  (hasToolsOnly) => {
    const served = { hasToolsOnly };
    expect(mergeDiscover(PARTS, [], served)['capabilities']).toEqual(MERGED);
    expect(mergeInitialize(PARTS, [], '2025-11-25', served)['capabilities']).toEqual(MERGED);
  },
);

it('offers none where no server has any', () => {
  const none = [part('a', { tools: {} }), part('b', { prompts: {}, experimental: {} })];
  const served = { hasToolsOnly: true };
  expect(mergeDiscover(none, [], served)['capabilities']).toEqual({ tools: {}, experimental: {} });
});
