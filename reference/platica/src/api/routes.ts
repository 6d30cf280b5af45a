/** What the REST interface does, route by route. */
import type { DatabaseSync } from 'node:sqlite';
import { BEGINNINGS, BODIES, checkBody } from './bodies.ts';
import { refusal } from './refusal.ts';
import { find, type Kind, list, newId, remove, save, type Thing } from './store.ts';

/** One request, as a route sees it. */
interface Asked {
  readonly store: DatabaseSync;
  readonly workspace: string;
  readonly id: string;
  readonly body: { readonly [field: string]: unknown };
}

/** A route: how it is called, and what it answers with, in one transaction. `undefined` is 204. */
export interface Route {
  readonly method: string;
  readonly path: URLPattern;
  readonly status?: number;
  answer(asked: Asked): object | undefined;
}

const PLURALS: { readonly [K in Kind]: string } = {
  client: 'clients',
  agent: 'agents',
  campaign: 'campaigns',
  webhook: 'webhooks',
};

/** All routes. */
export const ROUTES: readonly Route[] = [
  ...(Object.keys(PLURALS) as Kind[]).flatMap(routesOf),
  {
    method: 'POST',
    path: pattern('/agents/:id/subagents'),
    answer: ({ store, workspace, id, body }) => {
      const agent = requireThing(store, 'agent', id, workspace);
      const { id: subagent } = requireThing(store, 'agent', String(body['subagent_id']), workspace);
      if (subagent === agent.id)
        throw refusal(422, 'Agent cannot be its own subagent', `${id} cannot be put under itself.`);
      const connected = agent['subagents'] as string[];
      if (connected.includes(subagent))
        throw refusal(409, 'Already connected', `${subagent} is a subagent of ${id}.`);
      return save(store, 'agent', { ...agent, subagents: [...connected, subagent] });
    },
  },
  {
    method: 'POST',
    path: pattern('/campaigns/:id/launch'),
    answer: ({ store, workspace, id }) => {
      const campaign = requireThing(store, 'campaign', id, workspace);
      if (campaign['status'] !== 'draft')
        throw refusal(
          422,
          'Campaign already launched',
          `It is ${campaign['status']} and cannot be launched again.`,
        );
      requireThing(store, 'agent', campaign['agent_id'] as string, workspace);
      return save(store, 'campaign', { ...campaign, status: 'running' });
    },
  },
];

/** Finding, making, changing and deleting, the same for every kind. */
function routesOf(kind: Kind): Route[] {
  const all = pattern(`/${PLURALS[kind]}`);
  const one = pattern(`/${PLURALS[kind]}/:id`);
  return [
    { method: 'GET', path: all, answer: ({ store, workspace }) => ({ data: list(store, kind, workspace) }) },
    {
      method: 'GET',
      path: one,
      answer: ({ store, workspace, id }) => requireThing(store, kind, id, workspace),
    },
    {
      method: 'POST',
      path: all,
      status: 201,
      answer: ({ store, workspace, body }) => {
        const checked = checkBody(BODIES[kind], body);
        requireAgent(store, checked, workspace);
        return save(store, kind, { ...BEGINNINGS[kind], ...checked, id: newId(kind), workspace });
      },
    },
    {
      method: 'PATCH',
      path: one,
      answer: ({ store, workspace, id, body }) => {
        const changes = checkBody(BODIES[kind].partial(), body);
        requireAgent(store, changes, workspace);
        return save(store, kind, { ...requireThing(store, kind, id, workspace), ...changes });
      },
    },
    {
      method: 'DELETE',
      path: one,
      answer: ({ store, workspace, id }) => {
        remove(store, requireThing(store, kind, id, workspace).id);
        return undefined;
      },
    },
  ];
}

/** Whatever names an agent names one that is there. */
function requireAgent(
  store: DatabaseSync,
  body: { readonly [field: string]: unknown },
  workspace: string,
): void {
  if (typeof body['agent_id'] === 'string') requireThing(store, 'agent', body['agent_id'], workspace);
}

function requireThing(store: DatabaseSync, kind: Kind, id: string, workspace: string): Thing {
  const thing = find(store, kind, id);
  const title = kind.charAt(0).toUpperCase() + kind.slice(1);
  if (thing?.workspace === null)
    throw refusal(422, `${title} without workspace`, `Assign ${id} to a workspace before you use it.`);
  if (thing?.workspace !== workspace)
    throw refusal(404, `${title} not found`, `No ${kind} ${id} in ${workspace}.`);
  return thing;
}

function pattern(pathname: string): URLPattern {
  return new URLPattern({ pathname: `/api/v1${pathname}` });
}
