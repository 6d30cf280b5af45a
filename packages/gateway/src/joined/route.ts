/** Where a call of the joined endpoint goes. */
import type { Executed, FaultInit } from '@mayday/core';
import type { Failed } from '@mayday/policy';
import { lost, type Wire, type WireCall, type WireOutcome } from '@mayday/relay';
import { asExecuted } from '../access/refusals.ts';
import { executedUnserved } from '../access/verdicts.ts';
import { malformed } from '../call/malformed.ts';
import { unknownMethod } from '../call/own-methods.ts';
import { renamed } from '../call/retarget.ts';
import { mustBeListed } from '../shape/found-names.ts';
import type { Meant } from '../shape/meant.ts';
import { adviceOn, type Called, calledAs, isMissing } from './called-as.ts';
import { firstFor, partsFor } from './context.ts';
import { forward } from './forward.ts';
import { type HolderContext, toHolder } from './holder.ts';
import type { JoinedLink, Known } from './joined-link.ts';
import { listenToAll } from './listen.ts';
import { isListed, knownNames, namesOf, ownerOf } from './name-owners.ts';
import type { Part } from './part.ts';
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
  return Promise.resolve(lost(call, malformed(call.method, call.params()) ?? unknownMethod(call.method)));
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
  const executedAt = async (part: Part | undefined, own: string): Promise<Executed> =>
    part === undefined
      ? 'no'
      : executedUnserved(renamed(call, own, path), (unserved) => forward(part, unserved));
  const { owned, unasked } = await ownerOf(name, type, call, link, context);
  if (unasked !== undefined) return unasked;
  const part = owned === undefined ? undefined : link.parts.get(owned.upstream);
  if (owned === undefined || part === undefined) {
    const { upstream = '', name: own = '' } = context.view[type].formerly(name) ?? {};
    const executed = await executedAt(link.parts.get(upstream), own);
    return nobodys(call, name, type, link, context, executed);
  }
  // A name that is hidden and one that nobody has are answered alike: of neither the server is asked.
  const hidden = async (executed: Executed): Promise<WireOutcome> => {
    const unknown = await nobodys(call, name, type, link, context, executed);
    return { ...unknown, value: { type: 'nothing', upstream: part.name, target: owned.name } };
  };
  const hides = context.view[type].hides(part.name);
  const isLookedUp = type === 'tool' && (hides || mustBeListed(call));
  if (isLookedUp && (await isListed(part, owned, name, call, context)) === false)
    return hidden(await executedAt(part, owned.name));
  const outcome = await forward(part, renamed(call, owned.name, path), firstFor(call, link, context));
  if (outcome.ok) return outcome;
  const called = { type, own: owned.name, joined: name } as const;
  if (!isMissing(outcome, called)) return calledAs(outcome, called, undefined);
  const own = await namesOf(part, call, type, context);
  return hides && !own.includes(name)
    ? hidden(outcome.fault.executed)
    : calledAs(outcome, called, context.meant(name, own));
}

async function nobodys(
  call: WireCall,
  name: string,
  type: Called['type'],
  link: JoinedLink,
  context: RouteContext,
  executed: Executed,
): Promise<Failed<Wire>> {
  const known = await knownNames(call, type, link, context);
  const upstreams = partsFor(call, link, context).map((part) => part.name);
  const isPrefixed =
    !context.view.arePrefixed ||
    upstreams.some((each) => name.startsWith(each) && /^[_\-./]/.test(name.slice(each.length)));
  return asExecuted(lost(call, unknownName(type, name, isPrefixed, context.meant(name, known))), executed);
}

function unknownName(
  type: Called['type'],
  name: string,
  /** Is it as names are here? */
  isPrefixed: boolean,
  meant: ReturnType<Meant>,
): FaultInit {
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
