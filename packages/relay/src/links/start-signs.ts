/** By which words a server process that cannot start is known: of the runtimes, of those who install, of shells and systems. */

/** What is said, and what it means. */
export interface Sign {
  readonly said: RegExp;
  /** `$1` is what the expression has found; without it, `otherwise` is told. */
  readonly why: string;
  readonly otherwise?: string;
  readonly advice: string;
}

const ANOTHER_NODE = {
  why: 'it needs another version of Node',
  advice: 'Give the server the Node that it asks for, by the full path as its `command`.',
};

/** How it is said that a Node is too old or too new: by Node, by those who install, and by servers themselves. */
const NODE_SIGNS: readonly Sign[] = [
  /\b(?:requires?|needs|unsupported|expected) (?:a )?node(?:\.js)?(?: version)?:? ?(?:[<>=^~v ]{0,4}\d[\d.x]{0,12}){1,3}/i,
  /\bnode(?:\.js)?(?: version)? [<>=^~v ]{0,4}\d[\d.x]{0,12}\+? (?:or (?:higher|newer|later|above)\b|(?:is )?(?:required|not supported)\b)/i,
  /\bunsupported node(?:\.js)? version\b|\bplease (?:upgrade|update) (?:your )?node\b/i,
  /\bbad option: --[\w-]{1,60}|\bERR_(?:UNKNOWN_FILE_EXTENSION|REQUIRE_ESM|UNKNOWN_BUILTIN_MODULE|PNPM_UNSUPPORTED_ENGINE)\b/,
  /\bnpm (?:ERR!|error) .{0,40}\b(?:EBADENGINE|unsupported engine)\b|\bengine "node" is incompatible\b/i,
  /\bcompiled against a different Node\.js version\b|'node:[\w/]{1,40}' does not provide an export named\b/,
  /\b(?:Promise\.(?:withResolvers|try)|Array\.fromAsync|(?:Object|Map)\.groupBy|structuredClone) is not a function\b/,
  /\.(?:union|intersection|symmetricDifference|is(?:Subset|Superset|Disjoint)(?:Of|From)|to(?:Sorted|Reversed|Spliced)|findLast(?:Index)?) is not a function\b/,
  /\b(?:fetch|File|FormData|Headers|Request|Response|ReadableStream|CustomEvent|WebSocket|structuredClone) is not defined\b/,
].map((said) => ({ said, ...ANOTHER_NODE }));

