/** Who runs a task: its id says nothing about that. */
import type { WireCall, WireOutcome } from '@mayday/relay';
import { unknownTask } from '../access/whose-tasks.ts';
import { protocolMeta } from '../call/ask-for-list.ts';
import { isBareHttp } from '../call/health.ts';
import { renamed } from '../call/retarget.ts';
import { firstFor, type JoinedContext, partsFor } from './context.ts';
import { askPart, type PartAnswer } from './derive.ts';
import { forward, recordFailure } from './forward.ts';
import type { JoinedLink, Known } from './joined-link.ts';
import { askTogether } from './patience.ts';
import type { NamedTask } from './task-names.ts';
import { asUnasked, isForbidden, mostTelling } from './telling.ts';

/** What is known about tasks. */
export interface RunnerContext extends JoinedContext, Pick<Known, 'tasks'> {}

type Failure = Extract<PartAnswer, { ok: false }>;

/**
 * A task goes to the server that has named it in this conversation, or that its caller has started it at in another. Of
 * any other, all are asked whose it is. It is not found when nobody has it; where somebody could not say, that is what
 * the caller hears.
 */
export async function toRunner(
  call: WireCall,
  task: string,
  link: JoinedLink,
  context: RunnerContext,
): Promise<WireOutcome> {
  const known = knownRunner(call, task, link, context);
  if (known !== undefined) return toPart(call, task, known, link, context);
  const found = await askForRunner(call, task, link, context);
  if (found === undefined) return unknownTask(call, task);
  return found.ok
    ? toPart(call, task, { upstream: found.part.name, own: task }, link, context)
    : asUnasked(found.outcome);
}

/** Who is known to run a task, and what that server calls it. */
export function knownRunner(
  call: WireCall,
  task: string,
  link: JoinedLink,
  { tasks, startedAt }: RunnerContext,
): NamedTask | undefined {
  const names = [...link.parts.keys()];
  const [only, another] = names;
  const inName = named(task);
  const inOther = startedAt(call, task, names);
  return (
    tasks.find(task) ??
    (another === undefined && only !== undefined ? { upstream: only, own: task } : undefined) ??
    (inOther === undefined ? undefined : { upstream: inOther, own: task }) ??
    (inName !== undefined && link.parts.has(inName.upstream) ? inName : undefined)
  );
}

/** The task that an id with the name of its server in front means, where another conversation has given it. */
function named(task: string): NamedTask | undefined {
  const [, upstream, own] = /^([a-z0-9-]+):(.+)$/s.exec(task) ?? [];
  return upstream === undefined || own === undefined ? undefined : { upstream, own };
}

async function toPart(
  call: WireCall,
  task: string,
  { upstream, own }: NamedTask,
  link: JoinedLink,
  context: RunnerContext,
): Promise<WireOutcome> {
  const runner = link.runnerOf(upstream, own);
  if (runner === undefined) return unknownTask(call, task);
  const { target } = call;
  const asked = own === task ? call : { ...renamed(call, own, ['taskId']), target };
  return forward(runner, asked, firstFor(call, link, context));
}

/** The first that has it; else what kept one of them from saying so; `undefined` when none has it. */
async function askForRunner(
  call: WireCall,
  task: string,
  link: JoinedLink,
  context: RunnerContext,
): Promise<PartAnswer | undefined> {
  const _meta = protocolMeta(call.meta);
  const params = { taskId: task, ...(_meta === undefined ? {} : { _meta }) };
  const answers = await askTogether({
    parts: partsFor(call, link, context),
    wholeMs: context.partTimeoutMs,
    since: 'the start',
    ask: (part, patience) => askPart(part, call, 'tasks/get', params, patience),
    isAnswer: ({ ok }) => ok,
  });
  const failures = answers.flatMap((answer) => (answer.ok || hasNone(answer) ? [] : [answer]));
  const told = answers.find(({ ok }) => ok) ?? mostTelling(failures);
  // The one that goes out is recorded with the call.
  for (const failure of failures) if (failure !== told) await recordFailure(call, failure, context.recording);
  return told;
}

const NONE: ReadonlySet<string> = new Set([
  'not_found',
  'unsupported',
  'invalid_arguments',
  'invalid_request',
]);

/** Does it say that it has no such task, or no tasks? So it is with one that is another caller's. */
function hasNone({ outcome }: Failure): boolean {
  if (isForbidden(outcome)) return true;
  return !isBareHttp(outcome) && NONE.has(outcome.fault.kind);
}
