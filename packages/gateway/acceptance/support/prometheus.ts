/** `/-/metrics` as a public parser reads it. */
import parse from 'parse-prometheus-text-format';
import type { Gateway } from './gateway.ts';
import { send } from './http.ts';

/** One sample. */
export interface Row {
  readonly value: string;
  readonly labels?: Record<string, string>;
}
interface Family {
  readonly name: string;
  readonly type: string;
  readonly metrics: readonly Row[];
}

/** The text itself. */
export async function metricsText(gateway: Gateway, key?: string): Promise<string> {
  return (await send(`${gateway.url}/-/metrics`, undefined, { key })).body;
}

/** The types of all families, by name. */
export async function types(gateway: Gateway, key?: string): Promise<Record<string, string>> {
  const families = parse(await metricsText(gateway, key)) as Family[];
  return Object.fromEntries(families.map(({ name, type }) => [name, type]));
}

/** All samples of this name. Where it knows the type, the parser makes one of all histograms of a name: so it is not told. */
export async function rows(gateway: Gateway, name: string, key?: string): Promise<readonly Row[]> {
  const families = parse((await metricsText(gateway, key)).replace(/^#.*\n/gm, '')) as Family[];
  return families.filter((each) => each.name === name).flatMap((each) => each.metrics);
}

/** The samples of this name, labels and value in one record. */
export async function told(gateway: Gateway, name: string, key?: string): Promise<Record<string, string>[]> {
  return (await rows(gateway, name, key)).map(({ labels, value }) => ({ ...labels, value }));
}
