/** Whose template a URI fits. */
import { setLast } from '@mayday/policy';

const MAX_TEMPLATES = 1000;

interface Known {
  readonly literals: readonly string[];
  readonly owners: ReadonlySet<string>;
}

/** Remembers the templates of resources, the latest ones, and all who have them. */
export class Templates {
  readonly #known: Map<string, Known> = new Map();

  set(template: string, owner: string): void {
    const before = this.#known.get(template);
    const owners = new Set(before?.owners).add(owner);
    setLast(
      this.#known,
      template,
      { literals: before?.literals ?? literalsOf(template), owners },
      MAX_TEMPLATES,
    );
  }

  /** Of several that these have, the first's; of a template itself, the first's that has it. `among`: in the order of the file. */
  ownerOf(uri: string, among: ReadonlyMap<string, unknown> | ReadonlySet<string>): string | undefined {
    const same = this.#known.get(uri);
    const fitting = [...this.#known.values()].filter(({ literals }) => fits(uri, literals));
    const upstreams = [...among.keys()];
    return (
      upstreams.find((upstream) => same?.owners.has(upstream)) ??
      upstreams.find((upstream) => fitting.some(({ owners }) => owners.has(upstream)))
    );
  }
}

/** May a URI fit both? Told by one of each, as short as it can be: a template that begins or ends otherwise takes others. */
export function overlap(one: string, other: string): boolean {
  return one === other || fitsAny(one, other) || fitsAny(other, one);
}

function fitsAny(template: string, other: string): boolean {
  return fits(literalsOf(template).join('x'), literalsOf(other));
}

function literalsOf(template: string): readonly string[] {
  return template.split(/\{[^{}]*\}/);
}

/** What a template says literally must stand in the URI, in its order; what stands between is the server's affair. */
function fits(uri: string, [first = '', ...rest]: readonly string[]): boolean {
  if (rest.length === 0) return uri === first;
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  for (const literal of rest.slice(0, -1)) {
    const found = uri.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  const last = rest.at(-1) ?? '';
  return uri.length - at >= last.length && uri.endsWith(last);
}
