/** The endpoint that joins all upstreams. */

import type { FaultInit } from '@mayday/core';
import { type Call, type Guard, LinkEndpoint, type LinkEvents, type Outgoing } from '@mayday/relay';
import { createUpstreamGuard, type UpstreamGuardOptions } from '../faults/upstream-guard.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { JoinedLink } from './joined-link.ts';
import { createNames } from './names.ts';
import { type PartAnswer, PartLink } from './part-link.ts';

/** How long an upstream may take to answer what is asked of all. */
const PART_TIMEOUT_MS = 15_000;

/** Joins upstreams under prefixed names. */
export function createJoinedEndpoint(
  upstreams: ReadonlyMap<string, Upstream>,
  separator: string,
  own: Omit<UpstreamGuardOptions, 'name' | 'breaker'>,
): LinkEndpoint {
  const names = createNames([...upstreams.keys()], separator);
  // Which upstream a call went to, so that its own guard deals with its failure.
  const routes = new WeakMap<Buffer, string>();
  const ownGuard = createUpstreamGuard({ ...own, name: 'gateway', breaker: false });
  const guardFor = (call: Call): Guard => upstreams.get(routes.get(call.body) ?? '')?.guard ?? ownGuard;

  function partFailed(name: string, message: Outgoing, answer: PartAnswer): void {
    const guard = upstreams.get(name)?.guard;
    if (answer.ok || guard === undefined) return;
    const { body, peek, revision: era } = message;
    const call: Call = { body, peek, era, headers: {}, attempt: 1, isLast: true, startedAt: Date.now() };
    if (answer.fault !== undefined) guard.failed(call, { type: 'fault', fault: answer.fault });
    else if (answer.bytes !== undefined)
      guard.failed(call, { type: 'message', message: answer.message, bytes: answer.bytes });
  }

  function connect(use: 'session' | 'shared', events: LinkEvents): JoinedLink {
    const parts = new Map<string, PartLink>();
    for (const upstream of upstreams.values()) {
      const link = upstream.connect(use, {
        ...events,
        onMessage: (bytes) => events.onMessage(JoinedLink.tagged(upstream.name, bytes)),
      });
      parts.set(upstream.name, new PartLink(upstream.name, link, PART_TIMEOUT_MS));
    }
    return new JoinedLink({
      parts,
      names,
      onRoute: (body, name) => routes.set(body, name),
      onTools: (name, tools) => upstreams.get(name)?.guard.hints.learn({ result: { tools } }),
      onPartFailed: partFailed,
    });
  }

  const guard: Guard = {
    admit: (call) => refusalOf(call, upstreams, names.split(nameIn(call.body) ?? '')?.upstream),
    succeeded: (call) => guardFor(call).succeeded(call),
    failed: (call, failure) => guardFor(call).failed(call, failure),
    dropped: (call) => guardFor(call).dropped(call),
  };
  return new LinkEndpoint({ connect, guard, maxSessions: 64 });
}

/** A call to an upstream that is held back is turned away before it is sent. */
function refusalOf(
  call: Call,
  upstreams: ReadonlyMap<string, Upstream>,
  name: string | undefined,
): FaultInit | undefined {
  if (call.peek.method !== 'tools/call' || name === undefined) return undefined;
  return upstreams.get(name)?.guard.admit(call);
}

function nameIn(body: Buffer): string | undefined {
  if (!body.includes('"tools/call"')) return undefined;
  return /"name"\s*:\s*"([^"\\]{1,200})"/.exec(body.toString('utf8'))?.[1];
}
