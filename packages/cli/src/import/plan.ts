/** What an import would do: the texts that files are to have, and what the user should know. Writes nothing. */

import { dirname } from 'node:path';
import type { SettingsProblem } from '@mayday/gateway';
import type { Answers } from './asking.ts';
import { mistakesIn } from './check.ts';
import { type Conversion, type ConvertContext, convertServer, isOurs } from './convert.ts';
import { parseDocument } from './document.ts';
import { editedText } from './edit.ts';
import { secretsOf } from './mask.ts';
import { isMadeFrom, mergeUpstreams, type Placed, upstreamsIn } from './merge.ts';
import { exchangedLists, oldNames } from './named-lists.ts';
import { firstName } from './names.ts';
import { variablesIn } from './needed-variables.ts';
import { OPENCODE_LIMIT, toOpencode } from './opencode.ts';
import { longestLimit } from './patience.ts';
import type { Known } from './places.ts';
import { isOfProcess } from './process-variables.ts';
import { isNeeded, type Variables } from './references.ts';
import { type FoundServer, isObject, type Section, sectionsOf, tooMany } from './sections.ts';

/** What an import starts from. */
export interface ImportInput {
  /** The client’s file: where it is, and what it says. */
  readonly from: string;
  readonly text: string;
  readonly known: Known | undefined;
  /** The absolute path of `mayday.yaml`, and what it says; nothing when it is not there. */
  readonly to: string;
  readonly yaml: string | undefined;
  readonly home: string;
  readonly cwd: string;
  /** The words that start this program. */
  readonly launch: readonly string[];
  /** What servers said when they were asked. */
  readonly answers?: Answers | undefined;
}

/** A sentence about a line of the client’s file. */
interface Told {
  readonly line: number;
  readonly message: string;
}

/** What is to be done. */
export interface ImportPlan {
  /** Mistakes in the client’s file, or in `mayday.yaml`; then nothing is to be done. */
  readonly problems: readonly SettingsProblem[];
  readonly yamlProblems: readonly SettingsProblem[];
  /** `mayday.yaml` as it is to be. */
  readonly yaml: string | undefined;
  /** The client’s file as it is to be; `undefined` when it has to be changed by hand. */
  readonly text: string | undefined;
  readonly placed: readonly Placed[];
  readonly told: readonly Told[];
  /** The entry by which the client is to start the gateway. */
  readonly entry: { readonly [field: string]: unknown };
  /** Whether there were servers, any that the gateway can serve, and any that it does not serve already. */
  readonly state: 'none' | 'left' | 'old' | 'new';
  /** The variables that the new entry passes on. */
  readonly variables: readonly string[];
  /** Those of them that have to be in the environment. */
  readonly needed: readonly string[];
  /** Servers that were in the file already and that this client has not had. */
  readonly besides: readonly string[];
  /** Variables of servers that were there before: this client has no words for them. */
  readonly missing: readonly string[];
  /** Where secrets are held, such as `upstreams.github.env.GITHUB_TOKEN`. */
  readonly secrets: readonly string[];
}

interface Converted {
  readonly server: FoundServer;
  readonly conversion: Conversion;
  readonly line: number;
}

