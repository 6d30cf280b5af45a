import { stripEnd } from '../looks.ts';
import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { withoutSurrogates } from '../surrogates.ts';
import { type Pattern, patternTriggers } from './patterns.ts';

const WINDOWS_NAME = /([^\\/:*?"<>|\r\n'`]{1,40})(?=[\\/])|([^\s\\/:*?"<>|'`,;)\]}]{1,40})/y;
const LONGEST_BEFORE = 120;
const NOBODY = /^(?:[.\d]+|~|%.*%|_.*|sbx_user\d+|(?:index|readme|schema|users?|data|list)\.\w{1,5})$/;
/** What has the name of a file is no user. */
const FILE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|php|json|ya?ml|toml|ini|conf|cfg|txt|md|db|csv|parquet|log|sql|xml|html?|sh|lock|zip|tar|gz|erb|haml|slim|vue|svelte|twig|blade|hbs|ejs|s?css|svg|png|jpe?g|ico|pdf|xlsx?|docx?)$/i;
/** What stands where a user would: words for nobody, and for what a directory of users holds beside them. */
const NOT_USERS: ReadonlySet<string> = /* @__PURE__ */ (() =>
  new Set(
    'user users username you yourname your-user name public shared default linuxbrew me self current lost+found lib bin etc src dist common tmp temp cache log logs data backup backups archive archives images avatars uploads templates config profile profiles settings schema search login all feed dashboard index home staff wheel sudo adm shadow öffentlich public público publico pubblica publiczne publique partagé compartido condiviso offentlig julkinen общие 公用 パブリック 공용'
      .split(' ')
      .concat(
        'all users',
        'default user',
        'alluse~1',
        'defaul~1',
        'public~1',
        'networ~1',
        'locals~1',
        'admini~1',
      ),
  ))();
/** Users that images, runners, clouds and services come with: nobody in person. */
const SERVICES: ReadonlySet<string> = /* @__PURE__ */ (() =>
  new Set(
    'node runner runneradmin app appuser application ubuntu debian centos fedora rocky almalinux alpine core opc ec2-user azureuser cloud-user vscode codespace gitpod coder theia jovyan rstudio vagrant travis circleci distiller jenkins vsts vssadministrator vsts_azpcontainer buildkite buildkite-agent gitlab gitlab-runner gitlab-www actions-runner teamcity bamboo drone woodpecker semaphore build builder ci codebuild-user docker containeradministrator containeruser administrator admin root nobody nonroot git www www-data web webapp site nginx apache httpd tomcat jboss wildfly jetty django rails celery worker deploy deployer service daemon svc postgres mysql mongodb redis rabbitmq elasticsearch kafka zookeeper hadoop hdfs hive spark flink airflow dagster zeppelin trino oracle sonarqube nexus artifactory grafana prometheus vault consul nomad ansible puppet zabbix nagios frappe odoo bitnami laravel sail pwuser pptruser seluser kasm-user mambauser micromamba conda mcp mcpuser sandbox steam minecraft zuul vcap cnb heroku dokku backup pi'.split(
      ' ',
    ),
  ))();
/** Is this the name of a user in person? */
export const isUser = (name: string): boolean =>
  name !== '' &&
  !NOBODY.test(name) &&
  !FILE.test(name) &&
  !NOT_USERS.has(name.toLowerCase()) &&
  !SERVICES.has(name.toLowerCase());

/** Where homes are kept when not at the root: mounts, and file systems of clusters and of the network. */
const STORAGE =
  /^(?:var|exports?|mnt|usr|net|volumes?|system|cygdrive|run|hosts?|host_mnt|srv|media|private|root|file|opt|work|archive|cluster|global|remote|eos|afs|rds|ceph|gluster|isilon|netapp|tank|z?pool|efs|fsx|chroot|jail|u|[a-z]|\w{0,12}(?:fs|nas|hpc|data|disks?|store|storage|shared?|shares|vol|scratch|lustre))[\d_-]{0,4}$/i;
/** Those of them on which `users` is a directory of homes, and not of a program, of data or the page of an API. */
const OF_USERS =
  /^(?:exports?|mnt|net|afs|eos|rds|work|cluster|global|hpc|\w{0,12}(?:fs|nas|storage|shared?|shares|scratch|lustre))[\d_-]{0,4}$/i;
const OF_PROGRAMS = /^(?:apps?|src|dist|lib|build|code|repos?|projects?|services?|\w{0,12}data)$/i;
const WEB = /(?:https?|wss?)$/i;
const PATH = charSet(/[^\s"'`=(),;|<>]/, () => true);

/** The directories before an offset, or undefined where none of a file system stand there. */
function rootBefore(page: Page, at: number): string | undefined {
  const from = runStart(page, PATH, at);
  // What was hidden was the name of a directory, too: the colon in what stands for it parts nothing.
  const before = withoutSurrogates(page.text, Math.max(from, at - LONGEST_BEFORE), at, 'x');
  if (at - from > LONGEST_BEFORE && !before.includes(':')) return undefined; // nobody's root is so deep
  const scheme = before.lastIndexOf('://');
  if (scheme >= 0) {
    const [host = '', ...dirs] = before.slice(scheme + 3).split('/');
    const path = dirs.some((dir) => dir !== '') ? `/${dirs.join('/')}` : '';
    const root = path !== '' || host === '' ? path : '/remote';
    return WEB.test(before.slice(0, scheme)) ? undefined : root;
  }
  const path = before.slice(before.lastIndexOf(':') + 1);
  return /^(?:HD|-[A-Za-z])$|(?:^|\/)\.\.$/.test(path) || !/[\w.-]$/.test(path) ? '' : path;
}

/** Those on which `user` is, which elsewhere holds what a user installed. */
const OF_USER = /^(?:afs|eos|rds|\w{0,12}(?:fs|nas|scratch|lustre))[\d_-]{0,4}$/i;

/** Whether homes are kept in the directories that stand before the one that is called so. */
function holdsHomes(root: string | undefined, stores: RegExp): boolean {
  if (root === undefined || root === '') return root === '' && stores === STORAGE;
  const [first = '', ...rest] = root.replace(/^\/+/, '').split('/');
  const isStorage = stores.test(first);
  if (stores === OF_USERS && rest.some((dir) => OF_PROGRAMS.test(dir))) return false;
  return isStorage && (root.startsWith('/') || first.length === 1) && rest.length < 4;
}

/** Directories in which those of users stand by groups, by domains, or by their first letters. */
const GROUP =
  /^(?:[A-Z][A-Z0-9-]{1,14}|users?|people|students?|staff|faculty|employees|guests?|members|[\w-]+\.(?:[\w-]+\.)*(?:com|org|net|edu|local|internal|lan|corp))$/;

/** How many of the first directories stand before the one of a user. */
function skipGroups(parts: readonly string[]): number {
  let letters = '';
  let at = 0;
  while (at < parts.length - 1 && (parts[at] as string).length <= 2) letters += parts[at++];
  const name = parts[at] ?? '';
  const isByLetter = name.startsWith(letters) || name.startsWith(parts[at - 1] ?? '');
  if (at > 0) return isByLetter && name.length > 2 ? at : 0;
  return parts.length > 2 && GROUP.test(parts[0] ?? '') ? 1 : 0;
}

const DIRECTORIES = /(?:[^\s/\\"'`:<>|,;(){}[\]$*?#&=]{1,64}\/?){1,5}/y;

/** Marks the user whose directory starts at an offset. */
function markUser(page: Page, start: number, windows: boolean): void {
  const { text } = page;
  let at = start;
  while (text[at] === '\\' || text[at] === '/') {
    at++;
  }
  let name = '';
  if (windows) {
    const found = matchAt(WINDOWS_NAME, text, at);
    name = found?.[1] ?? found?.[2] ?? '';
  } else {
    const found = matchAt(DIRECTORIES, text, at)?.[0] ?? '';
    if (text.startsWith('[user:', at + found.length)) return;
    const parts = found.split('/');
    const skipped = skipGroups(parts);
    at += parts.slice(0, skipped).join('/').length + (skipped > 0 ? 1 : 0);
    name = parts[skipped] ?? '';
  }
  const user = stripEnd(name, '.!?');
  if (isUser(user)) {
    mark(page, at, at + user.length, 'user-path', 'user', STRUCTURE);
  }
}

/** The user in the path of a home directory. The rest of the path stays: it says what is missing or broken. */
const detectHome: Detector = (page, start, end) => {
  const { text } = page;
  const keyword = text.slice(start, end);
  const windows = keyword.startsWith('\\') || /[A-Za-z]:$/.test(text.slice(Math.max(0, start - 2), start));
  // `/users/42` is an address of an API; `/Users/` is a Mac's home.
  const stores = /^\/user\//.test(keyword)
    ? OF_USER
    : /^\/(?:users|people)\//.test(keyword)
      ? OF_USERS
      : STORAGE;
  // What is asked of a web server is a page of its own.
  const isRoute = !windows && ROUTE.test(text.slice(Math.max(0, start - 8), start));
  if (!isRoute && (windows || holdsHomes(rootBefore(page, start), stores))) {
    markUser(page, end, windows);
  }
};

/** What the folder of homes is called on the screens of Windows and macOS, by language. */
const FOLDERS =
  'benutzer utilisateurs usuarios usuários utilizadores utenti gebruikers użytkownicy uživatelé používatelia användare brugere brukere käyttäjät kasutajad пользователи користувачі kullanıcılar felhasználók utilizatori korisnici uporabniki χρήστες ユーザー 用户 使用者 사용자 pengguna';

/** Such a folder at the root of a disk: elsewhere it may be a folder or a page of anything. */
const detectFolder: Detector = (page, start, end) => {
  const { text } = page;
  const before = text.slice(Math.max(0, start - 14), start);
  const windows = text[start] === '\\';
  const isRoot = windows
    ? /(?:^|[^A-Za-z])[A-Za-z]:\\?$/.test(before)
    : /(?:^|[\s"'`(=]| HD)$/.test(before) && !ROUTE.test(before) && !/[a-z]/.test(text.charAt(start + 1));
  if (isRoot) {
    markUser(page, end, windows);
  }
};

const ROUTE = /(?:^|[^A-Z])(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) $/;
const SHARE = /^\\{2,4}(?:[?.]\\{1,2}UNC\\{1,2})?[\w.-]{1,63}(?:\\{1,2}[\w$.-]{1,40}){0,2}\\?$/;
const SLASHED_SHARE =
  /^(?:(?:smb|cifs|nfs|afp|davs?|sftp|ftps?|ssh|file|rsync):)?\/\/(?:[^/\s@]{1,60}@)?(?:[\w.-]{1,63}|\[host:\d{1,4}\])$/i;

/** A share of a network that is named after what it holds: `\\\\nas\\profiles$\\jane`, `//nas/homes/jane`. */
const detectShare: Detector = (page, start, end) => {
  const { text } = page;
  const windows = text[start] === '\\';
  const before = text.slice(Math.max(runStart(page, PATH, start), start - LONGEST_BEFORE), start);
  const isRoot = windows && /^[A-Za-z]:$/.test(before);
  if (isRoot || text.slice(start, end).includes('$') || (windows ? SHARE : SLASHED_SHARE).test(before)) {
    markUser(page, end, windows);
  }
};

/** Other places that hold a user's name. */
const PLACES: readonly Pattern[] = /* @__PURE__ */ (() => [
  [':user/', /(?<=arn:aws[^\s]{0,60}):user\/([\w+=,.@-]{1,64})/y],
  [':users:', /(?<=(?: HD|SSD|Disk)):Users:([^:\n"]{2,40})(?=:)/y],
  ['/media/', /(?<![\w.\]-])(?:\/run)?\/media\/([a-z_][\w.-]{1,31})(?=\/)/y],
  ['/run/media/', /\/run\/media\/([a-z_][\w.-]{1,31})/y],
  ['/home-', /(?<=\/eos)\/home-[a-z]\/([a-z_][\w.-]{1,31})/y],
  ['/work/', /(?<=\/afs\/[\w.-]{2,60})\/work\/[a-z]\/([a-z_][\w.-]{1,31})/y],
  [
    '/user/',
    /(?<=(?:hdfs|viewfs|abfss?|wasbs?|webhdfs|maprfs):(?:\/\/[^\s/]{0,100})?)\/user\/([a-z_][\w.-]{1,31})/iy,
  ],
  ['/cron/', /(?<=\/var\/spool)\/cron\/(?!crontabs)([a-z_][\w.-]{1,31})/y],
  ['/crontabs/', /\/crontabs\/([a-z_][\w.-]{1,31})/y],
  ['/mail/', /(?<=\/var(?:\/spool)?)\/mail\/([a-z_][\w.-]{1,31})/y],
  ['user=', /(?<![\w.&?;/-])(?:SUDO_)?USER=["']?([a-z_][\w.-]{1,31})(?![\w@:/=-])/y],
  ['logname=', /(?<![\w.&?;/-])LOGNAME=["']?([a-z_][\w.-]{1,31})(?![\w@:/=-])/y],
  ['username=', /(?<![\w.&?;/-])USERNAME=["']?([A-Za-z_][\w.-]{1,31})(?![\w@:/=-])/y],
  ['sudo_user=', /SUDO_USER=["']?([a-z_][\w.-]{1,31})(?![\w@:/=-])/y],
  // The environment as programs print it: `{ USER: 'jane' }`, `'USER': 'jane'`, `USER: jane` before another of its lines.
  ...['user', 'logname', 'username'].flatMap((name): Pattern[] => [
    [`${name}: `, /(?<![\w.])(?:USER(?:NAME)?|LOGNAME): ["']([A-Za-z_][\w.-]{1,31})(?=["'])/y],
    [`${name}: `, /(?<![\w.])(?:USER|LOGNAME): ([a-z_][\w.-]{1,31})(?=\r?\n[A-Z_]{2,30}: )/y],
    [`${name}': `, /(?<=')(?:USER(?:NAME)?|LOGNAME)': '([A-Za-z_][\w.-]{1,31})(?=')/y],
    [`"${name}"`, /"(?:USER(?:NAME)?|LOGNAME)"\s?:\s?"([A-Za-z_][\w.-]{1,31})(?=")/y],
  ]),
  ['env:username', /env:USERNAME\s?=\s?["']?([A-Za-z_][\w.-]{1,31})(?![\w@:/=-])/iy],
  // Programs name what belongs to a directory after it.
  ['-users-', /(?<=^|[\s"'`/\\=(:]|[A-Z]-)-Users-([a-z][a-z\d_.]{1,31})(?=-)/y],
  ['-home-', /(?<=^|[\s"'`/\\=(:])-home-([a-z][a-z\d_.]{1,31})(?=-)/y],
  ...['drwx', 'lrwx', '-rw-', '-rwx', '-r--', 'dr-x'].flatMap((mode): Pattern[] => [
    [mode, /[a-z-](?:[r-][w-][xst-]){3}[.+@]? {1,6}\d{1,6} {1,4}([a-z_][\w.-]{1,31})(?= {1,8}[\w.[-])/iy],
    [
      mode,
      /[a-z-](?:[r-][w-][xst-]){3}[.+@]? {1,6}\d{1,6} {1,4}\S{1,32} {1,8}([a-z_][\w.-]{1,31})(?= {1,12}\d)/iy,
    ],
  ]),
  ...['uid=0', 'gid=0', 'groups=0'].map(
    (word): Pattern => [word, /(?:[ug]id|groups)=\d{1,10}\(([a-z_][\w.-]{1,31})(?=\))/y],
  ),
  ['whoami', /whoami["'`]?(?:: |\n| -> | => )([a-z_][\w.-]{1,31})(?=\s*$|\n)/y],
  ['owned by ', /owned by (?:user )?["'`]?([a-z_][\w.-]{1,31})(?=["'`]? ?\((?:uid )?\d)/y],
  ['~', /(?<![\w~/.\\\]-])~([a-z_][\w.-]{1,31})(?=\/)/y],
])();

/** What homes are called beside `home`, by the place they come from. */
const HOMES =
  'home homes home0 home00 nethome nfshome rhome uhome ghome dhome xhome unixhome linuxhome sharedhome remotehome userhome userhomes homedir homedirs users user people';
const SHARES = 'homes home users profiles userdata userprofiles roaming redirected folders';

/** Triggers for the homes of users, wherever they are kept. */
export function homeTriggers(): Trigger[] {
  const homes = [
    ...HOMES.split(' ').map((name) => `/${name}/`),
    '\\users\\',
    '\\home\\',
    '\\homes\\',
    '\\userprofiles\\',
    '\\documents and settings\\',
    '/documents and settings/',
    '\\dokumente und einstellungen\\',
    // The same in eight letters.
    ...['docume~0', 'dokume~0', 'users~0'].flatMap((name) => [`\\${name}\\`, `/${name}/`]),
  ];
  return homes.map((word) => [word, detectHome]);
}

/** Triggers for home directories. */
export function pathTriggers(): Trigger[] {
  const shares = SHARES.split(' ').flatMap((name) => [
    ...['/', '\\'].map((slash) => `${slash}${name}$${slash}`),
    ...(/^home|^user/.test(name) ? [] : [`\\${name}\\`]),
  ]);
  return [
    ...FOLDERS.split(' ').flatMap((name): Trigger[] => [
      [`\\${name}\\`, detectFolder],
      [`/${name}/`, detectFolder],
    ]),
    ...homeTriggers(),
    ...[...shares, '/homes/', '/profiles/'].map((word) => [word, detectShare] as const),
    ...patternTriggers({ rule: 'user-path', class: 'user', accepts: isUser }, PLACES),
  ];
}