/** The same of other runtimes, and of machines. */
const RUNTIME_SIGNS: readonly Sign[] = [
  {
    said: /\bUnsupportedClassVersionError\b|\bcompiled by a more recent version of the Java Runtime\b/,
    why: 'it needs a newer version of Java',
    advice: 'Give the server the Java that it asks for, by the full path as its `command`.',
  },
  {
    said: /\brequires a different Python\b|\bPython version \([\d.]{1,12}\) does not satisfy\b|\bNo interpreter found for\b|\b(?:requires|needs) Python [<>=~! ]{0,4}\d|\bPython \d[\d.]{0,8}\+? (?:or (?:higher|newer|later|above)|is required)\b|\bpyenv: version .{1,40} is not installed\b/i,
    why: 'it needs another version of Python',
    advice:
      'Give the server the Python that it asks for: by the full path as its `command`, or with `--python` of uvx.',
  },
  {
    said: /\bYou must install (?:or update )?\.NET\b|\bcompatible \.NET SDK was not found\b|\bframework .{0,60} was not found\b.{0,40}\.NET\b/i,
    why: 'it needs another version of .NET',
    advice: 'Install the .NET that the server asks for.',
  },
  {
    said: /\bmodule requires Go [>=\d]|\brequires go >= ?\d/i,
    why: 'it needs a newer version of Go',
    advice: 'Install the Go that the server asks for.',
  },
  {
    said: /\bGLIBC(?:XX)?_[\d.]{1,10}['`"]? not found|\bexec format error\b|\binvalid ELF header\b|\bEBADPLATFORM\b|\bno matching manifest for\b|\bbad CPU type in executable\b/i,
    why: 'it is made for another system or processor',
    advice: 'Install the server for this machine.',
  },
  {
    said: /\berror while loading shared libraries: ([^\s:]{1,200})|\bLibrary not loaded: (\S{1,200})/,
    why: 'the library $1 is missing',
    advice: 'Install the library that the server needs.',
  },
];

const MODULE_SIGNS: readonly Sign[] = [
  {
    said: /(?:cannot find (?:module|package)|no module named|module not found:?(?: error:)?(?: can't resolve)?) ['"`]?([^'"`\s;]{1,200})/i,
    why: 'the module $1 is missing',
    advice: 'Install what the server needs, or correct the path in its settings.',
  },
  {
    said: /\bcannot import name ['"`]([^'"`]{1,100})['"`]|\bCould not load file or assembly '([^',]{1,100})/,
    why: 'the module $1 is missing, or there in another version',
    advice: 'Install what the server needs, in the version that it asks for.',
  },
  {
    said: /\bCould not find or load main class (\S{1,200})|\b(?:ClassNotFoundException|NoClassDefFoundError): ([\w.$/]{1,200})/,
    why: 'the class $1 is missing',
    advice: 'Correct the class, or the class path, in `args` of this server.',
  },
  {
    said: /\bno required module provides package ([^\s;]{1,200})|\bpackage (\S{1,200}) is not in (?:std|GOROOT)\b|\bgo: cannot find main module\b/,
    why: 'the package $1 is missing',
    otherwise: 'there is no Go program where it was started',
    advice: 'Correct the package in `args` of this server, or `cwd`.',
  },
];

const SET_IT = 'Set $1 under `env` of this server.';
const NOT_SET = 'the variable $1 is not set';
const VARIABLE_SIGNS: readonly Sign[] = [
  {
    said: /\b(?:missing|required|undefined|unset)\b[^A-Z]{0,40}(?:environment|env)\b[^A-Z]{0,30}\b([A-Z][A-Z0-9_]{2,60})\b/,
    why: NOT_SET,
    advice: SET_IT,
  },
  {
    // Python, Ruby, PHP and Spring tell the name of what they looked up, and nothing else.
    said: /\bKeyError: ['"]([A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,60})['"]|\bkey not found: "([A-Z][A-Z0-9_]{2,60})"|\bUndefined (?:array key|index):? "?([A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,60})\b|\bresolve placeholder '([A-Z][A-Z0-9_]{2,60})'|\b[Ee]nvironment variable not found: "?([A-Z][A-Z0-9_]{2,60})\b/,
    why: NOT_SET,
    advice: SET_IT,
  },
  {
    said: /\b([A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,40})\b.{0,60}\b(?:is |are )?(?:required|missing|not set|unset|not defined|undefined|must be set|must be provided|not provided|not found|cannot be (?:empty|blank))\b/i,
    why: NOT_SET,
    advice: SET_IT,
  },
  {
    said: /\b(?:missing|please set|must set|set the|provide|required key)\b.{0,60}\b([A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,40})\b/i,
    why: NOT_SET,
    advice: SET_IT,
  },
  {
    said: /^(?:.{0,200}: )?([A-Z][A-Z0-9_]{2,60}): (?:unbound variable|parameter (?:null or )?not set)\b/,
    why: NOT_SET,
    advice: SET_IT,
  },
  {
    said: /`?Err`? value: (?:EnvVar\()?NotPresent\b|\benvironment variable not found\b/,
    why: 'a variable that it needs is not set',
    advice: 'Set the variables that the server asks for under `env` of this server.',
  },
];

const INSTALLER_SIGNS: readonly Sign[] = [
  {
    said: /\bNo matching version found for ([^\s,]{1,200}?)\.?(?:\s|$)|\bno version of (\S{1,100}?),?(?: and|\s|$)|\bNo version matching "[^"]{1,60}" found for specifier "([^"]{1,100})"|\bNo matching distribution found for (\S{1,100}==\S{1,60})|\b(?:ETARGET|ERR_PNPM_NO_MATCHING_VERSION)\b/,
    why: 'its package does not exist in this version: $1',
    otherwise: 'its package does not exist in this version',
    advice: 'Correct the version of the package in `args`.',
  },
  {
    said: /\bnpm (?:ERR!|error)(?: code)? E?404\b|\b404 Not Found - GET\b|\bERR_PNPM_FETCH_404\b|\bwas not found in the package registry\b|\bNo matching distribution found for\b|\bYN0035\b|\bpackage "[^"]{1,100}" not found\b/i,
    why: 'its package does not exist in the registry',
    advice: 'Correct the name of the package in `args`.',
  },
  {
    said: /\bnpm (?:ERR!|error) (?:code )?(?:EINVALIDPACKAGENAME|EINVALIDTAGNAME|EUNSUPPORTEDPROTOCOL)\b/,
    why: 'what it is started by is no name of a package',
    advice: 'Correct the name of the package in `args`.',
  },
  {
    said: /\bnpm (?:ERR!|error) (?:code )?(?:E401|E403|ENEEDAUTH)\b/,
    why: 'the registry does not give its package to whoever starts it',
    advice: 'Sign in to the registry, or correct the name of the package in `args`.',
  },
  {
    said: /\bnpm (?:ERR!|error) Missing script: "?([^"\s]{1,100})|\bScript not found "([^"]{1,100})"/,
    why: 'there is no script $1 where it was started',
    advice: 'Correct the script in `args` of this server, or `cwd`.',
  },
  {
    said: /\bnpm (?:ERR!|error) (?:code )?ENOTEMPTY\b/,
    why: 'its package was installed twice at the same time',
    advice: 'Start it again; if that does not help, delete the folder `_npx` in the cache of npm.',
  },
  {
    said: /\b(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)\w*|CERT_HAS_EXPIRED|CERTIFICATE_VERIFY_FAILED)\b|\binvalid peer certificate\b|\bx509: certificate\b/,
    why: 'it does not trust the certificate of a server that it needs',
    advice:
      'Name the certificate under `env` of this server: `NODE_EXTRA_CA_CERTS`, for Python `SSL_CERT_FILE`.',
  },
  {
    said: /\b(?:npm (?:ERR!|error)|uv|pip|npx).{0,40}\b(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|network)\b|\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN)|\berror sending request for url\b|\bTemporary failure in name resolution\b|\bno such host\b/i,
    why: 'it cannot reach the network',
    advice: 'Look at the network and its proxy, then try again.',
  },
  {
    said: /could not determine executable to run|\bexecutable named .{1,100} is not provided by package\b/i,
    why: 'its package has no command of this name',
    advice: 'Correct `args`: the package may have to be named with `--package`, for uvx with `--from`.',
  },
];

