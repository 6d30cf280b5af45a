/** Whose template a URI fits. */
import { setLast } from '@mayday/policy';

const MAX_TEMPLATES = 1000;

/** Remembers the templates of resources, the latest ones. */
export class Templates {
  readonly #known: Map<string, { readonly owner: string; readonly literals: readonly string[] }> = new Map();

  set(template: string, owner: string): void {
    setLast(this.#known, template, { owner, literals: template.split(/\{[^{}]*\}/) }, MAX_TEMPLATES);
  }

  /** Of several that these have, the one that says most about the URI. */
  ownerOf(uri: string, among: { has(owner: string): boolean }): string | undefined {
    let best: { readonly owner: string; readonly said: number } | undefined;
    for (const { owner, literals } of this.#known.values()) {
      const said = literals.join('').length;
      if (among.has(owner) && fits(uri, literals) && (best === undefined || said > best.said))
        best = { owner, said };
    }
    return best?.owner;
  }
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
