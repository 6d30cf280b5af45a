/**
 * The names of people in sentences about failed logins: `Invalid credentials for jdoe`, `user jdoe cannot log in`. Logins
 * fail for things as well, and things are called by words that are known: those stay.
 */
import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { build } from './patterns.ts';
import { isNobody } from './people.ts';

/** What a login is for if it is for nobody: things, vendors, words of a sentence, in some languages. */
const THINGS: ReadonlySet<string> = new Set(
  (
    'service services server servers host hosts database databases db api apis endpoint endpoints resource resources tool tools upstream backend client clients tenant tenants workspace workspaces project projects organization organisation org team table schema bucket queue topic channel repository repo registry package image container cluster node pod namespace provider providers integration connection connector device keystore truststore archive certificate key keys vault wallet domain realm directory ldap kerberos smtp imap pop3 ftp sftp ssh http https proxy network wifi vpn saml oauth sso mfa otp app apps application applications site website portal dn bind protected ' +
    'all any both each every most many several the a an your our my his her its their these those some one two three more other another same new old current given invalid wrong bad failed failing expired locked disabled missing required empty encrypted multiple reason reasons security permission permissions password passwords passphrase pin email emails mail address url uri path field value parameter header it you we they me us them him here there now then too only or are were be been must should can cannot could may will did does had have undefined ' +
    'postgresql mariadb sqlite mssql sqlserver kafka rabbitmq elasticsearch opensearch cassandra snowflake bigquery clickhouse github gitlab bitbucket slack jira confluence stripe aws azure gcp google openai anthropic notion linear discord twilio sendgrid mailgun salesforce hubspot shopify dropbox zoom docker npm pypi kubernetes s3 heroku netlify vercel cloudflare paypal airtable asana trello zendesk production staging prod dev test sandbox ' +
    'dienst datenbank archiv datei konto le la les un une des der die das den el los las una il lo gli o os um uma base fehlt ist wurde hat existiert nicht kann darf muss est doit no está tiene debe tem não deve non ha deve'
  ).split(' '),
);
const NAME = '(?:["\'`“]|« ?)?([A-Za-z][\\w.-]{0,58}\\w)(?![\\w@\\\\/(-]|[.:]\\w)(?:["\'`”]| ?»)?';
/** Behind a name the clause ends, or says from where, how or why. */
const END =
  '(?=[.,;:!)\\]"\']{0,3}(?:\\s*$|\\\\n|\\n)|[.,;:!)"\'] | (?:from|at|on|in|via|because|after|using|with|against|failed|is|was|not|has|over|since|pass|password|pw|pwd)(?!\\w)| \\(0x)';
const WHO = '(?:(?:the )?(?:user(?: ?name)?|account|principal|login|member) )?';
/** `for jdoe`, `by user jdoe`. */
const FOR = build(`(?:for|by|as) ${WHO}${NAME}${END}`, 'iy');
const LOGIN = '(?:log-?[io]n|sign-?in|auth(?:entication|enticate|orization|n)?)';
const BEFORE_FOR = build(
  `(?:^|[^a-z])(?:(?:${LOGIN}|2fa|mfa|ldap bind) (?:failed|failure|error|rejected|incorrect|unsuccessful)|(?:failed|invalid|unsuccessful|many)(?: failed)?(?: (?:${LOGIN}|password))? (?:${LOGIN}|password|attempts?)|(?:invalid|wrong|bad|incorrect|expired) (?:password|passcode|credentials?|login|pin|otp)(?: (?:supplied|given|provided|entered))?|(?:password|passcode|credentials?) (?:is|was|are|were) (?:incorrect|wrong|invalid|not (?:valid|correct))) $`,
  'i',
);
const BEFORE_AS = /(?:log(?:ging|ged)? ?in|log-?on|sign(?:ing|ed)?[ -]in) $/i;
const FAILURE =
  /fail|denied|reject|refus|cannot|can't|could not|not found|unable|not allowed|wrong|invalid|incorrect|locked|expired|error|unsuccessful/i;
/** `user jdoe cannot log in`. */
const STATE =
  '(?=["\'`]? (?:(?:is|was|has been|got) (?:now |currently |temporarily )?(?:locked|disabled|suspended|blocked|banned|deactivated|not allowed to log|unable to log)|cannot (?:log|sign|auth)|could not (?:log|sign|be auth|auth)|failed to (?:log|sign|auth)|not found|expired|or password))';
const USER = build(`(?:user(?: ?name| account)?|account) ${NAME}${STATE}`, 'iy');
/** `(user: jdoe)`, `login: jdoe`, `account locked: jdoe`, `authenticate user jdoe`. */
const LABEL = build(
  `(?:(?:user(?: ?name)?|login|account(?: (?:locked|disabled|suspended))?)(?:: ?|=)|authenticate (?:user )?|error: user |client (?=\\S{2,60} not found in kerberos))${NAME}${END}`,
  'iy',
);
const OF_LOGINS =
  /log-?[io]n|log(?:ged)? in|sign[ -]?in|auth|password|credential|locked|disabled|suspended|blocked|banned|deactivated|session|kerberos|invalid user/i;
