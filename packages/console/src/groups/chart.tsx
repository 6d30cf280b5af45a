/** A small chart: how many, over time. */
import type { VNode } from 'preact';
import { counted } from '../text/times.ts';
import type { Bucket, Range } from './buckets.ts';

const HEIGHT = 60;
const BAR = 10;

/** Bars, and in words for whoever does not see them. */
export function Chart({
  buckets,
  range,
}: {
  readonly buckets: readonly Bucket[];
  readonly range: Range;
}): VNode {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const sum = buckets.reduce((all, { count }) => all + count, 0);
  const words = `${counted(sum, 'fault')} in the last ${range.name}, ${most} at most in one bar`;
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${buckets.length * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        {buckets.map(({ from, count }, index) => {
          const tall = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT);
          return (
            <rect
              key={from}
              class={count === 0 ? 'none' : 'some'}
              x={index * BAR + 1}
              y={HEIGHT - tall}
              width={BAR - 2}
              height={tall}
            >
              <title>{`${new Date(from).toLocaleString()}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>{words}</figcaption>
    </figure>
  );
}
