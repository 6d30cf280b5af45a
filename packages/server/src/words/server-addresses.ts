/**
 * Addresses in plain words. One that the caller named, or is asked to open, is told; any other is where the server asked
 * for something, and its path and query say more of the server than of what went wrong.
 */
import {
  clauseBefore,
  isAskedToOpen,
  isNamedToOpen,
  isPageToOpen,
  leadsToFailed,
  redact,
  tellsOfFailure,
} from '@mayday/core/redact';
import { tellsOfDone } from '@mayday/core/render';
import { namesHost } from './addresses.ts';
import { textsIn } from './sent.ts';

const METHODS = 'GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS';
const SIGNS = '[^\\s"\'`<>|\\\\^{}]{1,2000}';
/** Schemes that servers are asked by. Those that are not among them name things of the tool's own. */
const SCHEME =
  /^(?:jdbc:.*|(?:https?|wss?|s?ftps?|ssh|grpcs?|amqps?|mqtts?|nats|kafka|pulsar|stomp|tcp|udp|dns|postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|valkeys?|memcached|clickhouse|cassandra|cockroachdb|oracle|sqlserver|mssql|neo4j|bolt|elasticsearch|couchbase|snowflake|redshift|s3[an]?|gs|abfss?|wasbs?|hdfs|ldaps?|smtps?|imaps?|pop3s?|smb|cifs|nfs|docker|unix|etcd|consul|zk)(?:\+\w+)?)$/i;
/** Names without a scheme: how they end tells them from files (`a.test.ts:12`). A loopback address says nothing to anybody else. */
const HOST =
  '(?<![\\w@.%/-])(?:ipv[46]:)?(?:(?:[\\w-]{1,63}\\.){1,8}(?:com|net|org|io|ai|co|eu|de|uk|fr|cloud|dev|app|internal|local|lan|corp|svc|example)|(?!127\\.)\\d{1,3}(?:\\.\\d{1,3}){3})';
/** An address in whichever form; of paths, those that were asked for. */
const ADDRESS = new RegExp(
  [
    `\\b(?:jdbc:)?[A-Za-z][\\w+.-]{1,20}://${SIGNS}`,
    `\\b[Hh][Tt][Tt][Pp][Ss]?%3[Aa]%2[Ff]%2[Ff]${SIGNS}`,
    `(?<=^|[\\s(])//[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8}(?:[:/]${SIGNS})?`,
    `${HOST}:\\d{2,5}\\b(?!:\\d)(?:/${SIGNS})?`,
    `(?<=\\b(?:at|on|from|to|via|in|against) )${HOST}/${SIGNS}`,
    `(?<=\\b(?:${METHODS}) )/${SIGNS}`,
    `(?<=\\b[1-5]\\d\\d(?: [A-Za-z' -]{2,40})? (?:at|for|on|from) )/${SIGNS}`,
  ].join('|'),
  'g',
);

/** Where addresses of servers stand. */
function addressesIn(words: string): readonly RegExpExecArray[] {
  return [...words.matchAll(ADDRESS)].filter(({ 0: address }) => {
    const scheme = /^([^/]{1,40}):\/\//.exec(address)?.[1];
    return scheme === undefined || SCHEME.test(scheme);
  });
}

/** Longer texts are listings, and are cut before they are said. */
const LONGEST = 8000;
/** So much before an address, and after it, is looked at. */
const NEAR = 200;

/** The same words without the addresses of the server's own. */
export function withoutAddresses(
  words: string,
  sent: { readonly arguments?: unknown; readonly uri?: unknown },
): string {
  const said = words.slice(0, LONGEST);
  const found = addressesIn(said);
  if (found.length === 0) return words;
  const texts = textsIn([sent.arguments, sent.uri]);
  const isDone = tellsOfDone(words);
  let told = '';
  let last = 0;
  for (const { index, 0: match } of found) {
    const address = withoutStop(match);
    const before = told + said.slice(last, index);
    last = index + address.length;
    const near = { before: before.slice(-NEAR), after: said.slice(last, last + NEAR) };
    if (isCallers(address, texts) || isToOpen(address, near) || (isDone && isOfWork(address, near)))
      told = before + address;
    else {
      const isQuoted = OPENS.test(near.before) && CLOSES.test(near.after);
      if (isQuoted) last += 1;
      told = leadingTo(before, said.slice(last, last + NEAR), isQuoted);
    }
  }
  const rest = said.slice(last) + words.slice(LONGEST);
  return told === '' ? rest.replace(/^[\s:;,.-]+/, '') : `${told}${rest}`.trim();
}

