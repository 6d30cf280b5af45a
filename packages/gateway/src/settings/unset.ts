/** Upstreams whose settings name variables that are not set: they cannot be used, and the others can. */
import { expandEnv, type Variables } from './env.ts';
import type { Path } from './problems.ts';
import { isMapping } from './values.ts';

/** What was written, readable without the variables, and what it lacks. */
export interface SetAside {
  readonly written: unknown;
  readonly unset: readonly Unset[];
}

/** A variable that is not set, and the setting that needs it. */
interface Unset {
  readonly upstream: string;
  readonly path: Path;
  readonly name: string;
}

/** What tells the form of an upstream stays, though it leads nowhere. */
const STAND_INS: { readonly [form: string]: string } = {
  command: 'unset',
  openapi: 'unset',
  url: 'http://unset.invalid/',
};

/** Takes such settings out of the upstreams that have them. */
export function setAside(written: unknown, env: Variables): SetAside {
  const upstreams = isMapping(written) ? written['upstreams'] : undefined;
  const unset: Unset[] = [];
  if (!isMapping(upstreams)) return { written, unset };
  const left: { [name: string]: unknown } = { ...upstreams };
  for (const [upstream, entry] of Object.entries(upstreams)) {
    const found: { readonly path: Path; readonly name: string }[] = [];
    let isWrong = false; // what else is wrong is told where all of it is read
    expandEnv(entry, env, (path, _message, name) => {
      if (name === undefined || path.length === 0) isWrong = true;
      else found.push({ path, name });
    });
    if (isWrong || found.length === 0) continue;
    left[upstream] = without(
      entry,
      found.map(({ path }) => path),
    );
    for (const { path, name } of found)
      unset.push({ upstream, path: ['upstreams', upstream, ...path], name });
  }
  return { written: { ...(written as object), upstreams: left }, unset };
}

function without(entry: unknown, paths: readonly Path[]): unknown {
  const copy: unknown = structuredClone(entry);
  for (const path of paths) {
    const [last = ''] = path.slice(-1);
    const holder = path
      .slice(0, -1)
      .reduce((value, step) => (value as Holder)[step] as Holder, copy as Holder);
    if (Array.isArray(holder)) holder[Number(last)] = 'unset';
    else if (path.length === 1 && Object.hasOwn(STAND_INS, last)) holder[last] = STAND_INS[last];
    else delete holder[last];
  }
  return copy;
}

type Holder = { [step: string | number]: unknown };
