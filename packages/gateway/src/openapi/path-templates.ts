/** Paths of a document as they are called: what a template puts into the query is an argument of the query. Runs in a worker. */
import { decoded } from '../decoded.ts';
import { PartProblem } from './references.ts';

/** A path, taken apart. */
export interface PathTemplates {
  /** As it is called: `/orders/{id}?fixed=1`, with templates before the query alone. */
  readonly path: string;
  /** What the templates in it name. */
  readonly names: ReadonlySet<string>;
  /** Names in the query whose values the path says itself. */
  readonly fixed: ReadonlySet<string>;
  /** What the others put into the query. */
  readonly inQuery: readonly QueryTemplate[];
}

/** `key={name}` in a query, or a name in `{?name}`. */
export interface QueryTemplate {
  readonly key: string;
  readonly name: string;
  readonly isOptional: boolean;
}

/** `{?a,b}` and `{&a}` of RFC 6570, as some frameworks write them. */
const OF_THE_QUERY = /\{[?&]([^{}]*)\}/g;
const PAIR = /^([^={}]+)=\{([^{}]+)\}$/;

/** Takes a path apart. Throws a {@link PartProblem} where something of it would go out as it is written. */
export function readPath(said: string): PathTemplates {
  const inQuery: QueryTemplate[] = [];
  const plain = said.replace(OF_THE_QUERY, (_all, names: string) => {
    for (const name of names.split(',').map(templateName))
      inQuery.push({ key: name, name, isOptional: true });
    return '';
  });
  const [beforeQuery = '', query = ''] = (plain.split('#')[0] ?? '').split(/\?(.*)/s);
  const fixed: string[] = [];
  for (const pair of query.split('&')) {
    const [, key, name] = PAIR.exec(pair) ?? [];
    if (key !== undefined && name !== undefined)
      inQuery.push({ key: decoded(key), name: templateName(name), isOptional: false });
    else if (pair !== '') fixed.push(pair);
  }
  const names = new Set(
    [...beforeQuery.matchAll(TEMPLATE)].map(([, template = '']) => templateName(template)),
  );
  if (/[{}]/.test(beforeQuery.replace(TEMPLATE, '') + fixed.join(''))) throw unfilled();
  const search = fixed.join('&');
  return {
    path: search === '' ? beforeQuery : `${beforeQuery}?${search}`,
    names,
    fixed: new Set(new URLSearchParams(search).keys()),
    inQuery,
  };
}

const TEMPLATE = /\{([^{}]+)\}/g;

/** The name in `{name}`, `{+name}` and `{name*}`. */
export function templateName(template: string): string {
  return template.replace(/^\+|[+*]$/g, '');
}

/** May a template be called so, where nothing declares it? What is more than a name means more: `{/a*}`, `{a,b}`, `{id:int}`. */
export function isPlainName(name: string): boolean {
  return /^[^.,:;=&|!/+*][^,:;=&|!/+*]*$/.test(name);
}

/** What is wrong with a path that no arguments can fill in. */
export function unfilled(): PartProblem {
  return new PartProblem('a template in its path cannot be filled in');
}
