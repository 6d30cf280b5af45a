/** Where a call of the joined endpoint goes. */
import type { Executed, FaultInit } from '@mayday/core';
import type { Failed } from '@mayday/policy';
import { isMembers, lost, type Wire, type WireCall, type WireOutcome } from '@mayday/relay';
import { protocolMeta } from '../call/ask-for-list.ts';
import { malformed } from '../call/malformed.ts';
import { renamed } from '../call/retarget.ts';
import type { Meant } from '../shape/meant.ts';
import { adviceOn, type Called, calledAs, isMissing } from './called-as.ts';
import { partsFor } from './context.ts';
import { forward } from './forward.ts';
import { type HolderContext, toHolder } from './holder.ts';
import type { JoinedLink, Known } from './joined-link.ts';
import { listenToAll } from './listen.ts';
import { listPart } from './lists.ts';
import type { Owned } from './names.ts';
import type { Part } from './part.ts';
import { patienceWith } from './patience.ts';
import { toRunner } from './runner.ts';

/** What routing needs to know. */
export interface RouteContext extends HolderContext, Known {}

/** Brings a call to the one it names. */
export function routeCall(call: WireCall, link: JoinedLink, context: RouteContext): Promise<WireOutcome> {
  if (call.method === 'subscriptions/listen' && call.revision === '2026-07-28') {
    return listenToAll(call, link, context);
  }
  const task = call.method.startsWith('tasks/') ? text(call.params()?.['taskId']) : undefined;
  if (task !== undefined) return toRunner(call, task, link, context);
  const { name, uri, path } = addressOf(call);
  if (name !== undefined) return toOwner(call, name, path, link, context);
  if (uri !== undefined) return toHolder(call, uri, link, context);
  return Promise.resolve(lost(call, malformed(call.method, call.params()) ?? unsupported(call.method)));
}

interface Address {
  readonly name?: string | undefined;
  readonly uri?: string | undefined;
  /** Where in `params` the name stands. */
  readonly path: readonly [string, ...string[]];
}

