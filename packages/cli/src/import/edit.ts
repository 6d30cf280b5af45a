/** A client’s file with the gateway in the place of its servers; everything else stays as it was written. */
import { isDeepStrictEqual } from 'node:util';
import { parseDocument as parseYamlDocument, YAMLMap, YAMLSeq } from 'yaml';
import type { Client } from './clients.ts';
import { type ClientDocument, type Path, parseDocument } from './document.ts';
import { type Change, editJson } from './edit-json.ts';
import type { ListChange } from './named-lists.ts';
import { isObject, type Section } from './sections.ts';

/** What a client’s file is to become. */
export interface Edit {
  readonly section: Section;
  /** The servers that the gateway has taken over, by their paths. */
  readonly taken: readonly Path[];
  /** The entry of the gateway. */
  readonly name: string;
  readonly entry: { readonly [field: string]: unknown };
  readonly client: Client | undefined;
  /** Lists elsewhere in the file, as they are to be. */
  readonly lists: readonly ListChange[];
}

/** The new text; `undefined` where a change in place is not possible. */
export function editedText(text: string, document: ClientDocument, edit: Edit): string | undefined {
  const { section } = edit;
  if (document.format === 'json' && section.isList) return undefined;
  const changes = section.isList ? [] : changesOf(edit);
  const edited = document.format === 'yaml' ? editYaml(text, edit, changes) : editJson(text, changes);
  const expected = section.isList ? undefined : changes.reduce(changed, document.value);
  // Nobody’s file is written unless it says exactly what it should.
  const now = parseDocument(edited);
  if (now.problems.length > 0) return undefined;
  return expected === undefined || isDeepStrictEqual(bare(now.value), bare(expected)) ? edited : undefined;
}

/** First the new entry, so that no object is ever left empty on the way. */
function changesOf({ section, taken, name, entry, client, lists }: Edit): readonly Change[] {
  const off = client?.off;
  return [
    { path: [...section.path, name], value: entry },
    ...taken
      .filter((path) => path.at(-1) !== name)
      .map((path) =>
        off === undefined
          ? { path, value: undefined }
          : { path: [...path, Object.keys(off)[0] as string], value: Object.values(off)[0] as boolean },
      ),
    ...lists,
  ];
}

function editYaml(text: string, { section, taken, name, entry }: Edit, changes: readonly Change[]): string {
  const document = parseYamlDocument(text, { uniqueKeys: false });
  const list = document.getIn(section.path);
  for (const { path, value } of changes) {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  }
  if (section.isList && list instanceof YAMLSeq) {
    const isTaken = new Set(taken.map((path) => path.at(-1)));
    list.items = list.items.filter(
      (item, i) => !isTaken.has(i) && !(item instanceof YAMLMap && item.get('name') === name),
    );
    list.add(document.createNode({ name, ...entry }));
  }
  const written = document.toString({ lineWidth: 0 });
  return text.includes('\r\n') ? written.replaceAll(/\r?\n/g, '\r\n') : written;
}

/** The value with one change, as the file should say it. */
function changed(value: unknown, { path, value: wanted }: Change): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return wanted;
  const members = new Map(isObject(value) ? Object.entries(value) : []);
  const inner = changed(members.get(String(step)), { path: rest, value: wanted });
  if (inner === undefined) members.delete(String(step));
  else members.set(String(step), inner);
  return Object.fromEntries(members);
}

function bare(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
