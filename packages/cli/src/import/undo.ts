/** An import that is undone: the client’s file as it was before, from the copy that was kept. */
import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Io } from '../io/io.ts';
import { harmless } from '../style.ts';
import { UsageError } from '../usage-error.ts';
import type { Client } from './clients.ts';
import { isOurs } from './convert.ts';
import { type Path, parseDocument } from './document.ts';
import { editedText } from './edit.ts';
import { editJson } from './edit-json.ts';
import { newestCopy, readFileText, refuseReadOnly, replaceFiles } from './files.ts';
import type { FoundFile } from './find-file.ts';
import { exchangedLists } from './named-lists.ts';
import { upstreamName } from './names.ts';
import { filesNamed } from './own-file.ts';
import { clientAt, type Machine } from './places.ts';
import { sectionText, tellDiff } from './report.ts';
import { type FoundServer, isObject, sectionsOf } from './sections.ts';

/** How it is to be undone. */
export interface UndoOptions {
  /** Also where the file was changed since. */
  readonly isForced: boolean;
  /** Nothing is written. */
  readonly isDry: boolean;
  /** For the name of the copy of what there is now. */
  readonly stamp: string;
}

/** Gives the newest copy back, and takes it away: it is the file again. What was there now is kept beside it. */
export async function undoImport(
  found: FoundFile,
  machine: Machine,
  { isForced, isDry, stamp }: UndoOptions,
  io: Pick<Io, 'note'>,
): Promise<void> {
  const { path, copy, now, before } = await filesOfImport(found);
  const client = clientAt(path, machine)?.client;
  if (now === before) {
    io.note(harmless(`nothing to undo: ${path} is as it was before the import`));
    return;
  }
  const { cwd } = machine;
  tellDiff(path, textOf(now, cwd), textOf(before, cwd), (line) => io.note(line));
  const text = isForced ? before : undone(now, before, client, cwd);
  const isWhole = text === undefined || text === before;
  for (const name of otherMembers(now, before, cwd))
    io.note(harmless(`${path}: ${JSON.stringify(name)} is different, too${isWhole ? '' : ', and stays'}`));
  if (text === undefined)
    throw new UsageError(
      `${path} was changed since; nothing was changed${whyNotInPart(now, before)}. Take the changes back, or give back all of ${copy} with --force`,
    );
  if (isDry) return;
  await refuseReadOnly(path);
  const file = { path, before: now, text, hasNewSecrets: false };
  for (const written of await replaceFiles([file], stamp, 'undone'))
    io.note(`written: ${written.path} (before: ${written.copy})`);
  if ((await readFileText(path)) === text) await rm(copy, { force: true });
  for (const note of await twiceServed(text, now, cwd)) io.note(harmless(note));
  for (const started of filesNamed(now, cwd).filter((one) => !filesNamed(before, cwd).includes(one)))
    io.note(
      harmless(
        `${client?.title ?? path} does not start from ${started} any more; delete it if nobody else does`,
      ),
    );
}

/** Why the servers alone are not given back, where that is for the form of the file. */
function whyNotInPart(now: string, before: string): string {
  const isReadable = [now, before].every((text) => parseDocument(text).problems.length === 0);
  if (!isReadable || (isJson(now) && isJson(before))) return '';
  return parseDocument(now).format === 'yaml'
    ? ': of YAML only the whole file is given back'
    : ': it has comments or trailing commas, which would be lost if only its servers were given back';
}

/** Servers that are the client's own again, and that it starts through the gateway as well. */
async function twiceServed(text: string, now: string, cwd: string): Promise<readonly string[]> {
  const namesIn = (said: string): readonly string[] =>
    (sectionsOf(parseDocument(said).value, cwd)[0]?.servers ?? []).map(({ name }) => name);
  const back = namesIn(text).filter((name) => !namesIn(now).includes(name));
  const notes: string[] = [];
  for (const file of filesNamed(text, cwd)) {
    const { value } = parseDocument((await readFileText(file)) ?? '');
    const held = isObject(value) && isObject(value['upstreams']) ? Object.keys(value['upstreams']) : [];
    const twice = back.filter((name) => held.includes(upstreamName(name)));
    if (twice.length > 0)
      notes.push(
        `${twice.join(', ')}: also in ${file}, which the client still starts from, so that it has it twice; take it out of there`,
      );
  }
  return notes;
}

interface Imported {
  readonly path: string;
  readonly copy: string;
  readonly now: string;
  readonly before: string;
}

