/** What the joined endpoint knows beside its servers. */
import type { Caller, WireCall, WirePolicy } from '@mayday/relay';
import { startedAt } from '../access/own-tasks.ts';
import type { Access } from '../access/rules.ts';
import type { Meant } from '../shape/meant.ts';
import type { View } from '../shape/view.ts';
import type { JoinedLink } from './joined-link.ts';
import type { Part } from './part.ts';
import type { FirstOf } from './task-names.ts';

/** What joining needs to know. */
export interface JoinedContext {
  /** What is served here, and under which names. */
  readonly view: View;
  /** What was probably meant by a name that nobody has. */
  readonly meant: Meant;
  /** What clients are told about this endpoint, in place of what its upstreams say. */
  readonly instructions: string | undefined;
  /** Where it is served, for the operator. */
  readonly path: string;
  /** An upstream that takes longer is missing from what is asked of all. */
  readonly partTimeoutMs: number;
  /** The first lists of a client wait so long, from when it came, for upstreams that are still starting. */
  readonly startTimeoutMs: number;
  /** Is there one client alone, whose user would hear of servers that are dead from nobody else? */
  readonly isForOne: boolean;
  /** Where failures of questions to all are recorded. */
  readonly recording: readonly WirePolicy[];
  /** Tells the operator something about an upstream; the same thing once. */
  readonly note: (upstream: string, text: string) => void;
  /** May this caller know of a tool or a prompt that an upstream has? */
  readonly isVisible: (by: Caller, upstream: string, name: string) => boolean;
  /** May this caller use anything of an upstream? */
  readonly mayUseAny: (by: Caller, upstream: string) => boolean;
  /** Is this caller told the same of what is denied and of what does not exist? */
  readonly isOpaqueFor: (call: WireCall) => boolean;
  /** At which of these upstreams its caller has started a task, in whatever conversation; nothing where it is not known. */
  readonly startedAt: (call: WireCall, task: string, upstreams: readonly string[]) => string | undefined;
}

/** What the rules that hold now say: a reload replaces them. */
export function ruledBy(
  access: Access,
): Pick<JoinedContext, 'isVisible' | 'mayUseAny' | 'isOpaqueFor' | 'startedAt'> {
  return {
    isVisible: (by, upstream, name) =>
      access.rules?.verdict(by, upstream, { type: 'tool', name }).isAllowed !== false,
    mayUseAny: (by, upstream) => access.rules?.mayUseAny(by, upstream) !== false,
    isOpaqueFor: (call) => access.rules?.isOpaqueFor(call) === true,
    startedAt: (call, task, upstreams) => startedAt(access, call, task, upstreams),
  };
}

/** Where a caller has started a task of an id first, among the servers of a conversation. */
export function firstFor(
  call: WireCall,
  link: JoinedLink,
  { startedAt }: Pick<JoinedContext, 'startedAt'>,
): FirstOf {
  const names = [...link.parts.keys()];
  return (task) => startedAt(call, task, names);
}

/** The servers that a caller may use anything of: the others are not asked for what it would not be shown. */
export function partsFor(
  { by }: WireCall,
  link: JoinedLink,
  { mayUseAny }: Pick<JoinedContext, 'mayUseAny'>,
): readonly Part[] {
  return [...link.parts.values()].filter(({ name }) => mayUseAny(by, name));
}
