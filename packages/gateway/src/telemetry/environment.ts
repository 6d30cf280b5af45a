/** The variables of OpenTelemetry (`OTEL_…`), as far as they mean something here. One that is empty is not set. */
import type { Sampler } from './trace-context.ts';

/** Variables by name. */
export type Env = { readonly [name: string]: string | undefined };

/** Told of a value that means nothing here. */
export type Warn = (message: string) => void;

/** Reads one variable. */
export function variable(env: Env, name: string): string | undefined {
  const said = env[name]?.trim();
  return said === '' ? undefined : said;
}

/** Reads a variable that is a whole number. */
export function numberOf(env: Env, name: string, otherwise: number, warn: Warn, max = 2_147_483_647): number {
  const said = variable(env, name);
  if (said === undefined) return otherwise;
  const value = Number(said);
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  warn(`${name} is no whole number from 1 to ${max}; ${otherwise} holds`);
  return otherwise;
}

/** `name=value,name=value`, percent-encoded; a pair that is none is left out and told. */
export function pairsOf(env: Env, name: string, warn: Warn): { readonly [name: string]: string } {
  const found: { [name: string]: string } = {};
  for (const pair of variable(env, name)?.split(',') ?? []) {
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, at)).trim();
    const value = at < 1 ? undefined : decoded(pair.slice(at + 1).trim());
    if (key === '' || value === undefined) {
      if (pair.trim() !== '') warn(`${name} has a part that is no name=value; it is left out`);
    } else found[key] = value;
  }
  return found;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const DEFAULT_SAMPLER: Sampler = { isParentBased: true, ratio: 1 };

/** `OTEL_TRACES_SAMPLER` and its argument. */
export function samplerOf(env: Env, warn: Warn): Sampler {
  const name = variable(env, 'OTEL_TRACES_SAMPLER');
  const [, based, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name ?? '') ?? [];
  if (name !== undefined && kind === undefined)
    warn('OTEL_TRACES_SAMPLER has a value that is not known here; parentbased_always_on holds');
  if (kind === undefined) return DEFAULT_SAMPLER;
  const isParentBased = based !== undefined;
  if (kind !== 'traceidratio') return { isParentBased, ratio: kind === 'always_on' ? 1 : 0 };
  const said = variable(env, 'OTEL_TRACES_SAMPLER_ARG');
  const ratio = said === undefined ? 1 : Number(said);
  if (ratio >= 0 && ratio <= 1) return { isParentBased, ratio };
  warn('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1; 1 holds');
  return { isParentBased, ratio: 1 };
}

/** What is read from callers and passed on. */
export interface Propagation {
  readonly traceContext: boolean;
  readonly baggage: boolean;
}

/** `OTEL_PROPAGATORS`. */
export function propagationOf(env: Env, warn: Warn): Propagation {
  const said = variable(env, 'OTEL_PROPAGATORS');
  if (said === undefined) return { traceContext: true, baggage: true };
  const named = said.split(',').map((name) => name.trim());
  if (named.some((name) => !['tracecontext', 'baggage', 'none'].includes(name)))
    warn('OTEL_PROPAGATORS has a value that is not known here; tracecontext, baggage and none are');
  return { traceContext: named.includes('tracecontext'), baggage: named.includes('baggage') };
}

/** Whether a signal is exported, as `OTEL_TRACES_EXPORTER` and `OTEL_METRICS_EXPORTER` have it. */
export function exportersOf(env: Env, name: string, known: readonly string[], warn: Warn): readonly string[] {
  const named = (variable(env, name) ?? '').split(',').map((one) => one.trim());
  const unknown = named.filter((one) => one !== '' && one !== 'none' && !known.includes(one));
  if (unknown.length > 0)
    warn(`${name} has a value that is not known here; ${known.join(', ')} and none are`);
  return named;
}
