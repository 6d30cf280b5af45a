/** The journal of failures: one by one, in groups, and as they come. */
import type { FaultGroup, JournalEntry, JournalQuery, Store } from '@mayday/store';
import {
  type Asked,
  instant,
  no,
  type Operation,
  type Outcome,
  onStore,
  type Schema,
  told,
} from './operation.ts';
import { limit, named, ref, request } from './schemas.ts';

const PLACE: Schema = {
  type: 'string',
  pattern: '^[0-9]{1,16}(?:-[0-9]{1,16})?$',
  description: 'The id of a failure: those that came after it.',
};
const GROUP: Schema = { type: 'string', maxLength: 200, description: 'Only those with this fingerprint.' };
const DAY_MS = 86_400_000;
/** Clocks differ: the store's may be ahead of ours. */
const AHEAD_MS = 3_600_000;
/** Of a group, as many are told with it. */
const LATEST = 20;

/** What can be asked about failures. */
export const FAULTS: readonly Operation[] = [
  onStore({
    id: 'listFaults',
    method: 'GET',
    path: '/faults',
    tag: 'faults',
    summary:
      'What has failed at all gateways on the store, the newest first; after one that is named, the oldest first.',
    query: request({
      limit: limit(100),
      after: {
        ...PLACE,
        description: 'The id of a failure: only those that came after it, the oldest first.',
      },
      before: {
        ...PLACE,
        description: 'The id of a failure: only those that came before it.',
      },
      group: GROUP,
    }),
    answer: { status: 200, about: 'The failures.', schema: named('faults', ref('Fault')) },
    faults: {},
    async run({ faults }, { query }) {
      const span = { ...placeIn(query), before: query['before'] as string | undefined };
      return told({ faults: await inPages(faults, span, (query['limit'] as number | undefined) ?? 100) });
    },
  }),
  onStore({
    id: 'listFaultGroups',
    method: 'GET',
    path: '/faults/groups',
    tag: 'faults',
    summary: 'Failures of one upstream and kind that say the same, together; the last seen first.',
    query: request({ limit: limit(100) }),
    answer: { status: 200, about: 'The groups.', schema: named('groups', ref('FaultGroup')) },
    faults: {},
    async run({ faults }, { query }) {
      const groups = await faults.groups({ limit: query['limit'] as number | undefined });
      return told({ groups: groups.map(groupDocument) });
    },
  }),
  onStore({
    id: 'getFaultGroup',
    method: 'GET',
    path: '/faults/groups/{fingerprint}',
    tag: 'faults',
    summary: 'One group: how many there were, minute by minute, and the last of them.',
    parameters: { fingerprint: { type: 'string', description: 'The fingerprint of a group.' } },
    query: request({
      since: {
        type: 'string',
        format: 'date-time',
        description: 'Counts since this time, such as 2026-01-31T12:00:00Z; of the last day, if absent.',
      },
    }),
    answer: { status: 200, about: 'The group.', schema: ref('FaultGroupDetails') },
    faults: { 404: 'No group has this fingerprint.' },
    run: group,
  }),
  onStore({
    id: 'followFaults',
    method: 'GET',
    path: '/faults/stream',
    tag: 'faults',
    summary:
      'What fails from now on, as server-sent events: `id` is the place in the journal, `data` a Fault. `Last-Event-ID` goes on where a stream has ended.',
    query: request({ after: PLACE, group: GROUP }),
    answer: { status: 200, about: 'Failures, as they come.', schema: { type: 'string' } },
    isStream: true,
    faults: { 429: 'Too many streams are open.' },
    async run({ faults }, { query }) {
      const { after, fingerprint } = placeIn(query);
      return { follow: { faults, after, group: fingerprint } };
    },
  }),
];

/** So many at a time: between two pages others have their turn, here and in the store. */
const PAGE = 250;

async function inPages(
  faults: Store['faults'],
  span: JournalQuery,
  limit: number,
): Promise<readonly FaultDocument[]> {
  const all: FaultDocument[] = [];
  for (let at = span; ; ) {
    const wanted = Math.min(PAGE, limit - all.length);
    const found = await faults.list({ ...at, limit: wanted });
    all.push(...found.map(faultDocument));
    const last = found.at(-1)?.id;
    if (last === undefined || found.length < wanted || all.length >= limit) return all;
    at = { ...span, ...(span.after === undefined ? { before: last } : { after: last }) };
    await new Promise(setImmediate);
  }
}

function placeIn(query: Asked['query']): {
  readonly after?: string | undefined;
  readonly fingerprint?: string | undefined;
} {
  return { after: query['after'] as string | undefined, fingerprint: query['group'] as string | undefined };
}

async function group({ faults }: Store, { path, query }: Asked): Promise<Outcome> {
  const { fingerprint = '' } = path;
  const [found] = await faults.groups({ fingerprint, limit: 1 });
  if (found === undefined) {
    const subject = { type: 'fault_group', id: fingerprint.slice(0, 100) };
    return no(404, { kind: 'not_found', subject, message: 'No group of failures has this fingerprint' });
  }
  const to = Date.now() + AHEAD_MS;
  const from = typeof query['since'] === 'string' ? Date.parse(query['since']) : Date.now() - DAY_MS;
  const counts = await faults.counts({ fingerprint, from, to });
  const latest = await faults.list({ fingerprint, limit: LATEST });
  return told({
    ...groupDocument(found),
    counts: counts.map(({ at, count }) => ({ at: instant(at), count })),
    faults: latest.map(faultDocument),
  });
}

/** A failure in JSON. */
export interface FaultDocument extends Omit<JournalEntry, 'at'> {
  readonly at: string;
}

/** Describes a failure of the journal. */
export function faultDocument(entry: JournalEntry): FaultDocument {
  return { ...entry, at: instant(entry.at) };
}

/** A group of failures in JSON. */
export interface GroupDocument extends Omit<FaultGroup, 'firstSeen' | 'lastSeen'> {
  readonly first_seen: string;
  readonly last_seen: string;
}

function groupDocument({ firstSeen, lastSeen, ...rest }: FaultGroup): GroupDocument {
  return { ...rest, first_seen: instant(firstSeen), last_seen: instant(lastSeen) };
}