/** Both of them near one another, in either order. */
const FAILED_LOGIN = {
  test: (words: string): boolean => OF_LOGINS.test(words) && FAILURE.test(words),
};
/** The word for a user, and for what went wrong, in other languages. */
const FOREIGN_USER = build(`\\S{2,14} ${NAME}`, 'iy');
const FOREIGN_FOR = build(`\\S{2,12} (?:für|von|pour|para|per|для) ${NAME}${END}`, 'iy');
const FOREIGN_FAILURE =
  /fehlgeschlagen|anmeld|passwort|kennwort|échec|connexion|authentif|mot de passe|sesión|contraseña|falha|login|senha|accesso|autentic|вход|парол|登录|登錄|登入|密码|ログイン|パスワード|로그인/i;
const WORD_FOR_USER =
  /^(?:\S{2,3} )?(?:the )?(?:user|account|principal|member|benutzer|utilisateur|usu[aá]rio|utente|gebruiker|пользов|用|ユ|사)/i;
const NEAR = 90;
const FURTHEST_BACK = 64;

/** What an account of a service is called. */
const SERVICE = /^(?:svc|srv|usr|adm|sa)[_-]|[_-](?:svc|srv|usr|user|adm|admin|bot|rw|ro)$/i;
/** A host, a file, a thing of several words. */
const NO_PERSON =
  /(?:tion|ing|ment|up|ity|ed)$|^[A-Z][a-z]+$|_|\..*\.|\.(?:com|org|net|io|dev|app|ai|[a-z]{2}|zip|pdf|json|ya?ml|txt|jks|p12|pfx|pem|key)$/;

/** `isUser`: whether the word for a user stands before it. */
function isPerson(name: string, isUser: boolean): boolean {
  return (
    !(isNobody(name) || THINGS.has(name.toLowerCase())) &&
    (SERVICE.test(name) || (!NO_PERSON.test(name) && (isUser || !/-|^[A-Z]+$/.test(name))))
  );
}

function near(page: Page, at: number, speaks: Pick<RegExp, 'test'>): boolean {
  return speaks.test(page.text.slice(Math.max(0, at - NEAR), at + NEAR));
}

function markName(page: Page, pattern: RegExp, at: number): void {
  const found = matchAt(pattern, page.text, at);
  const [whole = '', name = ''] = found ?? [];
  if (found && isPerson(name, WORD_FOR_USER.test(whole))) {
    const start = at + whole.lastIndexOf(name);
    mark(page, start, start + name.length, 'auth-user', 'user', STRUCTURE);
  }
}

/** Where the last word before an offset starts, which ends with a blank there. */
const lastWord = (text: string, end: number): number => text.lastIndexOf(' ', end - 2) + 1;

/** At the last word before a name, if what stands before speaks of a login. */
function detectorOf(pattern: RegExp, before: RegExp, speaks?: RegExp): Detector {
  return (page, start, end) => {
    const at = lastWord(page.text, end);
    if (
      start >= page.covered &&
      before.test(page.text.slice(Math.max(0, at - FURTHEST_BACK), at)) &&
      (speaks === undefined || near(page, at, speaks))
    ) {
      markName(page, pattern, at);
    }
  };
}

/** At the word before a name, where the words around it speak of a login. */
function detectorNear(pattern: RegExp, speaks: Pick<RegExp, 'test'>): Detector {
  return (page, start) => {
    if (start >= page.covered && !/[\w.-]/.test(page.text.charAt(start - 1)) && near(page, start, speaks)) {
      markName(page, pattern, start);
    }
  };
}

/** Triggers for the names of people whose login failed. */
export function failedLoginTriggers(): Trigger[] {
  const rows = (words: string, detect: Detector): Trigger[] => words.split('|').map((word) => [word, detect]);
  return [
    ...rows(
      'failed for |unsuccessful for |failure for |error for |wrong for |invalid for |correct for |valid for |rejected for |incorrect for |attempt for |attempts for |attempt by |login for |sign-in for |password for |passcode for |credentials for |credential for |supplied for |provided for |given for |entered for ',
      detectorOf(FOR, BEFORE_FOR),
    ),
    ...rows('in as |login as |logon as ', detectorOf(FOR, BEFORE_AS, FAILURE)),
    ...rows('user |username |account ', detectorNear(USER, OF_LOGINS)),
    ...rows(
      'user:|user=|username:|username=|user name:|login:|account locked:|account disabled:|authenticate |error: user |client ',
      detectorNear(LABEL, FAILED_LOGIN),
    ),
    ...rows(
      'benutzer |benutzers |utilisateur |usuario |usuário |utente |gebruiker |пользователя |用户 |用戶 |ユーザー |사용자 ',
      detectorNear(FOREIGN_USER, FOREIGN_FAILURE),
    ),
    ...rows(
      'passwort für |kennwort für |anmeldung von |anmeldung für |connexion pour |contraseña para |senha para |пароль для ',
      detectorNear(FOREIGN_FOR, FOREIGN_FAILURE),
    ),
  ];
}
