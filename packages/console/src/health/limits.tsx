/** What is too much, as the gateway's file has it. */
import type { VNode } from 'preact';
import type { CountedLimit, LimitsStatus } from '../api/documents.ts';
import { Empty, Facts, Foreign, Wide } from '../parts/parts.tsx';
import { bytes, exactSpan } from '../text/times.ts';
import { visible } from '../text/visible.ts';

/** The limits. */
export function Limits({ limits }: { readonly limits: LimitsStatus }): VNode {
  const { rates, concurrency, sessions } = limits;
  return (
    <>
      <h2>Limits</h2>
      {rates.length + concurrency.length === 0 ? (
        <Empty>How many calls anybody makes is not limited.</Empty>
      ) : (
        <Counted rates={rates} concurrency={concurrency} />
      )}
      <Facts
        of={[
          ['Largest request', bytes(limits.body_bytes)],
          ['Largest answer', bytes(limits.message_bytes)],
          ['Held for one caller', bytes(limits.caller_bytes)],
          ['Sessions of one upstream', `${sessions.max}, where each has a process of its own`],
          ['Sessions of one caller', `${sessions.per_caller} at one upstream`],
        ]}
      />
    </>
  );
}

function Counted({ rates, concurrency }: Pick<LimitsStatus, 'rates' | 'concurrency'>): VNode {
  return (
    <>
      <Wide label="Limits of calls">
        <table>
          <thead>
            <tr>
              <th>Calls, at most</th>
              <th>Counted apart by</th>
              <th>Only of</th>
              <th>How</th>
            </tr>
          </thead>
          <tbody>
            {rates.map((rate, at) => (
              <Row
                key={`rate ${at}`}
                limit={rate}
                most={`${rate.calls} in ${exactSpan(rate.per_ms)}`}
                how={howOf(rate)}
              />
            ))}
            {concurrency.map((limit, at) => (
              <Row key={`places ${at}`} limit={limit} most={`${limit.calls} at a time`} how="" />
            ))}
          </tbody>
        </table>
      </Wide>
      <p class="soft">
        How much is left, each caller is told with its answers (<code>RateLimit</code>). Calls that were too
        many are among the faults, as <code>rate_limited</code> and <code>overloaded</code>.
      </p>
    </>
  );
}

function howOf({ algorithm, costs = {} }: LimitsStatus['rates'][number]): string {
  const dearer = Object.entries(costs).map(([pattern, cost]) => `${pattern} counts for ${cost}`);
  return [algorithm === 'bucket' ? 'room comes back evenly' : 'in any span of time', ...dearer].join('; ');
}

interface RowProps {
  readonly limit: CountedLimit;
  readonly most: string;
  readonly how: string;
}

function Row({ limit: { by, tools }, most, how }: RowProps): VNode {
  return (
    <tr>
      <td>{most}</td>
      <td>{by.length === 0 ? 'nothing: all together' : visible(by.join(', '))}</td>
      <td>{tools === undefined ? 'everything' : <Foreign text={tools.join(', ')} />}</td>
      <td class="what">
        <Foreign text={how} />
      </td>
    </tr>
  );
}
