/** Failures, live. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Trouble } from '../api/ask.ts';
import type { FaultDocument, StatusDocument } from '../api/documents.ts';
import { usePolled } from '../api/polled.ts';
import { key } from '../api/session.ts';
import { now } from '../parts/clock.ts';
import { Empty, Foreign, KindLink, Notice, Time } from '../parts/parts.tsx';
import { linkTo } from '../place.ts';
import { counted, span } from '../text/times.ts';
import { visible } from '../text/visible.ts';
import { FaultDetails } from './fault-details.tsx';
import { type Filter, fits, NO_FILTER, valuesOf } from './filter.ts';
import { findFault, gathered, line, loadOlder, pause } from './live.ts';

const STATUS_MS = 15_000;

/** The page. `open` is the failure that is looked at. */
export function FaultsPage({ open }: { readonly open: string | undefined }): VNode {
  const filter = useSignal<Filter>(NO_FILTER);
  const failed = useSignal<Trouble | undefined>(undefined);
  const { shown: all, held, hasOlder } = gathered.value;
  const shown = all.filter((fault) => fits(fault, filter.value));
  // Whoever leaves the page looks at nothing that is held.
  useEffect(() => () => pause(false), []);
  return (
    <>
      <div class="head">
        <h1>Faults</h1>
        <Connection />
        <button type="button" aria-pressed={held !== undefined} onClick={() => pause(held === undefined)}>
          {held === undefined ? 'Pause' : `Go on${held.came === 0 ? '' : ` (${held.came} new)`}`}
        </button>
      </div>
      <FilterBar all={all} filter={filter.value} onChange={(next) => (filter.value = next)} />
      {open !== undefined && !shown.some(({ id }) => id === open) && <Elsewhere key={open} id={open} />}
      {shown.length === 0 ? (
        <Nothing isFiltered={all.length > 0} />
      ) : (
        <ol class="rows">
          {shown.map((fault) => (
            <FaultRow
              key={fault.id}
              fault={fault}
              isOpen={fault.id === open}
              onOpen={() =>
                location.replace(fault.id === open ? linkTo('faults') : linkTo('faults', fault.id))
              }
            />
          ))}
        </ol>
      )}
      <Notice trouble={failed.value} />
      {hasOlder && (
        <button
          type="button"
          onClick={async () => {
            failed.value = await loadOlder(key.value);
          }}
        >
          Older ones
        </button>
      )}
    </>
  );
}

const NOT_KEPT: Trouble = {
  status: 404,
  what: 'The fault of this address is not there.',
  advice: 'The journal may have dropped it since, or never had it.',
};

/** The failure that an address names, where the list does not have it. */
function Elsewhere({ id }: { readonly id: string }): VNode {
  const [found, setFound] = useState<FaultDocument | 'looking' | undefined>('looking');
  const isKnown = line.value.is !== 'connecting';
  useEffect(() => {
    if (!isKnown) return undefined;
    const leaving = new AbortController();
    void findFault(id, { key: key.value, signal: leaving.signal }).then((fault) => {
      if (!leaving.signal.aborted) setFound(fault);
    });
    return () => leaving.abort();
  }, [id, isKnown]);
  if (found === 'looking') return <Empty>Looking…</Empty>;
  if (found === undefined) return <Notice trouble={NOT_KEPT} />;
  return (
    <ol class="rows">
      <FaultRow fault={found} isOpen onOpen={() => location.replace(linkTo('faults'))} />
    </ol>
  );
}

interface RowProps {
  readonly fault: FaultDocument;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** One failure in a line, or with all that is known of it. */
export function FaultRow({ fault, isOpen, onOpen }: RowProps): VNode {
  const { kind, upstream = '', message, at, details } = fault;
  const target = details?.target ?? '';
  return (
    <li class={isOpen ? 'row open' : 'row'}>
      <div class="line">
        <Time at={at} />
        <KindLink kind={kind} />
        <span class="where">
          <Foreign text={target === '' ? upstream : `${upstream}/${target}`} />
        </span>
        <button type="button" class="what" aria-expanded={isOpen} onClick={onOpen}>
          <Foreign text={message} />
        </button>
      </div>
      {isOpen && <FaultDetails fault={fault} />}
    </li>
  );
}

function Connection(): VNode {
  const { value } = line;
  const said =
    value.is === 'live'
      ? 'Live'
      : value.is === 'polling'
        ? 'No journal: this gateway’s memory, every 3 s'
        : value.is === 'connecting'
          ? 'Connecting…'
          : 'Connection lost';
  return (
    <>
      <span class={`state ${value.is}`} role="status">
        {said}
      </span>
      {value.is === 'lost' && (
        <Notice
          trouble={{
            status: 0,
            what: value.trouble.what,
            advice: `What is shown may be old. Next try in ${span(value.nextAt - now.value)}.`,
          }}
        />
      )}
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): VNode {
  const { data } = usePolled<StatusDocument>('status', STATUS_MS);
  if (isFiltered) return <Empty>No fault fits. Choose less above.</Empty>;
  if (line.value.is === 'connecting' || data === undefined) return <Empty>Looking…</Empty>;
  const since = span(now.value - Date.parse(data.started_at));
  return <Empty>No faults since the gateway started {since} ago. They appear here as they come.</Empty>;
}

interface FilterProps {
  readonly all: readonly FaultDocument[];
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

function FilterBar({ all, filter, onChange }: FilterProps): VNode {
  return (
    <search class="filter">
      <Choice
        label="Upstream"
        value={filter.upstream}
        of={valuesOf(all, 'upstream')}
        onChange={(upstream) => onChange({ ...filter, upstream })}
      />
      <Choice
        label="Kind"
        value={filter.kind}
        of={valuesOf(all, 'kind')}
        onChange={(kind) => onChange({ ...filter, kind })}
      />
      <label>
        Tool or words
        <input
          type="search"
          value={filter.words}
          onInput={(event) => onChange({ ...filter, words: event.currentTarget.value })}
        />
      </label>
      <output>{counted(all.filter((fault) => fits(fault, filter)).length, 'fault')}</output>
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly of: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, of, onChange }: ChoiceProps): VNode {
  const all = of.includes(value) || value === '' ? of : [value, ...of];
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">all</option>
        {all.map((one) => (
          <option key={one} value={one}>
            {visible(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
