import { createHash, randomUUID } from 'node:crypto';
import { fault } from '@mayday/core';
import type { Call } from '../call.ts';
import { expect, expectFunction } from '../options-check.ts';
import type { Guard } from './guard.ts';

/** One call that waits for a person. */
export interface Approval {
  readonly id: string;
  readonly state: 'waiting' | 'approved' | 'rejected';
}

/** Where approvals are kept. */
export interface ApprovalStore {
  /** The approval for exactly this call, opened if there is none. An approved one is used up by being found. */
  find(request: {
    readonly fingerprint: string;
    readonly tool: string;
    readonly principal: string | undefined;
    readonly arguments: unknown;
  }): Approval | Promise<Approval>;
}

/** Which calls need a person's consent. */
export interface ApprovalOptions {
  readonly tools: readonly string[] | ((call: Call) => boolean);
  readonly store: ApprovalStore;
}

/** Holds back calls that a person must consent to, with `approval_required` and the request's id. */
export function approval(options: ApprovalOptions): Guard {
  const { tools, store } = options;
  expect(
    typeof tools === 'function' || Array.isArray(tools),
    'tools',
    'a list of tools or a function',
    tools,
  );
  expectFunction(store?.find, 'store.find');
  const needed = typeof tools === 'function' ? tools : (call: Call) => tools.includes(call.name ?? '');
  return {
    name: 'approval',
    before(call) {
      if (!needed(call)) return;
      const tool = call.name ?? call.method;
      const request = {
        fingerprint: fingerprint(call),
        tool,
        principal: call.principal,
        arguments: call.arguments,
      };
      const found = store.find(request);
      if (found instanceof Promise) return found.then((approval) => decide(approval, tool));
      decide(found, tool);
    },
  };
}

function decide({ id, state }: Approval, tool: string): void {
  if (state === 'approved') return;
  const details = { approval_id: id };
  if (state === 'rejected')
    throw fault.forbidden(`The call to ${tool} was not approved (request ${id})`, { details });
  throw fault.approvalRequired(`${tool} requires approval (request ${id})`, { details });
}

/** The same caller, tool and arguments are the same call, in whatever order the arguments come. */
function fingerprint(call: Call): string {
  return createHash('sha256')
    .update(JSON.stringify([call.principal ?? null, call.name, canonical(call.arguments)]))
    .digest('hex');
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => [key, canonical(child)]);
}

/** Approvals in memory, and what decides them. */
export interface MemoryApprovals extends ApprovalStore {
  /** The calls that wait. */
  waiting(): readonly {
    readonly id: string;
    readonly tool: string;
    readonly principal: string | undefined;
    readonly arguments: unknown;
  }[];
  approve(id: string): boolean;
  reject(id: string): boolean;
}

const MAX_OPEN = 1000;

/** Keeps approvals in memory. An approval counts for one call; beyond `maxOpen`, the oldest is forgotten. */
export function createMemoryApprovals(
  options: { readonly maxOpen?: number; readonly newId?: () => string } = {},
): MemoryApprovals {
  const { maxOpen = MAX_OPEN, newId = randomUUID } = options;
  const open = new Map<
    string,
    { id: string; state: Approval['state']; request: Parameters<ApprovalStore['find']>[0] }
  >();
  const set = (id: string, state: Approval['state']): boolean => {
    const entry = [...open.values()].find(
      (candidate) => candidate.id === id && candidate.state === 'waiting',
    );
    if (entry !== undefined) entry.state = state;
    return entry !== undefined;
  };
  return {
    find(request) {
      let entry = open.get(request.fingerprint);
      if (entry === undefined) {
        entry = { id: newId(), state: 'waiting', request };
        open.set(request.fingerprint, entry);
        if (open.size > maxOpen) open.delete(open.keys().next().value as string);
      }
      if (entry.state !== 'waiting') open.delete(request.fingerprint);
      return { id: entry.id, state: entry.state };
    },
    waiting: () =>
      [...open.values()]
        .filter((entry) => entry.state === 'waiting')
        .map(({ id, request: { tool, principal, arguments: args } }) => ({
          id,
          tool,
          principal,
          arguments: args,
        })),
    approve: (id) => set(id, 'approved'),
    reject: (id) => set(id, 'rejected'),
  };
}