/** Of several files of a client, the first of which an import has made a copy. */
async function filesOfImport({ path: first, others }: FoundFile): Promise<Imported> {
  for (const path of [first, ...others]) {
    const copy = await newestCopy(path);
    const now = await readFileText(path);
    const before = copy === undefined ? undefined : await readFileText(copy);
    if (copy !== undefined && now !== undefined && before !== undefined) return { path, copy, now, before };
  }
  throw new UsageError(`${first} has no copy that an import made; nothing to undo`);
}

/**
 * The text without the import: the earlier one, where nothing else was written since. Clients write their own state into
 * the same file: that stays, where what the import has changed is still as it left it.
 */
function undone(now: string, before: string, client: Client | undefined, cwd: string): string | undefined {
  const made = madeOf(now, before, client, cwd);
  if (made.some(({ text }) => text === now)) return before;
  // Comments among the entries would be lost.
  if (!isJson(now) || !isJson(before)) return undefined;
  const [new_, old] = [parseDocument(now).value, parseDocument(before).value];
  const found = made.find(({ text, paths }) => isSameAt(paths, parseDocument(text).value, new_));
  if (found === undefined) return undefined;
  const changes = found.paths.map((path) => ({ path, value: valueAt(old, path) }));
  const text = editJson(now, changes);
  return isJson(text) && isSameAt(found.paths, parseDocument(text).value, old) ? text : undefined;
}

/** What an import makes of a text, and where it changes it. */
interface Made {
  readonly text: string;
  readonly paths: readonly Path[];
}

/** What an import can have made of the earlier text, for each entry of ours that there is now. */
function madeOf(now: string, before: string, client: Client | undefined, cwd: string): readonly Made[] {
  const [new_, old] = [parseDocument(now), parseDocument(before)];
  if (new_.problems.length > 0 || old.problems.length > 0) return [];
  const [section] = sectionsOf(old.value, cwd);
  const [there] = sectionsOf(new_.value, cwd);
  if (section === undefined || there === undefined) return [];
  const taken = section.servers.filter((server) => isTaken(server, there.servers, client));
  const names = new Set(taken.map((one) => one.name));
  // An entry that was there already may be the one: a later import finds it, and mostly leaves it as it is.
  const ours = there.servers.filter(({ value }) => isObject(value) && isOurs(value));
  return ours.flatMap((one) => {
    const { name } = one;
    const entry = entryAt(new_.value, one, there.isList);
    const lists = exchangedLists(old.value, { taken: names, name });
    const edit = { section, taken: taken.map(({ path }) => path), name, entry, client, lists };
    const text = editedText(before, old, edit);
    return text === undefined ? [] : [{ text, paths: [section.path, ...lists.map(({ path }) => path)] }];
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isSameAt(paths: readonly Path[], one: unknown, other: unknown): boolean {
  return paths.every((path) => isSame(valueAt(one, path), valueAt(other, path)));
}

/** Was it put out of use? */
function isTaken(
  { name, value }: FoundServer,
  there: readonly FoundServer[],
  client: Client | undefined,
): boolean {
  const now = there.find((one) => one.name === name);
  if (now === undefined || !isObject(value)) return now === undefined;
  if (isObject(now.value) && isOurs(now.value)) return !isOurs(value);
  return (
    client?.off !== undefined && !isSame(now.value, value) && isSame(now.value, { ...value, ...client.off })
  );
}

/** The entry as it is written, whatever form it is in. */
function entryAt(
  value: unknown,
  { path }: FoundServer,
  isList: boolean,
): { readonly [field: string]: unknown } {
  const found = valueAt(value, path);
  if (!isObject(found)) return {};
  const { name: _name, ...rest } = found;
  return isList ? rest : found;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      isObject(at) || Array.isArray(at) ? (at as { [step: string]: unknown })[String(step)] : undefined,
    value,
  );
}

/** The servers, as far as the text can be read. */
function textOf(text: string, cwd: string): string {
  return parseDocument(text).problems.length > 0 ? '' : sectionText(text, cwd);
}

/** Members of the file that differ and do not hold the servers, which are shown. */
function otherMembers(now: string, before: string, cwd: string): readonly string[] {
  const [new_, old] = [parseDocument(now), parseDocument(before)];
  const shown = sectionsOf(old.value, cwd)[0]?.path[0];
  if (!isObject(new_.value) || !isObject(old.value)) return [];
  const values = { new: new_.value, old: old.value };
  const names = new Set([...Object.keys(values.new), ...Object.keys(values.old)]);
  return [...names].filter((name) => name !== shown && !isSame(values.new[name], values.old[name]));
}

/** Comparisons must not depend on who made an object. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
