/** Everything that the settings decide. A reload makes a new one and keeps of the old what has not changed. */
import { isDeepStrictEqual } from 'node:util';
import { forOperator } from '@mayday/core/render';
import type { IdempotencyStore } from '@mayday/policy';
import type { LinkEndpoint } from '@mayday/relay';
import { outerPath, recordingPath } from './call/path.ts';
import type { FaultLog } from './faults/fault-log.ts';
import { createKeys, type Keys } from './identity/keys.ts';
import { createJoinedEndpoint } from './joined/joined-endpoint.ts';
import type { JoinedLink } from './joined/joined-link.ts';
import { isSameUpstream } from './settings/changes.ts';
import type { Settings } from './settings/settings.ts';
import { createUpstream, type Upstream, type UpstreamContext } from './upstreams/upstream.ts';

/** What the settings decide; replaced as a whole. */
export interface Setup {
  readonly settings: Settings;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly joined: LinkEndpoint<JoinedLink> | undefined;
  readonly keys: Keys;
}

/** What outlives settings. */
export interface SetupContext {
  readonly journal: FaultLog;
  /** Answers to calls with an idempotency key. */
  readonly answers: IdempotencyStore;
  readonly log: (line: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** Builds what the settings say. */
export function createSetup(settings: Settings, shared: SetupContext, before?: Setup): Setup {
  const policies = {
    journal: shared.journal,
    onBug: shared.onBug,
    textBytes: settings.limits.textBytes,
    dialects: (upstream: string) => settings.upstreams.get(upstream)?.dialect ?? settings.dialect,
    onFault: (fault: Parameters<typeof forOperator>[0], upstream: string, method: string) =>
      shared.log(`fault upstream=${upstream} method=${method} ${forOperator(fault)}`),
  };
  const context: UpstreamContext = {
    outer: outerPath(policies),
    messageBytes: settings.limits.messageBytes,
    depth: settings.limits.depth,
    answers: shared.answers,
    hasKeys: settings.keys.length > 0,
    note: (upstream, text) => shared.log(`upstream=${upstream} ${text}`),
    onBug: shared.onBug,
  };
  const isKept = before !== undefined && isDeepStrictEqual(reaching(before.settings), reaching(settings));
  const kept = isKept ? before : undefined;
  const upstreams = new Map<string, Upstream>();
  for (const [name, upstream] of settings.upstreams) {
    const old = kept?.upstreams.get(name);
    const isUnchanged = old !== undefined && isSameUpstream(old.settings, upstream);
    upstreams.set(name, isUnchanged ? old : createUpstream(upstream, context));
  }
  const isSame =
    kept?.upstreams.size === upstreams.size &&
    [...upstreams].every(([name, upstream]) => kept.upstreams.get(name) === upstream);
  const joined = !settings.joined.enabled
    ? undefined
    : ((isSame ? kept.joined : undefined) ??
      createJoinedEndpoint({
        upstreams,
        settings,
        outer: context.outer,
        recording: recordingPath(policies),
        onBug: shared.onBug,
      }));
  return { settings, upstreams, joined, keys: createKeys(settings.keys) };
}

/** Settings that reach into every upstream. */
function reaching({ dialect, keys, limits, joined, sessions }: Settings): object {
  return { dialect, hasKeys: keys.length > 0, limits, joined, sessions };
}
