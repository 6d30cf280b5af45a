/** The parts of a client’s entry, whatever the client calls them. */
import { isObject } from './sections.ts';

/** An entry in one form: what is not here is in `others`. */
export interface EntryParts {
  readonly command: unknown;
  readonly args: unknown;
  readonly env: unknown;
  readonly cwd: unknown;
  readonly url: unknown;
  /** The name that the entry has for its URL. */
  readonly urlField: string | undefined;
  readonly headers: unknown;
  readonly type: string | undefined;
  readonly timeout: unknown;
  readonly isOff: boolean;
  readonly others: { readonly [field: string]: unknown };
}

type Fields = { readonly [field: string]: unknown };

const URL_FIELDS = ['httpUrl', 'serverUrl', 'url'] as const;

/** Takes an entry apart. */
export function entryParts(entry: Fields): EntryParts {
  const { command, args, env, cwd, workingDirectory, headers, requestOptions, type, transport, ...rest } =
    flattened(entry);
  const { timeout, disabled, enabled, name: _name, source, url, httpUrl, serverUrl, ...others } = rest;
  const urls: Fields = { url, httpUrl, serverUrl };
  const urlField = URL_FIELDS.find((field) => urls[field] !== undefined);
  const inside = isObject(requestOptions) ? requestOptions : {};
  const { headers: insideHeaders, ...options } = inside;
  const said = type ?? transport;
  return {
    command,
    args,
    env,
    cwd: cwd ?? workingDirectory,
    url: urlField === undefined ? undefined : urls[urlField],
    urlField,
    headers: headers ?? insideHeaders,
    type: typeof said === 'string' ? said : undefined,
    timeout,
    isOff: disabled === true || enabled === false,
    others: {
      ...others,
      ...present({
        source: source === 'custom' ? undefined : source,
        requestOptions: Object.keys(options).length === 0 ? undefined : options,
      }),
    },
  };
}

/** Types of servers over HTTP, in the words of clients. */
export const OVER_HTTP: RegExp = /^(?:http|streamable[-_]?http|remote)$/i;
/** The same for the transport of 2024-11-05. */
export const OVER_SSE: RegExp = /^sse$/i;

/** Is it reached by its URL, and not started? */
export function isOverHttp({ url, command, type = '' }: EntryParts): boolean {
  return url !== undefined && (command === undefined || OVER_HTTP.test(type) || OVER_SSE.test(type));
}

/** Older forms keep the transport, or the command with its arguments, in an object of its own. */
function flattened(entry: Fields): Fields {
  const { transport, command } = entry;
  const outer = isObject(transport) ? { ...entry, transport: undefined, ...transport } : entry;
  const inner = isObject(transport) ? outer['command'] : command;
  if (Array.isArray(inner)) {
    const [first, ...args] = inner as unknown[];
    return { ...outer, command: first, args: [...args, ...listOf(outer['args'])] };
  }
  if (!isObject(inner)) return outer;
  const { path, args, env, ...others } = inner;
  return { ...others, ...outer, command: path, args: args ?? outer['args'], env: env ?? outer['env'] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
