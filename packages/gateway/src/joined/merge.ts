/** Many answers → one. */
import type { Json, JsonObject } from '@mayday/core';
import { LEFT_OUT_KEY, SERVER_INFO_KEY, UNAVAILABLE_KEY } from '@mayday/core/protocol';
import { type Revision, withNumbersOf } from '@mayday/relay';
import type { View } from '../shape/view.ts';

/** What one upstream answered. */
export interface PartResult {
  readonly upstream: string;
  readonly result: JsonObject;
}

/** What is not in an answer: by name, the upstreams that could not be asked, and those whose list was cut. */
export interface Absent {
  readonly missing: readonly string[];
  readonly cut?: readonly string[] | undefined;
}

/** What an endpoint is, beside what its upstreams are. */
export interface Served {
  /** What clients are told about it, in place of what its upstreams say. */
  readonly instructions?: string | undefined;
  /** What they are told beside that. */
  readonly beside?: string | undefined;
  /** It has tools, and nothing else. */
  readonly hasToolsOnly: boolean;
  /** Upstreams may come that are not there yet, or not for this caller. */
  readonly hasMoreLater?: boolean;
}

const SERVER_INFO = { name: 'mayday-gateway', version: '0.1.0' } as const;

/** Revisions with sessions. Servers may each speak another of them: what differs, differs for one server alone. */
const SESSIONFUL: ReadonlySet<unknown> = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);

/** The answer to `initialize`: what any of them can do, under the revision that was asked for. */
export function mergeInitialize(
  parts: readonly PartResult[],
  missing: readonly string[],
  asked: unknown,
  served: Served,
): JsonObject {
  return {
    protocolVersion: SESSIONFUL.has(asked) ? String(asked) : '2025-11-25',
    capabilities: mergeCapabilities(parts, served),
    serverInfo: SERVER_INFO,
    ...instructionsOf(parts, served),
    ...metaOf({ missing }),
  };
}

/** The answer to `server/discover`. */
export function mergeDiscover(
  parts: readonly PartResult[],
  missing: readonly string[],
  served: Served,
): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: mergeCapabilities(parts, served),
    ...instructionsOf(parts, served),
    ttlMs: 0,
    cacheScope: 'private',
    ...metaOf({ missing }, { [SERVER_INFO_KEY]: SERVER_INFO }),
  };
}

/** The answer to a list: the items of all that are served here, under their names here. */
export function mergeList(
  key: string,
  parts: readonly { readonly upstream: string; readonly items: readonly Json[] }[],
  absent: Absent,
  view: View,
  revision: Revision,
): JsonObject {
  const type = key === 'tools' ? 'tool' : key === 'prompts' ? 'prompt' : undefined;
  const listed = parts.flatMap(({ upstream, items: own }) =>
    type === undefined ? own : own.flatMap((item) => seen(item, upstream, type, view)),
  );
  const items = type === undefined ? listed : withoutTwins(listed);
  const modern = revision === '2026-07-28' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  return { [key]: items, ...modern, ...metaOf(absent) };
}

/** A server that lists a name twice means one thing by it. */
function withoutTwins(items: readonly Json[]): readonly Json[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const name: unknown = isObject(item) ? item['name'] : undefined;
    if (name !== undefined && seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** An item as callers see it here; none where they do not. */
function seen(item: Json, upstream: string, type: 'tool' | 'prompt', view: View): readonly Json[] {
  const own: unknown = isObject(item) ? item['name'] : undefined;
  if (typeof own !== 'string') return [item];
  const name = view[type].join(upstream, own);
  if (name === undefined) return [];
  const description = type === 'tool' ? view.description(upstream, own) : undefined;
  const shown = { ...(item as JsonObject), name, ...(description === undefined ? {} : { description }) };
  return [withNumbersOf(shown, item as JsonObject)];
}

function metaOf({ missing, cut = [] }: Absent, more: JsonObject = {}): JsonObject {
  const meta: { [key: string]: Json } = { ...more };
  if (missing.length > 0) meta[UNAVAILABLE_KEY] = [...missing];
  if (cut.length > 0) meta[LEFT_OUT_KEY] = [...cut];
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

/** Lists that can change: those of upstreams that come late are announced. */
const CHANGING: readonly string[] = ['tools', 'prompts', 'resources'];

/** What any of them can do, all of them can: a flag that one upstream sets is set. */
function mergeCapabilities(
  parts: readonly PartResult[],
  { hasToolsOnly, hasMoreLater = false }: Served,
): JsonObject {
  const merged = new Map<string, Json>();
  for (const { result } of parts) {
    const { capabilities } = result;
    for (const [name, value] of Object.entries(isObject(capabilities) ? capabilities : {}))
      merged.set(name, together(merged.get(name) ?? {}, isObject(value) ? (value as JsonObject) : {}));
  }
  if (hasMoreLater)
    for (const name of CHANGING) merged.set(name, together(merged.get(name) ?? {}, { listChanged: true }));
  return Object.fromEntries([...merged].filter(([name]) => !hasToolsOnly || OF_TOOLS.has(name)));
}

/** What one or the other can do: of settings that cannot both be, those of the first. */
function together(one: Json, other: Json): Json {
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  if (!isObject(one) || !isObject(other)) return one === false ? other : one;
  const merged = new Map(Object.entries(one as JsonObject));
  for (const [name, value] of Object.entries(other as JsonObject)) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? value : together(known, value));
  }
  return withNumbersOf(withNumbersOf(Object.fromEntries(merged), other), one);
}

/** What a server can do that has tools alone; extensions are about these as well, tasks of 2026-07-28 among them. */
const OF_TOOLS: ReadonlySet<string> = new Set(['tools', 'logging', 'tasks', 'extensions', 'experimental']);

function instructionsOf(parts: readonly PartResult[], { instructions, beside }: Served): JsonObject {
  const ofParts = parts.flatMap(({ upstream, result }) =>
    typeof result['instructions'] === 'string' ? [`${upstream}: ${result['instructions']}`] : [],
  );
  const said = instructions === undefined ? ofParts : [instructions];
  if (beside !== undefined) said.push(beside);
  return said.length === 0 ? {} : { instructions: said.join('\n\n') };
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
