/** The metrics of all workers in one text: each series names its worker, because each begins at zero by itself. */
import type { Said } from './questions.ts';

const SERIES = /^([A-Za-z_:][\w:]*)(\{)?/;

/** Puts texts of Prometheus together. What belongs to one metric stands together, as the format has it. */
export function mergeMetrics(all: readonly Said<string>[]): string {
  const families = new Map<string, string[]>();
  for (const { worker, said } of all) {
    let family: string[] = [];
    for (const line of said.split('\n')) {
      if (line === '') continue;
      if (line.startsWith('# HELP ')) {
        family = families.get(line) ?? [];
        families.set(line, family);
      } else if (!line.startsWith('#')) family.push(ofWorker(line, worker));
      else if (!family.includes(line)) family.push(line);
    }
  }
  const lines = [...families].flatMap(([help, rest]) => [help, ...rest]);
  return `${lines.join('\n')}\n`;
}

function ofWorker(series: string, worker: number): string {
  return series.replace(SERIES, (_, name: string, brace: string | undefined) =>
    brace === undefined ? `${name}{worker="${worker}"}` : `${name}{worker="${worker}",`,
  );
}
