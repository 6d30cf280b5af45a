/** Formats of texts, as far as a text can be proven not to have them: a validator may ask for more. */
import { look } from './look.ts';

const HEX_GROUPS = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const IPV6 = /^(?=.*:)[\da-f:.]+(?:%\w+)?$/i;
const DAY = /^[+-]?\d{4,6}-\d\d-\d\d$/;
const MOMENT = /^[+-]?\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d/i;

const FORMATS: { readonly [name: string]: (text: string) => boolean } = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  url: (text) => URL.canParse(text),
  uri: (text) => URL.canParse(text),
  uuid: (text) => HEX_GROUPS.test(text),
  guid: (text) => HEX_GROUPS.test(text),
  datetime: (text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
  date: (text) => DAY.test(text) && !Number.isNaN(Date.parse(text)),
  time: (text) => /^\d\d:\d\d/.test(text),
  duration: (text) => /^[+-]?P/.test(text),
  ip: (text) => IPV4.test(text) || IPV6.test(text),
  ipv4: (text) => IPV4.test(text),
  ipv6: (text) => IPV6.test(text),
  cuid: (text) => /^c[^\s-]{8,}$/i.test(text),
  ulid: (text) => /^[\da-z]{26}$/i.test(text),
  nanoid: (text) => /^[\w-]+$/.test(text),
  jwt: (text) => text.split('.').length === 3,
};

const LONGEST = 10_000;

/** May a text have a format? What is not known, it may. */
export function fitsFormat(text: string, format: unknown): boolean {
  if (text.length > LONGEST) return true;
  if (typeof format === 'string') return FORMATS[format]?.(text) ?? true;
  const { startsWith, endsWith, includes } = partsOf(format);
  return text.startsWith(startsWith) && text.endsWith(endsWith) && text.includes(includes);
}

function partsOf(format: unknown): { readonly [part in 'startsWith' | 'endsWith' | 'includes']: string } {
  const part = (name: string): string => {
    const value = look(format, name);
    return typeof value === 'string' ? value : '';
  };
  return { startsWith: part('startsWith'), endsWith: part('endsWith'), includes: part('includes') };
}

/** Words in the names of arguments that are to have a format. */
const NAMES: { readonly [format: string]: RegExp } = {
  email: /e-?mail/i,
  url: /ur[il]|link|href|website|webhook/i,
  uri: /ur[il]|link|href|website|webhook/i,
  uuid: /uuid|guid|id$/i,
  guid: /uuid|guid|id$/i,
  datetime: /date|time|(?:^|_)at$|[a-z]At$/,
  date: /date|day|(?:^|_)on$/i,
  ip: /(?:^|_)ip|[a-z]Ip(?:$|[A-Z_])|addr/i,
  ipv4: /(?:^|_)ip|[a-z]Ip(?:$|[A-Z_])|addr/i,
};

/** Is an argument of this name meant to have it? */
export function isNamedAfter(name: string, format: unknown): boolean {
  return typeof format === 'string' && NAMES[format]?.test(name) === true;
}

/** Arguments that hold a point in time have one of these words in their names. */
const TIMES =
  /^(?:date|time|timestamp|day|when|start|end|from|to|since|until|after|before|at|due|deadline|expires?)$/i;

/** Is an argument of this name a point in time? `startDate`, `due_at`. */
export function isOfTime(name: string): boolean {
  return name.split(/[_-]|(?<=[a-z])(?=[A-Z])/).some((word) => TIMES.test(word));
}
