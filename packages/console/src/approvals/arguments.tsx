/** Arguments, for somebody who decides by them: none of them can look like another one, or push it out of sight unnamed. */
import type { VNode } from 'preact';
import { Box, Foreign, Name } from '../parts/parts.tsx';
import { counted } from '../text/times.ts';
import { withoutGaps } from './gaps.ts';

interface ArgumentsProps {
  readonly label: string;
  readonly of: unknown;
}

/** How many there are and what they are called, and then what they are. */
export function Arguments({ label, of }: ArgumentsProps): VNode {
  const names = typeof of === 'object' && of !== null && !Array.isArray(of) ? Object.keys(of) : [];
  const text = JSON.stringify(of, undefined, 2) ?? '';
  return (
    <Box label={label} head={names.length > 0 && <Names of={names} />} dir="ltr">
      {text.split(STRINGS).map((part, at) => (
        <Foreign key={at} text={at % 2 === 1 ? withoutGaps(part) : part} />
      ))}
    </Box>
  );
}

function Names({ of }: { readonly of: readonly string[] }): VNode {
  return (
    <p class="soft">
      {counted(of.length, 'argument')}:{' '}
      {of.map((name, at) => (
        <span key={name}>
          {at > 0 && ', '}
          <Name of={name} />
        </span>
      ))}
    </p>
  );
}

/** Each text stands for itself: one that is read from the right turns nothing around but itself. */
const STRINGS = /("(?:[^"\\]|\\.)*")/;
