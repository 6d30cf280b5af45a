/** What the settings give to a server, and to nobody else, does not come back from it in a failure. */
import type { Fault } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { after } from '@mayday/policy';
import { isMembers, type Wire, type WirePolicy } from '@mayday/relay';
import type { UpstreamSettings } from '../settings/settings.ts';

/** Anything shorter may stand in any sentence. */
const SHORTEST = 6;
const HIDDEN = '[hidden]';

/** Takes the secrets that are known out of words. */
export type Hide = (words: string) => string;

/** Hides what these settings call a secret: a header, a variable or an argument whose name says so. */
export function hiderOf(settings: UpstreamSettings): Hide | undefined {
  const secrets = namedIn(settings)
    .filter(([name, value]) => isSecret(name, value))
    .flatMap(([, value]) => [value, value.replace(/^(?:basic|bearer|token) +/i, '')])
    .filter((value) => value.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);
  if (secrets.length === 0) return undefined;
  // In a message of JSON it may stand with what has to be escaped there.
  const forms = [...new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))];
  return (words) => forms.reduce((left, form) => left.replaceAll(form, HIDDEN), words);
}

/** Takes them out of every failure, before anybody else sees it. */
export function hideGiven(hide: Hide): WirePolicy {
  return after((outcome) => {
    if (outcome.ok) return outcome;
    const { fault, value } = outcome;
    return { ...outcome, fault: hidden(fault, hide) as Fault, value: value && hiddenIn(value, hide) };
  });
}

function namedIn(settings: UpstreamSettings): readonly (readonly [string, string])[] {
  if (settings.type !== 'command') return Object.entries(settings.headers);
  const { args, env } = settings;
  const flags = args.flatMap((arg, at): (readonly [string, string])[] => {
    const [, flag = '', value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    return flag === '' ? [] : [[flag, value ?? args[at + 1] ?? '']];
  });
  return [...Object.entries(env), ...flags];
}

function isSecret(name: string, value: string): boolean {
  return redact({ [name]: value }).value[name] !== value;
}

function hiddenIn(said: Wire, hide: Hide): Wire {
  if (said.type === 'answer') return said;
  if (said.type === 'nothing') return { ...said, original: said.original && inBytes(said.original, hide) };
  if (said.type === 'http')
    return {
      ...said,
      body: inBytes(said.body, hide),
      headers: hidden(said.headers, hide) as typeof said.headers,
    };
  return { ...said, message: hidden(said.message, hide), bytes: inBytes(said.bytes, hide) };
}

function inBytes(bytes: Buffer, hide: Hide): Buffer {
  const text = bytes.toString('utf8');
  const left = hide(text);
  return left === text ? bytes : Buffer.from(left);
}

/** The same value where nothing is hidden: what is known about a failure hangs on which object it is. */
function hidden(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => hidden(item, hide));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isMembers(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, hidden(member, hide)] as const);
  return members.some(([name, member]) => member !== value[name]) ? Object.fromEntries(members) : value;
}