/** Plans an import. Total: whatever is wrong is a problem. */
export function planImport(input: ImportInput): ImportPlan {
  const document = parseDocument(input.text);
  const nothing: ImportPlan = {
    problems: document.problems,
    yamlProblems: [],
    yaml: input.yaml,
    text: input.text,
    placed: [],
    told: [],
    entry: {},
    state: 'none',
    variables: [],
    needed: [],
    besides: [],
    missing: [],
    secrets: [],
  };
  if (document.problems.length > 0) return nothing;
  const [section, ...others] = sectionsOf(document.value, input.cwd);
  if (section === undefined) return nothing;
  const crowd = tooMany(section, document.lineOf);
  if (crowd !== undefined) return { ...nothing, problems: [crowd] };
  const variables: Variables = passedOnBefore(section, input.to);
  const context = contextOf(input);
  const converted = section.servers.map((server) => ({
    server,
    conversion: convertServer(server, context, variables),
    line: document.lineOf(server.path),
  }));
  const isOld = converted.some(({ conversion }) => conversion.type === 'ours');
  // Made for this client, which does not use it any more: it was put back, and may have changed since.
  const isAlone = !isOld && isMadeFrom(input.yaml ?? '', input.from);
  const merged = mergeUpstreams(input.yaml, wantedOf(converted), input.from, isAlone);
  const told = [...toldOf(converted, merged.placed, input), ...toldOfOthers(others, document.lineOf)];
  const known = { told, placed: merged.placed, yamlProblems: merged.problems };
  const taken = converted.filter(({ conversion }) => isTaken(conversion));
  if (merged.problems.length > 0 || taken.length === 0)
    return { ...nothing, ...known, state: isOld ? 'old' : 'left' };
  const mistakes = mistakesIn(merged.text, input.yaml, input.to);
  if (mistakes.length > 0) return { ...nothing, ...known, yamlProblems: mistakes };
  const { name, entry } = entryFor(section, taken, input, variables);
  const servers = taken.map(({ server }) => server);
  const exchange = { taken: new Set(servers.map((server) => server.name)), name };
  told.push(...oldNames(document, exchange));
  const lists = exchangedLists(document.value, exchange);
  const paths = servers.map(({ path }) => path);
  const edit = { section, taken: paths, name, entry, client: input.known?.client, lists };
  return {
    ...nothing,
    ...known,
    state: 'new',
    yaml: merged.text,
    text: editedText(input.text, document, edit),
    entry: { [name]: entry },
    variables: [...variables.keys()],
    needed: [...variables].flatMap(([name, original]) => (isNeeded(original) ? [name] : [])),
    besides: section.servers.some(({ value }) => startsFrom(value, input.to))
      ? []
      : othersIn(input.yaml, merged.placed),
    missing: variablesIn(merged.text).filter((name) => !isOfProcess(name) && !isPassed(entry, name)),
    secrets: merged.placed.flatMap(newSecretsIn),
  };
}

/** Where an upstream that was not there before holds secrets. */
function newSecretsIn({ isOld, here, entry }: Placed): readonly string[] {
  return isOld ? [] : secretsOf(entry).map((path) => `upstreams.${here}.${path}`);
}

/** What the entry of an earlier import hands over: its names stand for that. */
function passedOnBefore(section: Section, to: string): Variables {
  const env = section.servers.flatMap(({ value }) =>
    isObject(value) && startsFrom(value, to) && isObject(value['env']) ? Object.entries(value['env']) : [],
  );
  return new Map(env.map(([name, value]) => [name, String(value)]));
}

/** What entries are seen from. */
function contextOf({ known, to, home, answers }: ImportInput): ConvertContext {
  return { client: known?.client, root: known?.root, home, folder: dirname(to), isPassedOn: true, answers };
}

function isTaken(conversion: Conversion): boolean {
  return conversion.type === 'upstream' && !conversion.isOff;
}

function wantedOf(converted: readonly Converted[]): { name: string; entry: Placed['entry'] }[] {
  return converted.flatMap(({ server: { name }, conversion }) =>
    conversion.type === 'upstream' && !conversion.isOff ? [{ name, entry: conversion.entry }] : [],
  );
}