function addressOf(call: WireCall): Address {
  const { method } = call;
  const params = call.params();
  if (method === 'tools/call' || method === 'prompts/get')
    return { name: text(params?.['name']), path: ['name'] };
  if (method === 'completion/complete') {
    const ref = params?.['ref'];
    const inside = typeof ref === 'object' && ref !== null ? (ref as { [key: string]: unknown }) : {};
    return { name: text(inside['name']), uri: text(inside['uri']), path: ['ref', 'name'] };
  }
  return { uri: text(params?.['uri']), path: ['uri'] };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

async function toOwner(
  call: WireCall,
  name: string,
  path: Address['path'],
  link: JoinedLink,
  context: RouteContext,
): Promise<WireOutcome> {
  const type = call.method === 'tools/call' ? 'tool' : 'prompt';
  const owned = await ownerOf(name, type, call, link, context);
  const part = owned === undefined ? undefined : link.parts.get(owned.upstream);
  if (owned === undefined || part === undefined) return nobodys(call, name, type, link, context);
  // A name that is hidden and one that nobody has are answered alike: of neither the server is asked.
  const hidden = async (executed?: Executed): Promise<WireOutcome> => {
    const unknown = await nobodys(call, name, type, link, context, executed);
    return { ...unknown, value: { type: 'nothing', upstream: part.name, target: owned.name } };
  };
  const hides = context.view[type].hides(part.name);
  if (hides && type === 'tool' && (await isListed(part, owned, name, call, context)) === false)
    return hidden();
  const outcome = await forward(part, renamed(call, owned.name, path));
  if (outcome.ok) return outcome;
  const called = { type, own: owned.name, joined: name } as const;
  if (!isMissing(outcome, called)) return calledAs(outcome, called, undefined);
  const own = await namesOf(part, call, type, context);
  return hides && !own.includes(name)
    ? hidden(outcome.fault.executed)
    : calledAs(outcome, called, context.meant(name, own));
}

/** Is it on the caller's list? `undefined` where that cannot be found out, or is answered elsewhere. */
async function isListed(
  part: Part,
  owned: Owned,
  name: string,
  call: WireCall,
  context: RouteContext,
): Promise<boolean | undefined> {
  if (part.knows(call, owned.name) || !context.isVisible(call.by, part.name, owned.name)) return undefined;
  const { names, isWhole } = await listNames(part, call, 'tool', context);
  return isWhole ? names.includes(name) : undefined;
}

async function nobodys(
  call: WireCall,
  name: string,
  type: Called['type'],
  link: JoinedLink,
  context: RouteContext,
  executed: Executed = 'no',
): Promise<Failed<Wire>> {
  const known = await knownNames(call, type, link, context);
  const upstreams = partsFor(call, link, context).map((part) => part.name);
  return lost(call, { ...unknownName(type, name, upstreams, context.meant(name, known)), executed });
}

/** Whose it is. What had to get another name is known when it was listed: whoever kept that name from before asks first. */
async function ownerOf(
  name: string,
  type: Called['type'],
  call: WireCall,
  link: JoinedLink,
  context: RouteContext,
): Promise<Owned | undefined> {
  const names = context.view[type];
  if (names.isToBeListed(name) && context.listed[type].of(name) === undefined)
    await Promise.all([...link.parts.values()].map((part) => listNames(part, call, type, context)));
  return names.split(name);
}

/** The names of one upstream's tools or prompts, asked for where nobody has listed them. */
async function namesOf(
  part: Part,
  call: WireCall,
  type: Called['type'],
  context: RouteContext,
): Promise<readonly string[]> {
  const { listed } = context;
  const known = visible(call, type, context).filter((each) => listed[type].of(each) === part.name);
  return known.length > 0 ? known : (await listNames(part, call, type, context)).names;
}

/** Names that callers know. */
interface ListedNames {
  readonly names: readonly string[];
  /** Are these all? */
  readonly isWhole: boolean;
}

/** Asks an upstream for the names of its tools or prompts. */
async function listNames(
  part: Part,
  call: WireCall,
  type: Called['type'],
  { view, partTimeoutMs }: RouteContext,
): Promise<ListedNames> {
  const _meta = protocolMeta(call.meta);
  const params = _meta === undefined ? {} : { _meta };
  const question = { ...call, method: `${type}s/list`, params: () => params };
  const patience = patienceWith(part, partTimeoutMs);
  const { items, cut, failed } = await listPart(part, question, `${type}s`, patience);
  const own = items.flatMap((item) => (isMembers(item) ? text(item['name']) : undefined) ?? []);
  const joined = (): readonly string[] => own.flatMap((each) => view[type].join(part.name, each) ?? []);
  joined(); // a name that was made for one of them is none of another
  return { names: joined(), isWhole: items.length > 0 && cut === undefined && failed === undefined };
}

/** Names that were listed, also to others: of them those that this caller may know. */
function visible(
  { by }: WireCall,
  type: Called['type'],
  { view, listed, isVisible }: RouteContext,
): readonly string[] {
  return [...listed[type].names()].filter((each) => {
    const owned = view[type].split(each);
    return owned !== undefined && isVisible(by, owned.upstream, owned.name);
  });
}

/** Names that a wrong one may have been meant to be. */
async function knownNames(
  call: WireCall,
  type: Called['type'],
  link: JoinedLink,
  context: RouteContext,
): Promise<readonly string[]> {
  const all = await Promise.all(
    partsFor(call, link, context).map((part) => namesOf(part, call, type, context)),
  );
  return all.flat();
}

function unsupported(method: string): FaultInit {
  return {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'method', id: method },
    message: `Method not found: ${method}`,
  };
}

function unknownName(
  type: Called['type'],
  name: string,
  upstreams: readonly string[],
  meant: ReturnType<Meant>,
): FaultInit {
  const isPrefixed = upstreams.some(
    (each) => name.startsWith(each) && /^[_\-./]/.test(name.slice(each.length)),
  );
  return {
    kind: 'not_found',
    origin: 'caller',
    executed: 'no',
    subject: { type, id: name },
    message: `Unknown ${type}: ${name}`,
    advice:
      meant === undefined && !isPrefixed
        ? `Names begin with the name of an upstream. ${adviceOn(type, meant)}`
        : adviceOn(type, meant),
  };
}
