/** Failures that say the same, together. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { GroupDetails, GroupDocument } from '../api/documents.ts';
import { usePolled } from '../api/polled.ts';
import { FaultRow } from '../faults/faults-page.tsx';
import { now } from '../parts/clock.ts';
import { Empty, Facts, Foreign, KindLink, Notice, Time, Wide } from '../parts/parts.tsx';
import { linkTo } from '../place.ts';
import { bucketsOf, RANGES } from './buckets.ts';
import { Chart } from './chart.tsx';

const EVERY_MS = 5000;

/** The page: all groups, or one. */
export function GroupsPage({ open }: { readonly open: string | undefined }): VNode {
  return open === undefined ? <AllGroups /> : <OneGroup fingerprint={open} />;
}

function AllGroups(): VNode {
  const { data, trouble } = usePolled<{ readonly groups: readonly GroupDocument[] }>(
    'faults/groups',
    EVERY_MS,
  );
  return (
    <>
      <h1>Groups</h1>
      <Notice trouble={trouble} />
      {data?.groups.length === 0 && (
        <Empty>No groups: nothing has failed for as long as the journal goes back.</Empty>
      )}
      {data === undefined && trouble === undefined && <Empty>Looking…</Empty>}
      {data !== undefined && data.groups.length > 0 && <GroupTable groups={data.groups} />}
    </>
  );
}

function GroupTable({ groups }: { readonly groups: readonly GroupDocument[] }): VNode {
  return (
    <Wide label="Groups">
      <table>
        <thead>
          <tr>
            <th class="number">Count</th>
            <th>Last seen</th>
            <th>First seen</th>
            <th>Kind</th>
            <th>Upstream</th>
            <th>Origin</th>
            <th>The last one said</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.fingerprint}>
              <td class="number">{group.count}</td>
              <td>
                <Time at={group.last_seen} />
              </td>
              <td>
                <Time at={group.first_seen} />
              </td>
              <td>
                <KindLink kind={group.kind} />
              </td>
              <td>
                <Foreign text={group.upstream ?? ''} />
              </td>
              <td>{group.origin}</td>
              <td class="what">
                <a href={linkTo('groups', group.fingerprint)}>
                  <Foreign text={group.message} />
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function OneGroup({ fingerprint }: { readonly fingerprint: string }): VNode {
  const range = useSignal(RANGES[0]);
  const opened = useSignal<string | undefined>(undefined);
  // It moves when another range is chosen, not every second.
  const since = useMemo(() => new Date(Date.now() - range.value.spanMs).toISOString(), [range.value]);
  const path = `faults/groups/${encodeURIComponent(fingerprint)}`;
  const { data, trouble } = usePolled<GroupDetails>(path, EVERY_MS, { since });
  return (
    <>
      <p class="back">
        <a href={linkTo('groups')}>All groups</a>
      </p>
      <h1>{data === undefined ? 'Group' : <Foreign text={data.message} />}</h1>
      <Notice trouble={trouble} />
      {data !== undefined && (
        <>
          <Facts
            of={[
              ['Kind', <KindLink key="kind" kind={data.kind} />],
              ['Count', data.count],
              ['First seen', <Time key="first" at={data.first_seen} />],
              ['Last seen', <Time key="last" at={data.last_seen} />],
              ['Upstream', data.upstream && <Foreign text={data.upstream} />],
              ['Origin', data.origin],
              ['Fingerprint', <Foreign key="print" text={data.fingerprint} />],
            ]}
          />
          <fieldset class="choice">
            <legend>How many in the last</legend>
            {RANGES.map((one) => (
              <label key={one.name}>
                <input
                  type="radio"
                  name="range"
                  checked={one === range.value}
                  onChange={() => {
                    range.value = one;
                  }}
                />
                {one.name}
              </label>
            ))}
          </fieldset>
          <Chart buckets={bucketsOf(data.counts, range.value, now.value)} range={range.value} />
          <h2>The last of them</h2>
          <ol class="rows">
            {data.faults.map((fault) => (
              <FaultRow
                key={fault.id}
                fault={fault}
                isOpen={fault.id === opened.value}
                onOpen={() => {
                  opened.value = opened.value === fault.id ? undefined : fault.id;
                }}
              />
            ))}
          </ol>
        </>
      )}
    </>
  );
}