const CONTAINER_SIGNS: readonly Sign[] = [
  {
    said: /cannot connect to the docker daemon|docker daemon running|\bdocker desktop is not running\b|\bdocker_engine\b.{0,80}\bcannot find the file\b/i,
    why: 'Docker does not run',
    advice: 'Start Docker, then try again.',
  },
  {
    said: /\bpermission denied while trying to connect to the docker\b/i,
    why: 'it may not use Docker',
    advice: 'Give whoever starts the gateway the right to use Docker.',
  },
  {
    said: /\bpull access denied for ([^\s,]{1,200})|\bmanifest for (\S{1,200}) not found\b|\bmanifest unknown\b|\bNo such image: (\S{1,200})/i,
    why: 'the image $1 does not exist, or may not be pulled',
    otherwise: 'its image does not exist, or may not be pulled',
    advice: 'Correct the image in `args` of this server, or sign in to where it is.',
  },
  {
    said: /\binput device is not a TTY\b/i,
    why: 'it was told to use a terminal, and there is none',
    advice: 'Leave out `-t` in `args` of this server: `-i` alone, and not `-it`.',
  },
  {
    said: /\bcontainer name "?\/?([^"\s]{1,100})"? is already in use\b/i,
    why: 'a container of the name $1 is there already',
    advice: 'Remove it, and leave out `--name` in `args` of this server, or add `--rm`.',
  },
  {
    said: /\bbind source path does not exist: (\S{1,200})/i,
    why: 'the file or folder $1 does not exist',
    advice: 'Correct the folders in `args` of this server.',
  },
  {
    said: /\binvalid reference format\b/i,
    why: 'what it is started by is no name of an image',
    advice: 'Correct the image in `args` of this server.',
  },
];

