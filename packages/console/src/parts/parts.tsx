/** What all pages are made of. */
import type { ComponentChildren, VNode } from 'preact';
import type { Trouble } from '../api/ask.ts';
import { linkTo } from '../place.ts';
import { ago } from '../text/times.ts';
import { counting, type Piece, piecesOf, piecesOfName, shortName, textOf, visible } from '../text/visible.ts';
import { now } from './clock.ts';

/** More would hold the page up. */
const MOST_PIECES = 1000;

/** Text from elsewhere: always text, and what cannot be seen is shown. */
export function Foreign({ text }: { readonly text: string }): VNode {
  return <Pieces of={piecesOf(text)} />;
}

/** A name from elsewhere, set apart from our words; two that differ look different. */
export function Name({ of }: { readonly of: string }): VNode {
  return (
    <code class="name">
      <Pieces of={piecesOfName(shortName(of))} />
    </code>
  );
}

function Pieces({ of: pieces }: { readonly of: readonly Piece[] }): VNode {
  if (pieces.length > MOST_PIECES) return <bdi>{counting(pieces)}</bdi>;
  return (
    <bdi>
      {pieces.map((piece) =>
        'text' in piece ? (
          piece.text
        ) : (
          <span class="odd" title="A character that cannot be seen, or looks like another one">
            {piece.odd}
          </span>
        ),
      )}
    </bdi>
  );
}

interface BoxProps {
  readonly label: string;
  /** What stands above it. */
  readonly head?: ComponentChildren;
  readonly dir?: 'ltr' | undefined;
  readonly children: ComponentChildren;
}

/** A box that scrolls. */
export function Box({ label, head, dir, children }: BoxProps): VNode {
  return (
    <section class="value" aria-label={label}>
      {head}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <pre tabIndex={0} dir={dir}>
        {children}
      </pre>
    </section>
  );
}

/** A table that may be wider than the window. */
export function Wide({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
    <section class="wide" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** A value from elsewhere, as a block. */
export function Block({ value, label }: { readonly value: unknown; readonly label: string }): VNode {
  return (
    <Box label={label}>
      <Foreign text={textOf(value)} />
    </Box>
  );
}

/** A time: how long ago; exactly in its title, or beside it for those who have no mouse. */
export function Time({ at, isExact }: { readonly at: string; readonly isExact?: boolean }): VNode {
  return (
    <time dateTime={at} title={visible(at)}>
      {visible(ago(at, now.value))}
      {isExact === true && `, ${visible(at)}`}
    </time>
  );
}

/** A kind of fault, which the reference explains. */
export function KindLink({ kind }: { readonly kind: string }): VNode {
  return (
    <a class="kind" href={linkTo('reference', kind)}>
      {visible(kind)}
    </a>
  );
}

/** What went wrong with the console itself: what happened, and what to do. */
export function Notice({ trouble }: { readonly trouble: Trouble | undefined }): VNode | null {
  if (trouble === undefined) return null;
  return (
    <p class="notice" role="alert">
      <strong>
        <Words of={trouble.what} />
      </strong>{' '}
      <Words of={trouble.advice} />
    </p>
  );
}

/** Words of ours, with commands between backticks. */
function Words({ of }: { readonly of: string }): VNode {
  const parts = visible(of).split('`');
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}

/** Nothing is there, and why that may be so. */
export function Empty({ children }: { readonly children: ComponentChildren }): VNode {
  return <p class="empty">{children}</p>;
}

/** Names and what they are; what is not known is left out. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }): VNode {
  return (
    <dl class="facts">
      {of
        .filter(([, what]) => what !== undefined && what !== null && what !== '')
        .map(([name, what]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{what}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Did it happen, in words. */
export function executedWords(executed: string | undefined): string | undefined {
  if (executed === 'no') return 'no: nothing was done';
  if (executed === 'maybe') return 'maybe: it may have been done';
  if (executed === 'yes') return 'yes: it was done';
  return executed;
}
