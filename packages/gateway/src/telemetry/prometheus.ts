/** Metrics as Prometheus reads them: text format 0.0.4, names as OpenTelemetry's rules for it make them. */
import { BUCKETS, type Instrument, labelled, type Series } from './instruments.ts';

const UNITS: { readonly [unit: string]: string } = { s: '_seconds', By: '_bytes' };

/** The name of a metric in Prometheus. */
function prometheusName({ init: { name, kind, unit } }: Instrument): string {
  const base = `${toName(name)}${UNITS[unit] ?? ''}`;
  if (kind === 'counter') return `${base}_total`;
  return kind === 'gauge' && unit === '1' ? `${base}_ratio` : base;
}

/** All metrics as text; `about` is what is true of all of them. */
export function toPrometheus(
  instruments: readonly Instrument[],
  about: readonly (readonly [string, string])[],
): string {
  const lines = [
    '# HELP target_info What is true of all metrics here.',
    '# TYPE target_info gauge',
    `target_info${inBraces(written(about))} 1`,
  ];
  for (const instrument of instruments) {
    const all = instrument.all();
    if (all.length === 0) continue;
    const name = prometheusName(instrument);
    lines.push(`# HELP ${name} ${instrument.init.about}`, `# TYPE ${name} ${instrument.init.kind}`);
    for (const series of all) lines.push(...linesOf(name, instrument, series));
  }
  return `${lines.join('\n')}\n`;
}

function linesOf(name: string, instrument: Instrument, series: Series): readonly string[] {
  // Written once: a histogram has many lines with the same labels.
  const labels = written(labelled(instrument, series));
  if (instrument.init.kind !== 'histogram') return [`${name}${inBraces(labels)} ${toNumber(series.value)}`];
  const begin = `${name}_bucket{${labels === '' ? '' : `${labels},`}le="`;
  let below = 0;
  const buckets = series.buckets.map((count, i) => {
    below += count;
    const limit = BUCKETS[i];
    const le = limit === undefined ? '+Inf' : String(limit);
    return `${begin}${le}"} ${below}`;
  });
  return [
    ...buckets,
    `${name}_sum${inBraces(labels)} ${toNumber(series.value)}`,
    `${name}_count${inBraces(labels)} ${series.count}`,
  ];
}

function toName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}

function written(labels: readonly (readonly [string, string | number])[]): string {
  return labels.map(([name, value]) => `${toName(name)}="${escaped(String(value))}"`).join(',');
}

function inBraces(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function escaped(text: string): string {
  return text.replace(/[\\"\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`));
}

function toNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
