/** Everything that a configuration decides. A reload makes a new one and keeps of the old what has not changed. */
import { isDeepStrictEqual } from 'node:util';
import type { DialectId } from '@mayday/core';
import { forOperator } from '@mayday/core/render';
import type { Call, LinkEndpoint } from '@mayday/relay';
import type { GatewayConfig } from './config/config.ts';
import type { FaultLog } from './faults/fault-log.ts';
import { createJoinedEndpoint } from './joined/joined-endpoint.ts';
import { createKeys, type Keys } from './keys.ts';
import { createUpstream, type Upstream, type UpstreamContext } from './upstreams/upstream.ts';

/** What a configuration decides; replaced as a whole. */
export interface Setup {
  readonly config: GatewayConfig;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly joined: LinkEndpoint | undefined;
  readonly keys: Keys;
}

/** What outlives a configuration. */
export interface SetupContext {
  readonly faults: FaultLog;
  readonly baseDir: string;
  readonly dialectOf: (call: Call) => DialectId | undefined;
  readonly log: (line: string) => void;
}

/** Builds what the configuration says. */
export function createSetup(config: GatewayConfig, shared: SetupContext, before?: Setup): Setup {
  const context = contextOf(config, shared);
  const kept =
    before !== undefined && isDeepStrictEqual(globals(before.config), globals(config)) ? before : undefined;
  const upstreams = new Map<string, Upstream>();
  for (const [name, upstream] of Object.entries(config.upstreams)) {
    const old = kept?.upstreams.get(name);
    const isUnchanged = old !== undefined && isDeepStrictEqual(old.config, upstream);
    upstreams.set(name, isUnchanged ? old : createUpstream(name, upstream, context));
  }
  return {
    config,
    upstreams,
    joined: joinedOf(config, upstreams, context, kept),
    keys: createKeys(config.keys ?? []),
  };
}

function joinedOf(
  config: GatewayConfig,
  upstreams: ReadonlyMap<string, Upstream>,
  context: UpstreamContext,
  kept: Setup | undefined,
): LinkEndpoint | undefined {
  if (config.joined?.enabled === false) return undefined;
  const isSame =
    kept?.upstreams.size === upstreams.size &&
    [...upstreams].every(([name, upstream]) => kept.upstreams.get(name) === upstream);
  if (isSame && kept.joined !== undefined) return kept.joined;
  return createJoinedEndpoint(upstreams, config.joined?.separator ?? '_', {
    dialect: context.dialect,
    log: context.log,
    dialectOf: context.dialectOf,
    onFault: context.onFault,
  });
}

function contextOf(
  config: GatewayConfig,
  { faults, baseDir, dialectOf, log }: SetupContext,
): UpstreamContext {
  return {
    dialect: config.dialect ?? 'mayday',
    log: faults,
    baseDir,
    maxMessageBytes: config.limits?.message_bytes,
    hasKeys: (config.keys ?? []).length > 0,
    dialectOf,
    onFault: (fault, upstream, method) =>
      log(`fault upstream=${upstream} method=${method} ${forOperator(fault)}`),
    note: (upstream, text) => log(`upstream=${upstream} ${text}`),
  };
}

/** Settings that reach into every upstream. */
function globals({ dialect, keys, limits, joined }: GatewayConfig): object {
  return { dialect, keys, limits, joined };
}
