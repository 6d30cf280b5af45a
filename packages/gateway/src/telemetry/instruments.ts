/** What is counted and measured, under names that are known beforehand and with a bounded number of labels. */

/** What an instrument is. */
export interface InstrumentInit {
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  /** As UCUM has it. */
  readonly unit: string;
  readonly about: string;
  readonly labels: readonly string[];
}

/** One combination of labels. */
export interface Series {
  /** Beside each name of the instrument; `undefined` where the label is absent. */
  readonly labels: readonly Label[];
  /** Too many others were there before: this stands for all of the rest. */
  readonly isOverflow: boolean;
  value: number;
  /** Of a histogram. */
  count: number;
  readonly buckets: number[];
}

/** The value of a label. */
export type Label = string | number | undefined;

/** As the semantic conventions for MCP recommend, in seconds. */
export const BUCKETS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** As many as the specification of OpenTelemetry recommends; the last one is for all others. */
const MAX_SERIES = 2000;

/** Counts or measures one thing. */
export class Instrument {
  readonly init: InstrumentInit;
  readonly #series: Map<string, Series> = new Map();
  #overflow: Series | undefined;

  constructor(init: InstrumentInit) {
    this.init = init;
  }

  /** Adds to a counter. */
  add(amount: number, labels: readonly Label[] = []): void {
    this.#at(labels).value += amount;
  }

  /** Says how much it is now. */
  set(value: number, labels: readonly Label[] = []): void {
    this.#at(labels).value = value;
  }

  /** Puts a measurement into its bucket. `key` is any text that is the same for the same labels, and for no others. */
  record(seconds: number, labels: readonly Label[], key?: string): void {
    const series = this.#at(labels, key);
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket++;
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
    series.count += 1;
    series.value += seconds;
  }

  /** Forgets all: what is observed is observed anew each time. */
  clear(): void {
    this.#series.clear();
    this.#overflow = undefined;
  }

  /** All there are. */
  all(): readonly Series[] {
    return this.#overflow === undefined
      ? [...this.#series.values()]
      : [...this.#series.values(), this.#overflow];
  }

  #at(labels: readonly Label[], key: string = labels.join('\0')): Series {
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size >= MAX_SERIES - 1) {
      this.#overflow ??= this.#create([], true);
      return this.#overflow;
    }
    const series = this.#create([...labels], false);
    this.#series.set(key, series);
    return series;
  }

  #create(labels: readonly Label[], isOverflow: boolean): Series {
    const buckets = this.init.kind === 'histogram' ? new Array<number>(BUCKETS.length + 1).fill(0) : [];
    return { labels, isOverflow, value: 0, count: 0, buckets };
  }
}

/** The label of the series that stands for all that were too many. */
const OVERFLOW = 'otel.metric.overflow';

/** The labels of a series that it has, with their names. */
export function labelled(
  { init }: Instrument,
  series: Series,
): readonly (readonly [string, string | number])[] {
  if (series.isOverflow) return [[OVERFLOW, 'true']];
  return init.labels.flatMap((name, i) => {
    const value = series.labels[i];
    return value === undefined ? [] : [[name, value] as const];
  });
}
