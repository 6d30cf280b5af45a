/** One failure, with all that is known of it. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { askMemory } from '../api/ask.ts';
import type { FaultDocument, FaultMemory } from '../api/documents.ts';
import { key } from '../api/session.ts';
import { Block, executedWords, Facts, Foreign, KindLink, Time } from '../parts/parts.tsx';
import { linkTo } from '../place.ts';
import { duration } from '../text/times.ts';
import { memoryOf } from './gathered.ts';

/** What the gateway remembers of it, beyond the journal. */
interface Remembered {
  readonly memory: FaultMemory;
  /** What a model reads of it. */
  readonly told: string;
}

/** Everything about a failure: of the journal, and of the gateway's memory where that still has it. */
export function FaultDetails({ fault }: { readonly fault: FaultDocument }): VNode {
  const { details = {} } = fault;
  const remembered = useRemembered(fault);
  return (
    <div class="details">
      <h2>What happened</h2>
      <Block label="What happened" value={fault.message} />
      {remembered !== undefined && <Told {...remembered} />}
      <Facts
        of={[
          ['Kind', <KindLink key="kind" kind={fault.kind} />],
          ['Executed', executedWords(details.executed)],
          ['Origin', fault.origin],
          ['Upstream', fault.upstream && <Foreign text={fault.upstream} />],
          ['Tool', details.target && <Foreign text={details.target} />],
          ['Method', details.method && <Foreign text={details.method} />],
          ['Caller', details.caller && <Foreign text={details.caller} />],
          ['Attempts', details.attempts],
          ['Took', details.durationMs === undefined ? undefined : duration(details.durationMs)],
          ['Dialect of the server', details.from ?? 'none that is known'],
          ['Dialect for the caller', details.to],
          [
            'Certainty of the reading',
            details.certainty === undefined ? undefined : `${Math.round(details.certainty * 100)} %`,
          ],
          ['Correlation id', details.correlation_id && <Foreign text={details.correlation_id} />],
          ['Rule', details.rule && <Foreign text={details.rule} />],
          ['When', <Time key="when" at={fault.at} isExact />],
          [
            'Group',
            fault.fingerprint && <a href={linkTo('groups', fault.fingerprint)}>All that say the same</a>,
          ],
        ]}
      />
    </div>
  );
}

function Told({ memory, told }: Remembered): VNode {
  return (
    <>
      <h2>What the agent reads of it</h2>
      <Block label="What the agent reads of it" value={told} />
      {memory.original !== '' && (
        <details>
          <summary>What the server said</summary>
          <Block label="What the server said" value={pretty(memory.original)} />
        </details>
      )}
      <details>
        <summary>The fault document</summary>
        <Block label="The fault document" value={memory.fault} />
      </details>
    </>
  );
}

/** JSON is easier to read in lines; what is cut off, or is none, stays as it is. */
function pretty(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Clocks differ, and the journal has whole seconds. */
const AROUND_MS = 3000;

function useRemembered(fault: FaultDocument): Remembered | undefined {
  const [remembered, setRemembered] = useState<Remembered>();
  const { id, at, upstream, kind, details } = fault;
  // A failure never changes.
  useEffect(() => {
    const leaving = new AbortController();
    const look = async (): Promise<void> => {
      const correlation = details?.correlation_id ?? undefined;
      const since = String(Math.max(0, Date.parse(at) - AROUND_MS));
      const query =
        correlation === undefined ? { upstream, kind, since, limit: '100' } : { correlation_id: correlation };
      const answer = await askMemory<{ readonly faults: readonly FaultMemory[] }>({
        key: key.value,
        signal: leaving.signal,
        query,
      });
      const memory = 'ok' in answer ? memoryOf(fault, answer.ok.faults) : undefined;
      if (memory === undefined || leaving.signal.aborted) return;
      const { toldOf } = await import('./told.ts');
      if (!leaving.signal.aborted) setRemembered({ memory, told: toldOf(memory.fault) });
    };
    setRemembered(undefined);
    void look();
    return () => leaving.abort();
  }, [id]);
  return remembered;
}
