/** A client’s file as the settings of a gateway: nothing has to be imported to try it. */
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import type { ParsedSettings, SettingsProblem } from '@mayday/gateway';
import { type ConvertContext, convertServer } from './convert.ts';
import { type ClientDocument, isJson, type Path, parseDocument } from './document.ts';
import { firstName, upstreamName } from './names.ts';
import { clientAt, type Machine } from './places.ts';
import type { Variables } from './references.ts';
import { isObject, type Section, sectionsOf, tooMany } from './sections.ts';

/** As much as is read of a file. */
const MAX_BYTES = 4 * 1024 * 1024;
/** What is larger takes long to be taken apart, and holds much that a client writes all the time: what is said of servers is looked at first. */
const LARGE_BYTES = 256 * 1024;

const TOO_LARGE: SettingsProblem = {
  line: 1,
  path: '',
  message: `The file is larger than ${MAX_BYTES} bytes; of a client’s, take the servers over with mayday import`,
};

/**
 * Takes the text of a file apart that may be a client’s. Only JSON is, and only when servers are where clients have
 * them: anything else is `undefined`, and read as settings.
 */
export function parseClientSettings(file: string): (text: string) => ParsedSettings | undefined {
  const cwd = process.cwd();
  const machine: Machine = { platform: process.platform, home: homedir(), cwd, env: process.env };
  const path = resolve(cwd, file);
  const known = clientAt(path, machine);
  const context: ConvertContext = {
    client: known?.client,
    root: known?.root,
    home: machine.home,
    folder: dirname(path),
    isPassedOn: false,
  };
  let last: { readonly said: string; readonly parsed: ParsedSettings } | undefined;

  function parsedAgain(text: string): ParsedSettings | undefined {
    const said = serversIn(text, cwd);
    if (said !== undefined && said === last?.said) return last.parsed;
    const parsed = parsedFrom(text);
    last = said === undefined || parsed === undefined ? undefined : { said, parsed };
    return parsed;
  }

  function parsedFrom(text: string): ParsedSettings | undefined {
    const document = parseDocument(text);
    const [section] = sectionsOf(document.value, cwd);
    if (document.problems.length > 0) return isMeant(text) ? { ...document, lineOf: () => 1 } : undefined;
    if (section === undefined || (isObject(document.value) && Object.hasOwn(document.value, 'upstreams')))
      return undefined;
    const crowd = tooMany(section, document.lineOf);
    return crowd === undefined ? served(document, section, context) : { ...document, problems: [crowd] };
  }

  return (text) => {
    if (!isJson(text)) return undefined;
    const size = Buffer.byteLength(text);
    // Only a part of it was read.
    if (size > MAX_BYTES) return { value: undefined, lineOf: () => 1, problems: [TOO_LARGE] };
    return size > LARGE_BYTES ? parsedAgain(text) : parsedFrom(text);
  };
}

/** All that a file says about the servers that would be served; `undefined` where it is no plain JSON. */
function serversIn(text: string, cwd: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify([sectionsOf(value, cwd)[0], isObject(value) && Object.hasOwn(value, 'upstreams')]);
  } catch {
    return undefined;
  }
}

/** Every server that is in use and can be served; the others are warnings. */
function served(document: ClientDocument, section: Section, context: ConvertContext): ParsedSettings {
  const variables: Variables = new Map();
  const upstreams = new Map<string, unknown>();
  const places = new Map<string, Path>();
  const warnings: SettingsProblem[] = [];
  for (const server of section.servers) {
    const { name, path } = server;
    const warn = (message: string): void =>
      void warnings.push({ line: document.lineOf(path), path: path.join('.'), message });
    const converted = convertServer(server, context, variables);
    if (converted.type === 'left') warn(`Not served: ${converted.why}`);
    if (converted.type !== 'upstream') continue;
    if (converted.isOff) {
      warn('Not in use, and so not served');
      continue;
    }
    const here = firstName(upstreamName(name), (tried) => !upstreams.has(tried));
    upstreams.set(here, converted.entry);
    places.set(here, path);
    for (const message of converted.told) warn(message);
  }
  const lineOf = ([, name]: Path): number => document.lineOf(places.get(String(name)) ?? section.path);
  return { value: { upstreams: Object.fromEntries(upstreams) }, lineOf, problems: [], warnings };
}

/** Is a text that cannot be read meant to be a client’s? */
function isMeant(text: string): boolean {
  return /"(?:mcpServers|servers|context_servers)"\s*:/.test(text);
}
