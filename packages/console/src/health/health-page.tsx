/** How the gateway is. */
import type { VNode } from 'preact';
import type { StatusDocument, UpstreamStatus } from '../api/documents.ts';
import { usePolled } from '../api/polled.ts';
import { Block, Empty, Facts, Foreign, KindLink, Notice, Time, Wide } from '../parts/parts.tsx';
import { counted } from '../text/times.ts';
import { visible } from '../text/visible.ts';
import { Limits } from './limits.tsx';

const EVERY_MS = 5000;

/** The page. */
export function HealthPage(): VNode {
  const { data, trouble } = usePolled<StatusDocument>('status', EVERY_MS);
  return (
    <>
      <h1>Health</h1>
      <Notice trouble={trouble} />
      {data === undefined && trouble === undefined && <Empty>Looking…</Empty>}
      {data !== undefined && <Status status={data} />}
    </>
  );
}

function Status({ status }: { readonly status: StatusDocument }): VNode {
  const { joined, store, telemetry, workers, error_budgets: budgets = [] } = status;
  return (
    <>
      <Facts
        of={[
          ['Started', <Time key="since" at={status.started_at} />],
          ['Faults since then', status.faults],
          ['Store', <Store key="store" store={store} />],
          ['All upstreams in one', joined && `${joined.endpoint}, ${counted(joined.sessions, 'session')}`],
          ['Telemetry', telemetry && <Telemetry telemetry={telemetry} />],
        ]}
      />
      {store?.warnings?.map((warning) => (
        <p class="notice" key={warning}>
          <Foreign text={warning} />
        </p>
      ))}
      <h2>Upstreams</h2>
      {status.upstreams.length === 0 ? (
        <Empty>This gateway has no upstreams.</Empty>
      ) : (
        <Upstreams upstreams={status.upstreams} />
      )}
      {status.virtual !== undefined && <Virtual virtual={status.virtual} />}
      <Limits limits={status.limits} />
      {workers !== undefined && <Workers workers={workers} />}
      {budgets.length > 0 && (
        <>
          <h2>Error budgets</h2>
          {budgets.map((budget, index) => (
            <Block key={JSON.stringify(budget['tools'] ?? index)} label="Error budget" value={budget} />
          ))}
        </>
      )}
    </>
  );
}

function Store({ store }: { readonly store: StatusDocument['store'] }): VNode {
  if (store === undefined) return <span>none: nothing is kept over a restart</span>;
  if (store.ok) return <span class="state live">{visible(store.engine)}: ok</span>;
  return (
    <span class="state lost">
      {visible(store.engine)}: <Foreign text={store.problem ?? 'cannot be used'} />
    </span>
  );
}

function Telemetry({ telemetry }: { readonly telemetry: NonNullable<StatusDocument['telemetry']> }): VNode {
  const { trouble, exported, lost } = telemetry;
  if (trouble !== undefined)
    return (
      <span class="state lost">
        <Foreign text={trouble.message} />, since <Time at={trouble.since} />
      </span>
    );
  const gone = (lost?.traces ?? 0) + (lost?.metrics ?? 0);
  return (
    <span>
      {exported?.traces ?? 0} traces and {exported?.metrics ?? 0} metrics sent, {gone} lost
    </span>
  );
}

/** What a circuit means for whoever calls. */
function circuitWords(circuit: string, isTroubled: boolean): readonly [style: string, words: string] {
  if (circuit === 'closed') return [isTroubled ? 'plain-state' : 'live', 'closed: calls go through'];
  if (circuit === 'open') return ['lost', 'open: calls are held back'];
  return ['connecting', 'half open: a call is let through to see'];
}

function Upstreams({ upstreams }: { readonly upstreams: readonly UpstreamStatus[] }): VNode {
  return (
    <ul class="cards">
      {upstreams.map((upstream) => (
        <Upstream key={upstream.name} upstream={upstream} />
      ))}
    </ul>
  );
}

function Upstream({ upstream }: { readonly upstream: UpstreamStatus }): VNode {
  const { name, type, endpoint, processes, operations, circuit, troubled, trouble } = upstream;
  const [style, words] = circuitWords(circuit, trouble !== undefined);
  const leftOut = operations?.left_out ?? [];
  return (
    <li class="card">
      <h3>
        <Foreign text={name} /> <span class="soft">{visible(type)}</span>
      </h3>
      {trouble !== undefined && (
        <p class="notice">
          <KindLink kind={trouble.kind} /> since <Time at={trouble.since} />:{' '}
          <Foreign text={trouble.message} />
        </p>
      )}
      <Facts
        of={[
          [
            'Circuit',
            <span key="circuit" class={`state ${style}`}>
              {words}
            </span>,
          ],
          ['Held back', troubled.length > 0 ? <Foreign text={troubled.join(', ')} /> : undefined],
          ['Endpoint', <Foreign key="endpoint" text={endpoint} />],
          ['Sessions', sessionsOf(upstream)],
          ['Processes', processes],
          ['Tools', operations?.tools],
        ]}
      />
      {leftOut.length > 0 && (
        <details>
          <summary>{counted(leftOut.length, 'operation')} left out</summary>
          <Block label={`Left out of ${visible(name)}`} value={leftOut.join('\n')} />
        </details>
      )}
    </li>
  );
}

/** Those of a server behind a URL are not limited for all callers together. */
function sessionsOf({ sessions, max_sessions: most }: UpstreamStatus): string | number | undefined {
  return sessions === undefined || most === undefined ? sessions : `${sessions} of ${most}`;
}

function Virtual({ virtual }: { readonly virtual: NonNullable<StatusDocument['virtual']> }): VNode {
  return (
    <>
      <h2>Virtual servers</h2>
      <Wide label="Virtual servers">
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th>Endpoint</th>
              <th class="number">Sessions</th>
              <th>Made of</th>
            </tr>
          </thead>
          <tbody>
            {virtual.map(({ name, endpoint, sessions, upstreams }) => (
              <tr key={name}>
                <td>
                  <Foreign text={name} />
                </td>
                <td>
                  <Foreign text={endpoint} />
                </td>
                <td class="number">{sessions}</td>
                <td>
                  <Foreign text={upstreams.join(', ')} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
}

function Workers({ workers }: { readonly workers: NonNullable<StatusDocument['workers']> }): VNode {
  return (
    <>
      <h2>Workers</h2>
      <Wide label="Workers">
        <table>
          <thead>
            <tr>
              <th class="number">Worker</th>
              <th class="number">Process</th>
              <th>Started</th>
              <th class="number">Restarts</th>
            </tr>
          </thead>
          <tbody>
            {workers.map(({ worker, pid, started_at, restarts }) => (
              <tr key={worker}>
                <td class="number">{worker}</td>
                <td class="number">{pid}</td>
                <td>
                  <Time at={started_at} />
                </td>
                <td class="number">{restarts}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
}
