/** Arguments, for somebody who decides by them: none of them can look like another one, or push it out of sight unnamed. */
import type { VNode } from 'preact';
import { Foreign } from '../parts/parts.tsx';
import { counted } from '../text/times.ts';
import { withoutGaps } from './gaps.ts';

interface ArgumentsProps {
  readonly label: string;
  readonly of: unknown;
}

/** How many there are and what they are called, and then what they are. */
export function Arguments({ label, of }: ArgumentsProps): VNode {
  const names = typeof of === 'object' && of !== null && !Array.isArray(of) ? Object.keys(of) : [];
  const text = JSON.stringify(withoutGaps(of), undefined, 2) ?? '';
  return (
    <section class="value" aria-label={label}>
      {names.length > 0 && (
        <p class="soft">
          {counted(names.length, 'argument')}:{' '}
          {names.map((name, at) => (
            <span key={name}>
              {at > 0 && ', '}
              <Foreign text={name} />
            </span>
          ))}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <pre tabIndex={0} dir="ltr">
        {text.split(STRINGS).map((part, at) => (
          <Foreign key={at} text={part} />
        ))}
      </pre>
    </section>
  );
}

/** Each text stands for itself: one that is read from the right turns nothing around but itself. */
const STRINGS = /("(?:[^"\\]|\\.)*")/;
