/** What is judged: any engine, opened as the tests need it. */
import type { Bounds, Store, StoreOptions } from '@mayday/store';

/** A store, its other nodes, and its time. */
interface Subject {
  readonly store: Store;
  /** Another node on the same state. */
  another(): Promise<Store>;
  /** Lets time pass, for the store. */
  pass(ms: number): Promise<void>;
  /** How much time may pass by itself between two calls. */
  readonly slackMs: number;
  /** Where other processes find it; absent where none can. */
  readonly url: string | undefined;
  end(): Promise<void>;
}

/** Opens a fresh one. With `realTime` it goes by the clock of the machine, as other processes do. */
export type Open = (
  options?: Bounds & Pick<StoreOptions, 'secret'> & { readonly realTime?: boolean },
) => Promise<Subject>;

/** Texts that engines like to stumble over. */
export const HARD_NAMES: readonly string[] = [
  'plain',
  '',
  'a\0b',
  'a\0c',
  'a',
  '\u{1f6d1}',
  '\ud800',
  '\ud801',
  '\ufffd',
  "x'; DROP TABLE approvals; --",
  '%',
  '_',
  '*',
  '?',
  '[a-z]',
  '{tag}',
  '}{',
  'a:b',
  'a\r\nDEL x',
  '__proto__',
  'constructor',
  'é',
  'e\u0301',
  'x'.repeat(100_000),
  `${'x'.repeat(99_999)}y`,
];