const COMMAND_SIGNS: readonly Sign[] = [
  {
    said: /\benv: .{0,3}[^\s'’"`:\\]{1,100}(?:\\r|\^M)['’"`]?: No such file or directory/,
    why: 'the lines of its script end as on Windows',
    advice: 'Write the script again with lines that end as on other systems (LF).',
  },
  {
    said: /\benv: (?:can't execute )?['‘"`]?([^\s'’"`:\\]{1,100})['’"`]?: No such file or directory/,
    why: 'the command $1, which the first line of its script names, was not found',
    advice: 'Install it, or correct the first line of the script.',
  },
  {
    said: /^node: (\S{1,200}): not found\b|\bcan't open file '([^']{1,200})'|\bUnable to access jarfile (\S{1,200})/,
    why: 'the file or folder $1 does not exist',
    advice: 'Correct the path, or `cwd`, in the settings of this server.',
  },
  {
    said: /\bcommand not found: ([\w./-]{1,100})|^fish: unknown command: ([\w./-]{1,100})|\bexec: "([\w./-]{1,100})": executable file not found\b|\bThe term '([\w./-]{1,100})' is not recognized\b|\bNo version is set for command ([\w./-]{1,100})/i,
    why: 'the command $1 was not found',
    advice: 'Install it, or name it by its full path.',
  },
  {
    said: /\b([\w./-]{1,100}): (?:command )?not found\b|'([\w./-]{1,100})' is not recognized as an internal or external command/i,
    why: 'the command $1 was not found',
    advice: 'Install it, or name it by its full path.',
  },
  {
    said: /\bfailed to spawn:? ['"`]([^'"`]{1,100})['"`]/i,
    why: 'the command $1 was not found',
    advice: 'Install it, or correct its name in `args` of this server.',
  },
];

const SYSTEM_SIGNS: readonly Sign[] = [
  {
    said: /\bcannot access directory ['"`]?([^'"`\s,]{1,200})/i,
    why: 'it may not use the folder $1, or it does not exist',
    advice: 'Correct the folders in `args` of this server.',
  },
  {
    said: /\bnone of the (?:specified|given|allowed) (?:directories|folders|paths) (?:is|are) accessible\b/i,
    why: 'it can use none of the folders that it was given',
    advice: 'Correct the folders in `args` of this server.',
  },
  {
    said: /\bENOENT\b.{0,40}['"`]([^'"`]{1,200})['"`]|(\.{0,2}[\\/][^\s:'"`]{1,200}): no such file or directory\b(?!:)|\bno such file or directory\b(?:: ?['"`]?([^'"`\s(]{1,200}))?/i,
    why: 'the file or folder $1 does not exist',
    otherwise: 'a file or folder that it needs does not exist',
    advice: 'Correct the path, or `cwd`, in the settings of this server.',
  },
  {
    said: /\bRequires (\w{1,20}) access to .{0,200}--allow-\w/,
    why: 'Deno does not allow it $1 access',
    advice: 'Allow it in `args` of this server, with `--allow-$1`.',
  },
  {
    said: /\b(?:EACCES|EPERM|permission denied)\b/i,
    why: 'it may not use something that it needs',
    advice: 'Give the server the rights that it needs.',
  },
  {
    said: /\bENOSPC\b|\bno space left on device\b/i,
    why: 'there is no room left on the disk',
    advice: 'Make room on the disk, then try again.',
  },
  {
    said: /\b(?:invalid|incorrect|wrong|expired|missing) (?:api[ _-]?key|token|credentials?|password)\b|\b401\b.{0,20}\bunauthorized\b/i,
    why: 'a credential that it was given is refused',
    advice: 'Correct the credential under `env` or `args` of this server.',
  },
  {
    said: /\b(?:unknown|unrecognized|unexpected|invalid) (?:option|argument|flag|command)s?:? ['"`]?([^'"`\s]{1,100})|^usage: /i,
    why: 'it does not take the argument $1',
    otherwise: 'it does not take the arguments that it was given',
    advice: 'Correct `args` of this server.',
  },
  {
    said: /\b(?:heap out of memory|out of memory|oomkilled)\b|\bOutOfMemoryError\b/i,
    why: 'it ran out of memory',
    advice: 'Give the server more memory.',
  },
];

const TEXT_SIGNS: readonly Sign[] = [
  {
    said: /(?:\bin JSON|\bis not valid JSON|\bend of JSON input|\bJSONDecodeError\b)(?:.{0,80}?\bat (position \d{1,9})|.{0,80}?\b(line \d{1,9},? column \d{1,9}))?/,
    why: 'something that it reads is no JSON, at $1',
    otherwise: 'something that it reads is no JSON',
    advice: 'Correct the file, or the value under `env` or `args`, that the server reads as JSON.',
  },
  {
    said: /\b(?:YAML(?:Parse)?(?:Error|Exception)|yaml\.(?:scanner|parser)\.\w{1,40}|TOMLDecodeError|TomlError)\b/,
    why: 'a file of settings cannot be read',
    advice: 'Correct the file that the server reads its settings from.',
  },
  {
    said: /\bSyntaxError\b|\bunexpected token\b|\bsyntax error\b|\b(?:Invalid or corrupt jarfile|no main manifest attribute)\b/i,
    why: 'its program cannot be read',
    advice: 'The server is broken, or made for another version of its runtime.',
  },
];

/** The first that fits decides; every expression is bounded, and looks at one line. */
export const SIGNS: readonly Sign[] = [
  ...NODE_SIGNS,
  ...RUNTIME_SIGNS,
  ...MODULE_SIGNS,
  ...VARIABLE_SIGNS,
  {
    said: /\bEADDRINUSE\b(?:.{0,80}:(\d{2,5})\b)?|\baddress already in use\b|\bport is already allocated\b/i,
    why: 'port $1, which it listens on, is taken',
    otherwise: 'a port that it listens on is taken',
    advice: 'End what uses the port, or give the server another one.',
  },
  ...INSTALLER_SIGNS,
  ...CONTAINER_SIGNS,
  ...COMMAND_SIGNS,
  ...SYSTEM_SIGNS,
  ...TEXT_SIGNS,
];