/** The stop of a sentence, and a bracket around it, are no part of an address. */
function withoutStop(address: string): string {
  const ended = address.replace(/[.,;:!?]{1,3}$/, '');
  return /[)\]]$/.test(ended) && !/[([]/.test(ended) ? withoutStop(ended.slice(0, -1)) : ended;
}

/** Did the caller write it, or name its host? */
function isCallers(address: string, texts: readonly string[]): boolean {
  if (texts.some((text) => text.includes(address))) return true;
  const host = /^(?:(?:jdbc:)?[a-z][\w+.-]*:)?(?:\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(address)?.[1];
  return host !== undefined && texts.some((text) => namesHost(text, host));
}

interface Near {
  readonly before: string;
  readonly after: string;
}

/** Pages that are written to be read. */
const FOR_READERS =
  /^https?:\/\/(?:(?:docs?|help|support|developers?|learn|status|errors|wiki|kb|guides?)\.|(?:aka\.ms|pris\.ly|goo\.gle)\/|[^/]+\/(?:[\w-]+\/)?(?:docs?|documentation|help|guides?)\/)/i;
/** What somebody is asked to do there. */
const ASKS =
  /(?:^|\b(?:please|you (?:can|may|must|should|need to|have to)|to|and|then|or) )(?:see|visit|open|go to|click|sign (?:in|up)|log ?in|register|authori[sz]e|approve|confirm|verify|pay|upgrade|subscribe|learn|read|refer to|follow|download|contact|manage|enable|(?:re-?)?connect|complete|review|check|use|get|add|set|grant|request access|create|link)\b/i;
const NAMES =
  /\b(?:docs|documentation|information|info|details|instructions|help|guide|here|available)(?: (?:is|are|at|here|under|on)){0,3}$/i;
const ASKS_AFTER = /^["')\]]{0,2} (?:to \w+|for (?:more|details|help|information|instructions))\b/i;
/** Is it the address of a page that somebody has to open, by its form or by what it is called? */
export function isPage(name: string, address: string): boolean {
  return /^https?:\/\/\S{1,2000}$/i.test(address) && (isNamedToOpen(name) || isPageToOpen(address));
}

/** Is there an address that neither the caller has named nor anybody is asked to open? */
export function namesOwnAddress(words: string, sent: unknown): boolean {
  const texts = textsIn(sent);
  return addressesIn(words).some(({ index, 0: match }) => {
    const address = withoutStop(match);
    const end = index + address.length;
    const near = {
      before: words.slice(Math.max(0, index - NEAR), index),
      after: words.slice(end, end + NEAR),
    };
    return !isCallers(address, texts) && !isToOpen(address, near);
  });
}

/** Is somebody asked in these words to open a page? */
export function hasPage(words: string): boolean {
  return addressesIn(words).some(({ index, 0: match }) => {
    const address = withoutStop(match);
    if (isPageToOpen(address)) return !leadsToFailed(clauseBefore(words, index));
    return isAskedToOpen(words, index, index + address.length);
  });
}

/** Is somebody asked to open it, or may read there? */
function isToOpen(address: string, { before, after }: Near): boolean {
  if (METHOD.test(before)) return false;
  const last = clauseBefore(before, before.length);
  if (FOR_READERS.test(address)) return true;
  if (isPageToOpen(address)) return !leadsToFailed(last);
  return (
    !tellsOfFailure(last, after) &&
    (ASKS.test(last) || NAMES.test(last) || isNamedToOpen(last) || ASKS_AFTER.test(after))
  );
}

/** May it be where the work that was done is to be found? Not where something failed, nor a machine of the server's own. */
function isOfWork(address: string, { before, after }: Near): boolean {
  if (METHOD.test(before) || tellsOfFailure(clauseBefore(before, before.length), after)) return false;
  return !redact(address).findings.some(({ rule }) => INNER.includes(rule));
}

const INNER: readonly string[] = ['private-host', 'ip', 'url-credentials'];

const METHOD = new RegExp(`(?:^|(?<=[\\s:(["'\`]))(?:${METHODS}) ["'\`(<[]?$`);
const OPENS = /["'`(<[]$/;
const CLOSES = /^["'`)>\]]/;
/** What leads to it in a sentence. */
const LEADS =
  /(?:^|[\s,;(-])(?:to|of|via|with|(?:for|at|from|on|in|against)(?: the)?(?: url| uri| address| endpoint| link| broker| host| server| node)?|url|uri|address|endpoint|link)[\s:=]{1,5}$/i;
/** Where nothing follows that belongs to it. */
const ENDS = /^\s*(?:$|[.,;:!)\n-])/;

/** What leads on. */
const TAIL = /[\s:;,(-]{1,10}$/;

/** Addresses before the last one of a list. */
const ANOTHER = /(?:\s?\[address\],?){1,10} (?:and|or) $/;

/** What says nothing without the address that it led to: "fetching", or a sentence of one word, "Tried". */
const STUMP =
  /\s(?:(?:while|when) )?(?:fetching|opening|reading|loading|requesting|calling|getting|visiting|downloading)$|[.;:!?\n]\s{0,5}(?:tried|trying|requested|request|url|uri|visited|asked|called|endpoint|address|source)$/i;

/** What was before an address that is left out, so that it still reads. */
function leadingTo(before: string, after: string, isQuoted: boolean): string {
  const open = isQuoted ? before.slice(0, -1) : before;
  const asked = open.replace(METHOD, '');
  if (asked !== open && /\bcannot $/i.test(asked)) return `${open}[address]`;
  const led = asked.replace(LEADS, '');
  if (ENDS.test(after) || (isQuoted && /[(<[]$/.test(before)))
    return led.replace(ANOTHER, '').replace(TAIL, '').replace(STUMP, '');
  if (led !== asked) return led;
  if (asked !== open) return `${asked}${/[a-z,]\s*$/.test(asked) ? 'request' : 'Request'}`;
  return `${open}[address]`;
}
