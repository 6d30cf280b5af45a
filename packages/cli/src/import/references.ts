/** What clients write for a value that comes from elsewhere → the gateway’s `${NAME}`. */
import { basename, sep } from 'node:path';
import { isOfProcess } from './process-variables.ts';

/** What references are seen from. */
export interface ReferenceContext {
  /** `$NAME` and `%NAME%` are references wherever they are. */
  readonly bare: boolean;
  /** The folder of the project, where the file belongs to one. */
  readonly root: string | undefined;
  readonly home: string;
  /** The client hands the variables over; otherwise those of its environment are read where they are. */
  readonly isPassedOn: boolean;
  /**
   * What the entry gives to its server, each as the client has it: that server has it from nowhere else, and looks it up
   * itself among its arguments, as no client does. None, if absent.
   */
  readonly own?: ReadonlyMap<string, string> | undefined;
}

/** Variables that the gateway needs, each with the words by which the client knows its value. */
export type Variables = Map<string, string>;

const SECRET = String.raw`\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}`;
const FROM_ENV = String.raw`\$\{env:([^{}:]+)\}`;
const INPUT = String.raw`\$\{input:([^{}]+)\}`;
const PLAIN = String.raw`\$\{([A-Za-z_]\w*)(:-[^}]*)?\}`;
/** Whatever else a client may look up: `${config:shop.url}`, `${command:pick}`, `${workspaceFolder:api}`. */
const LOOKED_UP = String.raw`\$\{([A-Za-z]+):(\w[^{}]*)\}`;
/** How opencode writes them. */
const BRACED = String.raw`(?<!\$)\{(env|file):([^{}]+)\}`;
const SEPARATOR = String.raw`\$\{(?:pathSeparator|\/)\}`;
const ANY = new RegExp([SEPARATOR, SECRET, FROM_ENV, INPUT, LOOKED_UP, BRACED, PLAIN].join('|'), 'g');

/** Anywhere in a string, for clients that say so. */
const BARE = /\$([A-Za-z_]\w*)|%([A-Za-z_]\w*)%/g;
/** The whole of a value: whatever the client makes of it, no server wants these characters. */
const BARE_VALUE = /^((?:Bearer|Basic|Token) )?(?:\$([A-Z_][A-Z0-9_]*)|%([A-Z_][A-Z0-9_]*)%)$/;

/** The same text with the gateway’s references; the variables it needs are added to the map. */
export function rewriteReferences(
  text: string,
  isValue: boolean,
  context: ReferenceContext,
  variables: Variables,
): string {
  const need = (said: string, original: string, otherwise = ''): string => {
    const isReadHere = !context.isPassedOn && isOfEnvironment(original);
    const name = isReadHere ? said : freeName(said, original, variables, context.own);
    if (!variables.has(name)) variables.set(name, original);
    return `\${${name}${otherwise}}`;
  };
  return dressed(text, isValue, context).replace(
    ANY,
    (all: string, secret, env, input, where, what, from, named, plain, otherwise) => {
      if (secret !== undefined) return need(secret, all);
      if (env !== undefined) return need(env, all);
      if (input !== undefined) return need(input.toUpperCase(), all);
      if (where !== undefined) return need(`${where}_${what}`.toUpperCase(), all);
      if (from === 'env') return need(named, all);
      if (from !== undefined) return need(`FILE_${basename(named)}`.toUpperCase(), all);
      if (plain === undefined) return sep;
      if (context.own?.has(plain) === true) return all;
      return ofEditor(plain, context) ?? need(plain, all, otherwise);
    },
  );
}

/** The same text with these values in the place of what is called by their names. */
export function fillIn(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(new RegExp(PLAIN, 'g'), (all: string, name: string) => values.get(name) ?? all);
}

const OF_ENVIRONMENT = /^\$\{(?:env:([^{}:]+)|([A-Za-z_]\w*)(?::-[^}]*)?)\}$/;

function isOfEnvironment(original: string): boolean {
  return OF_ENVIRONMENT.test(original);
}

/** Is it a variable that has to be in the environment of the client? Inputs and settings it has itself, a default will do. */
export function isNeeded(original: string): boolean {
  return (
    !original.includes(':-') && (isOfEnvironment(original) || /^\$?\{(?:env:|\{\s*secrets)/.test(original))
  );
}

/** Is this variable of the client’s environment what these words stand for, and nothing else? */
export function isPassedOnAs(name: string, original: string): boolean {
  return meaningOf(original) === `\${${name}}`;
}

/** What the client’s words stand for: a variable of its environment is the same in both spellings. */
function meaningOf(original: string | undefined): string | undefined {
  const [, env, plain] = OF_ENVIRONMENT.exec(original ?? '') ?? [];
  return env === undefined && plain === undefined ? original : `\${${env ?? plain}}`;
}

/** `$NAME` and `%NAME%` as `${NAME}`. */
function dressed(text: string, isValue: boolean, { bare }: ReferenceContext): string {
  if (bare) return text.replace(BARE, (_all, name, percent) => `\${${name ?? percent}}`);
  if (!isValue) return text;
  return text.replace(BARE_VALUE, (_all, scheme, name, percent) => `${scheme ?? ''}\${${name ?? percent}}`);
}

/** What editors know themselves. Without a project it is left to the client, which is asked at every start. */
function ofEditor(name: string, { root, home }: ReferenceContext): string | undefined {
  if (name === 'userHome') return home;
  if (name === 'workspaceFolder') return root;
  return name === 'workspaceFolderBasename' && root !== undefined ? basename(root) : undefined;
}

/** A name that the gateway can read, that stands for nothing else here or in the entry, and that no process lives from. */
function freeName(
  said: string,
  original: string,
  variables: Variables,
  own: ReadonlyMap<string, string> = new Map(),
): string {
  const readable =
    said
      .trim()
      .replace(/\W/g, '_')
      .replace(/^(?=\d)/, '_') || '_';
  const base = isOfProcess(readable) ? `CLIENT_${readable}` : readable;
  const isTaken = (name: string): boolean =>
    [variables, own].some((known) => known.has(name) && meaningOf(known.get(name)) !== meaningOf(original));
  let name = base;
  for (let n = 2; isTaken(name); n++) name = `${base}_${n}`;
  return name;
}
