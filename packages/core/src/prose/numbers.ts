/**
 * Numbers by which directories, databases, mail servers and others tell a failure, where few words stand beside them, or
 * none: `LDAP: error code 49`, `ORA-00054`, `SQLSTATE 40001`, `421 4.7.0`.
 */
import type { Kind } from '../kinds.ts';
import { type Form, formOf } from './forms.ts';
import type { Look } from './looks.ts';

/** How a system writes its numbers, how much they weigh beside words, and what they mean: the longest beginning counts. */
interface Numbers {
  readonly form: Form;
  /** A sign that stands in all of them: no word does, by which the form could be passed over. */
  readonly sign: string;
  readonly weight: number;
  readonly meanings: ReadonlyMap<string, Kind>;
}

/** `kind number number …` a line. */
function numbers(form: RegExp, weight: number, table: string, sign = ''): Numbers {
  const rows = table.split('\n').map((line) => line.trim().split(' '));
  const meanings = new Map(
    rows.flatMap(([kind, ...said]) => said.map((number) => [number, kind as Kind] as const)),
  );
  return { form: formOf(form), sign, weight, meanings };
}

const SYSTEMS: readonly Numbers[] = [
  numbers(
    /\bLDAP\b[^\n]{0,20}?\b(?:error|result) code:? (\d{1,3})\b|\bldap_\w+: [^\n(]{1,80} \((-?\d{1,3})\)/i,
    95,
    `invalid_request 2
    timeout 3 85
    too_large 4 11
    unsupported 7 12 92
    unauthenticated 8 13 48 49
    not_found 16 32 36
    invalid_arguments 17 18 19 21 34 64 65 67 69 87 89
    conflict 20 66 68 71
    forbidden 50 53
    overloaded 51
    unavailable 52 81 91 -1
    internal 80`,
  ),
  numbers(
    /\bORA-(\d{5})\b/,
    95,
    `conflict 00001 00054 00060 00955 01555 02291 02292 08177
    overloaded 00018 00020 04031 12519 12520
    invalid_arguments 00900 00904 00911 00913 00918 00920 00921 00923 00932 00933 00936 00947 01400 01407 01438 01476 01722 01830 01840 01843 01847 01858 01861 02290 06502 06550 12899
    not_found 00942 01403 01918 04043 12505 12514
    unauthenticated 01005 01017 28000 28001
    cancelled 01013
    forbidden 01031 01045 16000 28009
    not_ready 01033 12526 12528
    unavailable 01034 01089 01109 12537 12541 12543 12545 12571 27101
    quota_exhausted 01536 01652 01653 01654
    misconfigured 12154
    timeout 12170 12535 30006
    disconnected 01012 03113 03114 03135`,
  ),
  numbers(
    /\bSQL ?STATE\W{1,4}([\dA-Z]{5})\b/i,
    88,
    `disconnected 08
    unavailable 08001 08004 57P
    unsupported 0A
    invalid_arguments 07 21 22 23502 23514 42
    conflict 23 25P02 25001 2BP01 40 42P04 42P06 42P07 42710 55
    forbidden 25006 42501
    unauthenticated 28
    not_found 02 3D 3F P0002 42P01 42S02 42704 42S12
    overloaded 53
    quota_exhausted 53100
    too_large 54
    timeout 57014 HYT00 HYT01
    internal 58 XX`,
  ),
  numbers(
    /^(?:[^\n]{0,60}[\s:([])?[245]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})\b/,
    78,
    `invalid_arguments 5.1.3 5.5.2 5.5.3 5.5.4 5.6
    forbidden 5.2.1 5.4.1 5.7
    unauthenticated 5.5.0 5.7.8 5.7.9 5.7.11 5.7.14 5.7.139
    quota_exhausted 4.2.2 5.2.2 5.4.5
    too_large 5.2.3 5.3.4
    invalid_request 5.5
    rate_limited 4.7 5.7.28
    unavailable 4`,
    '.',
  ),
  numbers(
    /\bPGRST(\d{3})\b/,
    84,
    `unavailable 0
    invalid_arguments 1
    not_found 116 2
    unauthenticated 3
    internal X`,
  ),
  numbers(
    /^\W{0,6}(?:error:? )?(?:error )?code:? (1\d{3})\b|\b(?:cloudflare\b[^\n]{0,20}|ray id\b[^\n]{0,40})\berror (1\d{3})\b/i,
    90,
    `misconfigured 100 1014 1018 1023
    forbidden 1005 1006 1007 1008 1009 1010 1011 1012 1020
    rate_limited 1015 1027
    unavailable 1016 1033 1200
    internal 1101 1102`,
  ),
  numbers(
    /\b0x800([\da-f]{5})\b/i,
    86,
    `forbidden 70005 70013
    unauthenticated 7052E 70775 9030C 90308 70532
    not_found 70002 70003 70490
    conflict 70020 70050 700B7 70021
    invalid_arguments 70057
    quota_exhausted 70070
    unavailable 72EE7 72EFD 7274D
    timeout 72EE2 705B4
    internal 04005 0FFFF
    unsupported 04001`,
  ),
];

/** Longer texts are dumps, with numbers of all kinds. */
const LONGEST = 1000;

/** What a number of a known system says; nothing where there is none, or nobody knows it. */
export function numberIn(text: string): Look | undefined {
  if (text.length > LONGEST) return undefined;
  for (const { form, sign, weight, meanings } of SYSTEMS) {
    if (!form.mayMatch(text) || !text.includes(sign)) continue;
    const found = form.expression.exec(text);
    const said = (found?.[1] ?? found?.[2])?.toUpperCase();
    for (let length = said?.length ?? 0; length > 0; length--) {
      const kind = meanings.get((said as string).slice(0, length));
      if (kind !== undefined) return { kind, weight };
    }
  }
  return undefined;
}
