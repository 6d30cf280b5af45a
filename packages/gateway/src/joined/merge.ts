/** Many answers → one. */
import type { Json, JsonObject } from '@mayday/core';
import type { Revision } from '@mayday/relay';
import type { Names } from './names.ts';

/** What one upstream answered. */
export interface Part {
  readonly upstream: string;
  readonly result: JsonObject;
}

/** Where a result says which upstreams are missing from it. */
const UNAVAILABLE_KEY = 'dev.mayday/unavailable';

const SERVER_INFO = { name: 'mayday-gateway', version: '0.1.0' } as const;

/** The answer to `initialize`: what any of them can do, under the oldest revision among them. */
export function mergeInitialize(parts: readonly Part[], missing: readonly string[]): JsonObject {
  const versions = parts.map(({ result }) => String(result['protocolVersion'])).sort();
  return {
    protocolVersion: versions[0] ?? '2025-11-25',
    capabilities: mergeCapabilities(parts),
    serverInfo: SERVER_INFO,
    ...instructionsOf(parts),
    ...missingMeta(missing),
  };
}

/** The answer to `server/discover`. */
export function mergeDiscover(parts: readonly Part[], missing: readonly string[]): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: mergeCapabilities(parts),
    ...instructionsOf(parts),
    ttlMs: 0,
    cacheScope: 'private',
    _meta: {
      'io.modelcontextprotocol/serverInfo': SERVER_INFO,
      ...(missing.length > 0 ? { [UNAVAILABLE_KEY]: [...missing] } : {}),
    },
  };
}

/** The answer to a list: the items of all, names prefixed. */
export function mergeList(
  key: string,
  parts: readonly { readonly upstream: string; readonly items: readonly Json[] }[],
  missing: readonly string[],
  names: Names,
  era: Revision,
): JsonObject {
  const hasNames = key === 'tools' || key === 'prompts';
  const items = parts.flatMap(({ upstream, items: own }) =>
    own.map((item) => (hasNames ? renamed(item, (name) => names.join(upstream, name)) : item)),
  );
  const modern = era === '2026-07-28' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  return { [key]: items, ...modern, ...missingMeta(missing) };
}

function renamed(item: Json, rename: (name: string) => string): Json {
  const { name } = item as { name?: unknown };
  return typeof name === 'string' ? { ...(item as JsonObject), name: rename(name) } : item;
}

function missingMeta(missing: readonly string[]): JsonObject {
  return missing.length === 0 ? {} : { _meta: { [UNAVAILABLE_KEY]: [...missing] } };
}

function mergeCapabilities(parts: readonly Part[]): JsonObject {
  const merged: { [name: string]: { [name: string]: Json } } = {};
  for (const { result } of parts) {
    for (const [name, value] of Object.entries((result['capabilities'] ?? {}) as JsonObject)) {
      // Tasks and extensions hold state that only their own server understands.
      if (name === 'tasks' || name === 'extensions' || name === 'experimental') continue;
      merged[name] = { ...merged[name], ...(value as { [name: string]: Json }) };
    }
  }
  return merged;
}

function instructionsOf(parts: readonly Part[]): JsonObject {
  const said = parts.flatMap(({ upstream, result }) =>
    typeof result['instructions'] === 'string' ? [`${upstream}: ${result['instructions']}`] : [],
  );
  return said.length === 0 ? {} : { instructions: said.join('\n\n') };
}
