/** Everything that the settings decide. A reload makes a new one and keeps of the old what has not changed. */
import { isDeepStrictEqual } from 'node:util';
import { type DialectId, forOperator } from '@mayday/core';
import type { Call, LinkEndpoint } from '@mayday/relay';
import type { FaultLog } from './faults/fault-log.ts';
import { createKeys, type Keys } from './identity/keys.ts';
import { createJoinedEndpoint } from './joined/joined-endpoint.ts';
import { isSameUpstream } from './settings/changes.ts';
import type { Settings } from './settings/settings.ts';
import { createUpstream, type Upstream, type UpstreamContext } from './upstreams/upstream.ts';

/** What settings decide; replaced as a whole. */
export interface Setup {
  readonly settings: Settings;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly joined: LinkEndpoint | undefined;
  readonly keys: Keys;
}

/** What outlives settings. */
export interface SetupContext {
  readonly faults: FaultLog;
  readonly dialectOf: (call: Call) => DialectId | undefined;
  readonly log: (line: string) => void;
}

/** Builds what the settings say. */
export function createSetup(settings: Settings, shared: SetupContext, before?: Setup): Setup {
  const context = contextOf(settings, shared);
  const kept =
    before !== undefined && isDeepStrictEqual(globals(before.settings), globals(settings))
      ? before
      : undefined;
  const upstreams = new Map<string, Upstream>();
  for (const [name, upstream] of settings.upstreams) {
    const old = kept?.upstreams.get(name);
    const isUnchanged = old !== undefined && isSameUpstream(old.settings, upstream);
    upstreams.set(name, isUnchanged ? old : createUpstream(upstream, context));
  }
  return {
    settings,
    upstreams,
    joined: joinedOf(settings, upstreams, context, kept),
    keys: createKeys(settings.keys),
  };
}

function joinedOf(
  { joined, dialect }: Settings,
  upstreams: ReadonlyMap<string, Upstream>,
  context: UpstreamContext,
  kept: Setup | undefined,
): LinkEndpoint | undefined {
  if (!joined.enabled) return undefined;
  const isSame =
    kept?.upstreams.size === upstreams.size &&
    [...upstreams].every(([name, upstream]) => kept.upstreams.get(name) === upstream);
  if (isSame && kept.joined !== undefined) return kept.joined;
  return createJoinedEndpoint(upstreams, joined.separator, {
    dialect,
    log: context.log,
    dialectOf: context.dialectOf,
    onFault: context.onFault,
  });
}

function contextOf(settings: Settings, { faults, dialectOf, log }: SetupContext): UpstreamContext {
  return {
    log: faults,
    maxMessageBytes: settings.limits.messageBytes,
    maxDepth: settings.limits.depth,
    hasKeys: settings.keys.length > 0,
    dialectOf,
    onFault: (fault, upstream, method) =>
      log(`fault upstream=${upstream} method=${method} ${forOperator(fault)}`),
    note: (upstream, text) => log(`upstream=${upstream} ${text}`),
  };
}

/** Settings that reach into every upstream. */
function globals({ dialect, keys, limits, joined }: Settings): object {
  return { dialect, keys, limits, joined };
}