/** Everything that did not come along, or not as it was. */
function toldOf(converted: readonly Converted[], placed: readonly Placed[], { yaml }: ImportInput): Told[] {
  const told: Told[] = [];
  let next = 0;
  for (const { server, conversion, line } of converted) {
    const say = (message: string): void =>
      void told.push({ line, message: `${shown(server.name)}: ${message}` });
    if (conversion.type === 'left') say(`stays where it is: ${conversion.why}`);
    if (conversion.type !== 'upstream') continue;
    if (conversion.isOff) {
      const [before] = mergeUpstreams(yaml, [{ name: server.name, entry: conversion.entry }]).placed;
      if (before?.isOld !== true) say('is not in use and stays where it is');
      continue;
    }
    const at = placed[next++];
    if (at !== undefined && at.here !== server.name) say(`is called ${at.here} here`);
    for (const message of conversion.told) say(message);
  }
  return told;
}

function toldOfOthers(others: readonly Section[], lineOf: (path: Section['path']) => number): Told[] {
  return others.flatMap(({ path, servers }) => {
    const left = servers.filter(({ value }) => !isObject(value) || !isOurs(value));
    if (left.length === 0) return [];
    const where = path.length === 3 ? `of the project ${shown(String(path[1]))}` : `under ${path.join('.')}`;
    const names = left.map(({ name }) => shown(name)).join(', ');
    return [{ line: lineOf(path), message: `servers ${where} stay where they are: ${names}` }];
  });
}

/** Names come from a file. */
function shown(name: string): string {
  return /^[\w .@/:-]{1,80}$/.test(name) ? name : JSON.stringify(name.slice(0, 80));
}

/** The entry of the gateway: its name is that of an earlier import, or one that is free. */
function entryFor(
  section: Section,
  taken: readonly Converted[],
  { to, known, launch: [command, ...words] }: ImportInput,
  variables: Variables,
): { readonly name: string; readonly entry: { readonly [field: string]: unknown } } {
  const gone = new Set(known?.client.off === undefined ? taken.map(({ server }) => server.name) : []);
  const before = (name: string): FoundServer | undefined =>
    section.servers.find((server) => server.name === name);
  const isFree = (name: string): boolean => {
    const old = before(name);
    return old === undefined || gone.has(name) || startsFrom(old.value, to);
  };
  const name = firstName('mayday', isFree);
  const old = before(name)?.value;
  const kept = isObject(old) && startsFrom(old, to) ? old : {};
  const env = { ...Object.fromEntries(variables), ...(isObject(kept['env']) ? kept['env'] : {}) };
  const first = known?.client.entry ?? SHAPES[String(section.path.at(-1))];
  const values = [kept, ...taken.map(({ server }) => server.value)];
  const timeout = longestLimit(values, section.isOpencode === true ? OPENCODE_LIMIT : known?.client.timeout);
  const entry = {
    ...first,
    ...kept,
    command: kept['command'] ?? command,
    args: kept['args'] ?? [...words, ...argumentsFor(to)],
    ...(timeout === undefined ? {} : { timeout }),
  };
  const whole = Object.keys(env).length === 0 ? entry : { ...entry, env };
  return { name, entry: section.isOpencode === true ? toOpencode(whole) : whole };
}

/** The servers of a file that are not among these. */
function othersIn(yaml: string | undefined, placed: readonly Placed[]): readonly string[] {
  const own = new Set(placed.map(({ here }) => here));
  return Object.keys(upstreamsIn(yaml)).filter((name) => !own.has(name));
}

function isPassed({ env, environment = env }: { readonly [field: string]: unknown }, name: string): boolean {
  return isObject(environment) && Object.hasOwn(environment, name);
}

/** What entries of some clients begin with. */
const SHAPES: { readonly [section: string]: { readonly [field: string]: string } } = {
  servers: { type: 'stdio' },
  'mcp.servers': { type: 'stdio' },
  context_servers: { source: 'custom' },
};

function argumentsFor(to: string): readonly string[] {
  return ['gateway', '--stdio', '--config', to];
}

/** Is it an entry of ours that reads this file? */
function startsFrom(value: unknown, to: string): boolean {
  if (!isObject(value) || !isOurs(value)) return false;
  const args = Array.isArray(value['args']) ? value['args'] : [];
  return args.includes('gateway') && args.includes(to);
}
