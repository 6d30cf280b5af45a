/** Upstreams into `mayday.yaml`, beside what is there. */
import { isDeepStrictEqual } from 'node:util';
import { parseYaml, type SettingsProblem, type UpstreamFile } from '@mayday/gateway';
import { Document, isMap, parseDocument } from 'yaml';
import { firstName, upstreamName } from './names.ts';
import { isObject } from './sections.ts';

/** An upstream that is wanted, under the name that its client has for it. */
export interface Wanted {
  readonly name: string;
  readonly entry: UpstreamFile;
}

/** Where an upstream is now. */
export interface Placed extends Wanted {
  /** The name that it has here. */
  readonly here: string;
  /** It was there already. */
  readonly isOld: boolean;
}

/** What the file holds now. */
export interface Merged {
  readonly text: string;
  readonly placed: readonly Placed[];
  /** What is wrong with the file that was there; then nothing was done. */
  readonly problems: readonly SettingsProblem[];
}

const HEADER = ' yaml-language-server: $schema=./node_modules/@mayday/gateway/schema/config.schema.json';

type Upstreams = { readonly [name: string]: unknown };

/** The upstreams that a file has; none when there is no file. */
export function upstreamsIn(text: string | undefined): Upstreams {
  return mapping(text === undefined ? undefined : parseYaml(text).value, 'upstreams');
}

function mapping(value: unknown, name: string): Upstreams {
  const held = isObject(value) ? value[name] : undefined;
  return isObject(held) ? held : {};
}

/** The text with all that are wanted: one that is the same is not added, one that is another gets a name of its own. */
export function mergeUpstreams(
  text: string | undefined,
  wanted: readonly Wanted[],
  /** The file that they come from: a new file says so. */
  from?: string,
  /** Nobody else has what the file holds: what has a name that is wanted is renewed. */
  isAlone = false,
): Merged {
  const old = text === undefined || text.trim() === '' ? undefined : parseYaml(text);
  const problems = old === undefined ? [] : [...old.problems, ...misfit(old.value)];
  if (problems.length > 0) return { text: text ?? '', placed: [], problems };
  const others = new Set(Object.keys(mapping(old?.value, 'virtual')));
  const placed = place(wanted, upstreamsIn(text), others, isAlone);
  const added = placed.filter(({ isOld }) => !isOld);
  if (added.length === 0) return { text: text ?? '', placed, problems };
  return { text: withUpstreams(text, added, from), placed, problems };
}

function misfit(value: unknown): readonly SettingsProblem[] {
  const upstreams = isObject(value) ? value['upstreams'] : undefined;
  const isWrong = !(value === null || isObject(value)) || !(upstreams == null || isObject(upstreams));
  return isWrong
    ? [{ line: 1, path: '', message: 'Expected settings with their names; mend the file first' }]
    : [];
}

/** `others`: the names of what else is served. */
function place(
  wanted: readonly Wanted[],
  upstreams: Upstreams,
  others: ReadonlySet<string>,
  isAlone: boolean,
): readonly Placed[] {
  const taken = new Set<string>(others);
  return wanted.map(({ name, entry }) => {
    const isSame = (tried: string): boolean =>
      Object.hasOwn(upstreams, tried) && isDeepStrictEqual(plain(upstreams[tried]), plain(entry));
    const here = firstName(
      upstreamName(name),
      (tried) => !taken.has(tried) && (isAlone || isSame(tried) || !Object.hasOwn(upstreams, tried)),
    );
    taken.add(here);
    return { name, entry, here, isOld: isSame(here) };
  });
}

/** What is left after JSON: comparisons must not depend on who made an object. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

/** The line by which an import knows the file that it has written for a client’s file. */
function markOf(from: string): string {
  return ` imported from ${from.replaceAll(/\p{Cc}/gu, '?')}`;
}

/** Was this file made by an import of that one? Then it is for nobody else. */
export function isMadeFrom(text: string, from: string): boolean {
  return text.split(/\r?\n/).includes(`#${markOf(from)}`);
}

function withUpstreams(text: string | undefined, added: readonly Placed[], from: string | undefined): string {
  const isNew = text === undefined || text.trim() === '';
  const document = isNew ? new Document({ upstreams: {} }) : parseDocument(text, { uniqueKeys: false });
  if (isNew) document.commentBefore = from === undefined ? HEADER : `${HEADER}\n${markOf(from)}`;
  const upstreams = document.get('upstreams');
  if (!isMap(upstreams) || upstreams.items.length === 0)
    document.set('upstreams', document.createNode({}, { flow: false }));
  for (const { here, entry } of added) document.setIn(['upstreams', here], document.createNode(entry));
  const written = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  return text?.includes('\r\n') ? written.replaceAll(/\r?\n/g, '\r\n') : written;
}
