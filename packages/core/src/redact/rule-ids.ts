/** The ids of the rules that come with the redactor. */
import { NAMED, PREFIXED } from './rules/format-table.ts';
import { rows } from './rules/formats.ts';
import { INNER } from './rules/token-shapes.ts';

const IDS =
  'assignment auth-scheme auth-user aws-secret-key base64 birth-date card column command-line cookie discord-bot-token echo email entropy expected header hex hidden iban ip jwk jwt key-name loopback mnemonic national-id near-name one-time-code password-hash path-secret pem phone private-host query-secret repeated sql-echo sql-literal ssn stack token-shape unreadable url-credentials user-path weak-name webhook';

let known: ReadonlySet<string> | undefined;

/** All of them: put together when somebody first asks. */
export function ruleIds(): ReadonlySet<string> {
  known ??= new Set([
    ...IDS.split(' '),
    ...[...rows(PREFIXED), ...rows(NAMED)].map(([id = '']) => id),
    ...INNER.map(([id]) => id),
  ]);
  return known;
}
