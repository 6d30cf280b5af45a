/** The ways in which servers read a URI: what is decided by its name is decided by all of them. */
import { hrefOf, parted, spelt, type UriParts, usualPort } from './uri-parts.ts';

/** One URI, as different readers have it. */
export interface Readings {
  /** As it was sent, and in its normal form where that is another. */
  readonly written: readonly string[];
  /** Where they are others: as the paths that a server makes of it, without escapes, dots and doubled slashes. */
  readonly paths: readonly string[];
}

/** How a URI may be read. Whatever is none is read as a path. */
export function readingsOf(uri: string): Readings {
  const written = writtenAs(uri);
  return { written, paths: pathsOf(uri).filter((path) => !written.includes(path)) };
}

/** All that could be meant by a reading where somebody asks for its host, and not for all that stands around it. */
export function meantBy(reading: string): readonly string[] {
  const parts = parted(reading);
  if (parts === undefined) return [reading];
  const { user, host, port, rest } = parts;
  const users = user === undefined ? [undefined] : [user, withoutPassword(user), undefined];
  const ports = port === undefined ? [undefined, usualPort(parts.scheme)] : [port, undefined];
  const all = new Set([reading]);
  // A file is where its path says, whatever host stands before it.
  const hosts = parts.scheme.toLowerCase() === 'file' ? [...hostsFor(host), ''] : hostsFor(host);
  for (const oneHost of hosts)
    for (const oneUser of users)
      for (const onePort of ports)
        for (const oneRest of rest.startsWith('/') ? [rest] : [rest, `/${rest}`])
          all.add(spelt({ ...parts, user: oneUser, host: oneHost, port: onePort, rest: oneRest }));
  return [...all];
}

/** What all spellings of a URI have in common. */
export function canonicalUri(uri: string): string {
  const path = belowHost(hrefOf(uri));
  const parts = parted(path);
  return parts === undefined ? path : spelt({ ...parts, host: withoutDot(parts.host) });
}

/** As it is written, and as those read it to whom capitals and a dot at the end say nothing. */
function hostsFor(host: string): readonly string[] {
  return [...new Set([host, withoutDot(host), withoutDot(host).toLowerCase()])];
}

function withoutDot(host: string): string {
  return host.replace(/(?<!\.)\.+$/, '');
}

function withoutPassword(user: string): string {
  return user.replace(/:.*$/s, '');
}

function writtenAs(uri: string): readonly string[] {
  return [...new Set([uri, hrefOf(uri)])];
}

/** Below the host; and with it, because the host of a scheme of its own is often the first part of a path. */
function pathsOf(uri: string): readonly string[] {
  return [...new Set([belowHost(hrefOf(uri)), asPath(uri, WITH_HOST)])];
}

function belowHost(uri: string): string {
  return asPath(uri, BELOW_HOST);
}

/** Which forms of a pattern of `upstream/uri` are looked for in each reading. */
export interface PatternForms {
  /** As it is written, and in its normal form. */
  readonly written: readonly string[];
  /** As paths. */
  readonly paths: readonly string[];
  /** As it is written, and in its normal form, whatever the letters and the end of its host are. */
  readonly likely: readonly string[];
}

/** The forms of a pattern. One with dots in its path means them. */
export function formsOf(pattern: string): PatternForms {
  const slash = upstreamOf(pattern).length;
  const before = pattern.slice(0, slash);
  const uri = pattern.slice(slash);
  const whole = (form: string): string => before + form;
  const written = DOTS.test(uri) ? [uri] : writtenAs(uri);
  return {
    written: written.map(whole),
    paths: pathsOf(uri).map(whole),
    likely: likelyForms(uri, written).map(whole),
  };
}

/** The normal form leaves the usual port out, and whoever has named one means no other. */
function likelyForms(uri: string, written: readonly string[]): readonly string[] {
  const port = parted(uri)?.port;
  const forms = written.flatMap((form) => {
    const parts = parted(form);
    if (parts === undefined) return [form];
    const hosts: readonly UriParts[] = hostsFor(parts.host).map((host) => ({ ...parts, host, port }));
    return hosts.map(spelt);
  });
  return [...new Set([uri, ...forms])];
}

/** What stands before the URI in a pattern; nothing where a star is for the upstream and for more. */
export function upstreamOf(pattern: string): string {
  return /^\*[a-z0-9+.*-]*:\/\//i.test(pattern) ? '' : pattern.slice(0, pattern.indexOf('/') + 1);
}

const DOTS = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\?#]|$)/i;

/** What comes before a path, the path, and what comes behind. */
const BELOW_HOST = /^([a-z*][a-z0-9+.*-]*:(?:\/\/[^/?#]*)?)?([^?#]*)(.*)$/is;
const WITH_HOST = /^([a-z*][a-z0-9+.*-]*:(?:\/\/)?)?([^?#]*)(.*)$/is;

function asPath(uri: string, parts: RegExp): string {
  const [, place = '', path = '', rest = ''] = parts.exec(uri) ?? [];
  return unescaped(place).toLowerCase() + withoutDots(unescaped(path)) + unescaped(rest);
}

/** What is no UTF-8 hides nothing beside it. A star stays escaped: in a pattern it would stand for anything. */
function unescaped(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8').replaceAll('*', '%2A'),
  );
}

function withoutDots(path: string): string {
  const parts = path.split(/[/\\]+/);
  const kept: string[] = [];
  for (const part of parts) {
    if (part === '..' && kept.at(-1) !== '') kept.pop();
    if (part !== '.' && part !== '..') kept.push(part);
  }
  const last = parts.at(-1);
  if (last === '.' || last === '..') kept.push('');
  return kept.join('/');
}
