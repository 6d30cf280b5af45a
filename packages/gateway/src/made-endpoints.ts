/** The endpoints that are made of several upstreams: all of them joined, and virtual servers. */
import { isDeepStrictEqual } from 'node:util';
import type { WirePolicy } from '@mayday/relay';
import type { DialectChoice } from './call/dialects.ts';
import {
  createJoinedEndpoint,
  JOINED,
  type JoinedEndpoint,
  type JoinedEndpointOptions,
} from './joined/joined-endpoint.ts';
import { canFitBelow } from './patterns.ts';
import { isSameList } from './same-list.ts';
import type { Settings, VirtualSettings } from './settings/settings.ts';
import type { Upstream } from './upstreams/upstream.ts';

/** An endpoint over several upstreams. */
export interface MadeEndpoint {
  readonly endpoint: JoinedEndpoint;
  readonly members: ReadonlyMap<string, Upstream>;
}

/** All of them. */
interface Made {
  readonly joined: JoinedEndpoint | undefined;
  /** By name. */
  readonly virtual: ReadonlyMap<string, MadeEndpoint>;
}

/** What they were made of the last time. */
interface Before extends Made {
  readonly settings: Settings;
  readonly upstreams: ReadonlyMap<string, Upstream>;
}

/** What they are made of. */
interface MadeOptions {
  readonly settings: Settings;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly before: Before | undefined;
  /** Is what reaches into every endpoint the same as before? */
  readonly isKept: boolean;
  readonly outer: readonly WirePolicy[];
  readonly recording: readonly WirePolicy[];
  readonly note: JoinedEndpointOptions['note'];
  readonly initializeFirst: (upstream: string) => boolean;
  /** What callers are answered in. */
  readonly dialects: DialectChoice;
  readonly shared: Pick<JoinedEndpointOptions, 'language' | 'access' | 'isForOne' | 'onBug'>;
}

/** Makes them, and keeps of those before what nothing has changed for. */
export function createMade(options: MadeOptions): Made {
  const { settings, upstreams } = options;
  const virtual = [...settings.virtual].map(
    ([name, made]) => [name, over(selectedBy(made, upstreams), options, made)] as const,
  );
  return {
    joined: settings.joined.enabled ? over(upstreams, options).endpoint : undefined,
    virtual: new Map(virtual),
  };
}

function over(
  members: ReadonlyMap<string, Upstream>,
  options: MadeOptions,
  virtual?: VirtualSettings,
): MadeEndpoint {
  const { settings, before, shared } = options;
  const was = virtual && before?.settings.virtual.get(virtual.name);
  const old = madeBefore(before, virtual);
  const isOther = virtual !== undefined && !isDeepStrictEqual(was, virtual);
  if (old !== undefined && !isOther && isUnchanged(old, members, options)) return old;
  const hasOtherRules =
    before !== undefined && !isDeepStrictEqual(listing(before.settings), listing(settings));
  const endpoint = createJoinedEndpoint({
    upstreams: members,
    settings,
    virtual,
    before: old?.endpoint,
    outer: options.outer,
    recording: options.recording,
    language: shared.language,
    note: options.note,
    access: shared.access,
    isForOne: shared.isForOne,
    initializeFirst: options.initializeFirst(JOINED),
    dialects: options.dialects,
    hasOtherLists: hasOtherRules || isOther || hasOtherShapes(before, members) || isListedOtherwise(options),
    onBug: shared.onBug,
  });
  return { endpoint, members };
}

function madeBefore(
  before: Before | undefined,
  virtual: VirtualSettings | undefined,
): MadeEndpoint | undefined {
  if (virtual !== undefined) return before?.virtual.get(virtual.name);
  return before?.joined && { endpoint: before.joined, members: before.upstreams };
}

function isUnchanged(
  old: MadeEndpoint,
  members: ReadonlyMap<string, Upstream>,
  { isKept, before, settings }: MadeOptions,
): boolean {
  if (!isKept || before === undefined) return false;
  if (!isSameList([...old.members.values()], [...members.values()])) return false;
  return isDeepStrictEqual(reaching(before.settings), reaching(settings));
}

/** Settings that reach into them beside those that reach into every upstream. */
function reaching(settings: Settings): object {
  const { joined, sessions } = settings;
  return { joined, sessions, ...listing(settings) };
}

/** Settings that decide what is on whose list. */
function listing({ access, keys }: Settings): object {
  return {
    access,
    keys: keys.map(({ name, tenant, scopes, upstreams }) => ({ name, tenant, scopes, upstreams })),
  };
}

function isListedOtherwise({ before, settings }: MadeOptions): boolean {
  return before !== undefined && before.settings.joined.discovery !== settings.joined.discovery;
}

/** The upstreams that a virtual server can have tools of. */
function selectedBy(
  { tools }: VirtualSettings,
  upstreams: ReadonlyMap<string, Upstream>,
): ReadonlyMap<string, Upstream> {
  return new Map(
    [...upstreams].filter(([name]) => tools.some((pattern) => canFitBelow(pattern, `${name}/`))),
  );
}

/** Does one of them show other tools than before, or the same ones as something else? */
function hasOtherShapes(before: Before | undefined, members: ReadonlyMap<string, Upstream>): boolean {
  return [...members].some(([name, { settings }]) => {
    const was = before?.upstreams.get(name)?.settings.tools;
    return was !== undefined && !isDeepStrictEqual(was, settings.tools);
  });
}
