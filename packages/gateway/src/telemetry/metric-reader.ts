/** Metrics on their way out: all of them, every so often. They are cumulative, so the next ones make good for lost ones. */
import type { Instrument } from './instruments.ts';
import type { Measures } from './measures.ts';
import { metricsMessage, type Origin } from './otlp-messages.ts';
import type { OtlpSender } from './otlp-sender.ts';
import type { Outage } from './outage.ts';

/** How they are sent. */
export interface MetricReaderOptions {
  readonly intervalMs: number;
  /** Looks at everything that is only looked at, and gives all there is. */
  readonly collect: () => Promise<readonly Instrument[]>;
  readonly sender: OtlpSender;
  readonly origin: Origin;
  readonly startedAt: number;
  readonly outage: Outage;
  readonly measures: Measures;
}

/** Sends metrics from now on. */
export interface MetricReader {
  /** Sends them once more, until this time (`performance.now()`) at most. */
  flush(until: number): Promise<void>;
}

/** Begins to send. */
export function startMetricReader(options: MetricReaderOptions): MetricReader {
  const { collect, sender, origin, startedAt, outage, measures } = options;
  let sending: Promise<void> | undefined;

  async function send(until: number): Promise<void> {
    const message = metricsMessage(await collect(), origin, startedAt, Date.now());
    const left = until - performance.now();
    const sent = left <= 0 ? undefined : await sender.send(message, left);
    if (sent?.ok === true) {
      measures.exported.add(1, ['metrics']);
      outage.passed('metrics');
      return;
    }
    measures.lost.add(1, ['metrics']);
    if (sent !== undefined) outage.failed('metrics', sent.why, 1);
  }

  const start = (until: number): Promise<void> => {
    sending ??= send(until)
      .catch(() => undefined) // whatever is wrong with what was collected, calls go on
      .finally(() => {
        sending = undefined;
      });
    return sending;
  };
  const timer = setInterval(() => void start(Number.POSITIVE_INFINITY), options.intervalMs).unref();

  return {
    async flush(until) {
      clearInterval(timer);
      await sending;
      await start(until);
    },
  };
}
