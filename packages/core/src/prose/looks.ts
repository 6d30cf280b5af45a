/** Families whose kind depends on more than their words. */
import type { Kind } from '../kinds.ts';
import { formOf, matchesOne } from './forms.ts';

/** What a look at the text decides. */
export interface Look {
  readonly kind: Kind;
  readonly weight: number;
  readonly never?: boolean;
}

/** What a program asks of a text that it was to be given. */
const STRING_MEMBERS =
  /^(?:startsWith|endsWith|toLowerCase|toUpperCase|trim|split|replace|replaceAll|match|includes|indexOf|substring|substr|charAt|padStart|test)$/;
const READING = /\((?:reading|setting) '([^']{1,60})'\)/;
const CALLED = /([\w$.]{1,80})\.(\w{1,40}) is not a function/;
const DESTRUCTURED =
  /destructure property [^\n]{1,80} of [^\n]{0,60}?\b(?:arg(?:ument)?s?|params?|input|options|body|request)\b/i;

/** A crash: the caller's fault when what is missing was to come from the caller, else the program's. */
export function lookAtCrash(text: string): Look {
  // What the program took for data is the page that came in its place.
  if (MARKUP.test(text)) return { kind: 'upstream_failed', weight: 88, never: true };
  if (/Right-hand side|operator to search|has no attribute|(?:undefined|null) is not an object/.test(text))
    return { kind: 'internal', weight: 90 };
  if (DESTRUCTURED.test(text)) return { kind: 'invalid_arguments', weight: 74 };
  const read = READING.exec(text)?.[1];
  // Any other member may be one of the arguments or of an answer: nothing shows that it is the caller's.
  if (read !== undefined)
    return STRING_MEMBERS.test(read)
      ? { kind: 'invalid_arguments', weight: 56 }
      : { kind: 'internal', weight: 66 };
  const called = CALLED.exec(text);
  if (called !== null && STRING_MEMBERS.test(called[2] ?? ''))
    return { kind: 'invalid_arguments', weight: 60 };
  return { kind: 'internal', weight: 70 };
}

const MARKUP = /token '?<|character '?<|<!doctype|<html/i;
const SERVICES =
  /service|server|\bapi\b|host|system|temporar|current|upstream|backend|endpoint|provider|database/i;

/** A service that is unavailable comes back; a video that is unavailable does not. */
export function lookAtUnavailable(text: string, says: string): Look {
  if (says === '"UNAVAILABLE"' || (says === '"Unavailable"' && /code = /.test(text)))
    return { kind: 'unavailable', weight: 90 };
  return { kind: 'unavailable', weight: SERVICES.test(text) ? 80 : 49 };
}

const SPAWNED = /\bspawn(?:Sync)?\b|\bposix_spawn|\bexec(?:ve|File)?\b.{0,40}ENOENT/;

/** A file that is missing is a wrong argument; a program that is missing is a wrong installation. */
export function isSpawn(text: string): boolean {
  return SPAWNED.test(text);
}

const SHELL = /* @__PURE__ */ formOf(
  /\b(?:sh|bash|zsh|dash|ash): (?:(?:line )?\d{1,4}: )?[\w./-]{1,80}: (?:command )?not found\b/,
);

/** Does a shell say that there is no such program? */
export function isShell(text: string): boolean {
  return SHELL.test(text);
}

const BUG = /* @__PURE__ */ formOf(
  /^(?:error: )?(?:(?:error|failed|failure|unable|could not|couldn't|cannot|can't) [a-z][^\n:]{1,80}: )?(?:(?:Uncaught )?\w{0,30}Error: )?(?:Cannot (?:read|set) propert(?:y|ies) (?:of (?:undefined|null)|')|[\w.$]{1,100} is not (?:a function|iterable)\b|called .(?:Option|Result)::(?:unwrap|expect))/i,
);

/** Does it say what JavaScript says of a mistake in a program? Nothing in it is about the caller's input. */
export function isBug(text: string): boolean {
  return BUG.test(text) && (text.includes('not') || text.includes('::'));
}

const COMPLAINT = /* @__PURE__ */ formOf(
  /^(?:error: )?(?!you )(?:the |an? )?(?:field |parameter |argument |property |value of )?(?:"[\w.[\]-]{1,40}"|'[\w.[\]-]{1,40}'|`[\w.[\]-]{1,40}`|[a-z][\w.[\]-]{0,40})(?: (?:field|parameter|argument|property|value))? (?:(?:is|are) (?:required|mandatory)(?: and [^\n]{1,60})?|(?:must|should) (?:not )?be (?:an? |one of |at (?:least|most) |between |[<>≤≥]=? ?\d|\d|valid |positive|empty|blank|greater |less |in )[^\n]{0,80}|cannot (?:be (?:empty|blank|null|negative)|(?:begin|end|start) with [^\n]{1,60}|(?:contain|exceed|include) [^\n]{1,60}))[.!]?$/i,
);

/** Does a text name a field and say what it has to be, and nothing else? */
export function isComplaint(text: string): boolean {
  return text.length <= 160 && COMPLAINT.test(text);
}

const FUNDS = /* @__PURE__ */ formOf(
  /^(?:error: )?(?:insufficient|not enough) funds(?: (?:in|on) [^\n]{1,80})?[.!]?$/i,
);

/** Does somebody's account not hold what was to be taken from it? Nobody's quota is used up. */
export function lacksFunds(text: string): boolean {
  return FUNDS.test(text) && (text.includes('unds') || text.includes('UNDS'));
}

const DONE_TO =
  /\b(?:been|was|were|is|are|got|already|since|just)(?: \w{1,20})? (?:deleted|removed|modified|changed)\b/i;
const CANNOT_BE =
  /(?:\bnot|n't|\bcannot) be(?: \w{1,20})? (?:deleted|removed)\b|\b(?:only|no longer) (?:[\w-]+ ){0,5}be (?:deleted|removed)\b/i;

/** What was deleted is not there; what cannot be is in a state, or somebody else's. */
export function lookAtGone(text: string): Look {
  if (/\byou (?:were|have been|got) removed from\b/i.test(text)) return { kind: 'forbidden', weight: 89 };
  if (CANNOT_BE.test(text)) return { kind: 'conflict', weight: 60 };
  return { kind: 'not_found', weight: DONE_TO.test(text) ? 89 : 62 };
}

/** What somebody has changed is not as it was; what is to be changed says nothing. */
export function wasChanged(text: string): boolean {
  return DONE_TO.test(text) && !/\bnothing (?:was|has been|is) changed\b/i.test(text);
}

const ENV_NAME =
  /\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){0,6}_(?:KEY|TOKEN|SECRET|PASSWORD|PASS|URL|URI|HOST|ID|DSN|USER|USERNAME|ACCOUNT|REGION|PROJECT|PATH|DIR|CREDENTIALS|PAT|ENDPOINT|DOMAIN|WORKSPACE|EMAIL|PORT|API|CONFIG)S?\b/;

/** Whatever it ends with, what is set or not is a variable. */
const ENV_UNSET =
  /\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6} (?:is|was|are) (?:not (?:set|defined|configured|provided)|unset|undefined|empty|missing|blank)\b/;

/** Does the text name what looks like an environment variable? */
export function namesEnvironment(text: string): boolean {
  return text.includes('_') && (ENV_NAME.test(text) || ENV_UNSET.test(text));
}

const ABSENT =
  /^(?:error: )?no (?:such )?(?!connection|access|response|answer|reply|route|space|memory|time|network|permission|rights?|more|longer|data\b)[a-z][\w-]{1,40}(?: [a-z][\w-]{1,40})? (?:(?:with|by|for) (?:(?:the )?(?:id|name|key|number):? )?)?(?:["'`][^"'`\n]{1,80}["'`]|#?[\w./-]*\d[\w./-]*)(?: (?:here|there|in|on|for) [^\n]{1,80})?[.!]?$/i;

/** It is told apart by what was asked for, which is not said again. */
const ABSENT_SO =
  /^(?:error: )?(?:there is |there's )?no (?:such )?[a-z][\w-]{1,40}(?: [a-z][\w-]{1,40})? (?:with|by|for|under|of|has) (?:this|that|the given|the specified|the provided|the supplied|the requested|such an?) (?:address|code|e-?mail|handle|id|identifier|key|name|number|reference|slug|title|username|uuid)[.!]?$/i;

/** Does a text say nothing but that there is no such thing: "No order 4711"? */
export function saysAbsent(text: string): boolean {
  const said = text.trim();
  return said.length <= 200 && (ABSENT.test(said) || ABSENT_SO.test(said));
}

const UNKNOWN = /* @__PURE__ */ formOf(
  /\b[A-Za-z][\w-]{1,40} (?:["'`][^"'`\n]{1,80}["'`]|#?[\w.-]{0,40}\d[\w.-]{0,40}|[A-Z][\w.-]{1,40}) is (?:unknown|not known)\b/,
);

/** Does a text say of something it names that it is unknown: `city "Atlantis" is unknown`? */
export function saysUnknown(text: string): boolean {
  return UNKNOWN.test(text);
}

const INSTALL = /* @__PURE__ */ formOf(
  /(?:^|[.:;!] )(?:please |you can )?install (?!date|id\b|count)[a-z@][\w@./-]{1,60}|\brun:? ["'`]?(?:sudo )?(?:npx (?:-y )?[\w@/.-]{1,40}|npm|pnpm|yarn|pip3?|pipx|uv|uv tool|apt(?:-get)?|brew|cargo|gem|go|dnf|apk|playwright|puppeteer)(?: browsers)? (?:install|add)\b/i,
);
/** What a package for Node.js was not built with. */
const BINDINGS = /* @__PURE__ */ formOf(/\b(?:locate|find|load) the (?:native )?bindings?\b/i);
const LACKING = /\bno [a-z]|\bnot\b|\bmissing\b|n't\b|\bunavailable\b|\brequires?\b/i;

/** What loaders and drivers say of what is not on the machine. */
const ON_MACHINE = /* @__PURE__ */ [
  /\bdlopen\b|\blibrary not loaded\b|\bDLL load failed\b|\bsymbol not found: _/i,
  /\bnot found (?:in|on) (?:the |your |\$)?PATH\b/,
  /\bnot found on (?:this|your) (?:machine|computer|system)\b/i,
  /\b(?:chrome|chromium|edge|firefox|webkit|browser|ffmpeg|ffprobe|git|python\d?|java|node|docker|imagemagick|pandoc|tesseract|binary|executable)\b[^\n.:;]{0,40} (?:is |was )?not found (?:at|in|under) ["'`]?(?:\/|~\/|[A-Z]:\\)/i,
  /\b(?:binary|executable) (?:["'`][^"'`\n]{1,40}["'`] )?(?:was |could )not (?:be )?found\b/i,
  /\bno (?:emulators?|simulators?) (?:is|are) (?:booted|running)\b/i,
  /\bno (?:[\w-]{1,20} )?devices?(?:\/| or )emulators? (?:are |were )?(?:available|connected|found)\b/i,
  /\bno (?:usable |suitable )?(?:adb|android|audio|bluetooth|cuda|gpu|graphics|ios|opengl|usb|vulkan|x|x11)(?: or [a-z]{1,20})? (?:adapters?|devices?|displays?|emulators?|gpus?|simulators?)(?: or (?:devices?|emulators?|simulators?))? (?:are |were )?(?:available|connected|detected|found)\b/i,
].map(formOf);

/** Does a text say what to install for something that is lacking? Then the machine is not as it has to be. */
export function lacksInstallation(text: string): boolean {
  return (
    (INSTALL.test(text) && text.includes('nstall') && LACKING.test(text)) ||
    (BINDINGS.test(text) && (text.includes('inding') || text.includes('INDING'))) ||
    matchesOne(ON_MACHINE, text)
  );
}

const NOT_SUPPORTED = /* @__PURE__ */ formOf(/\bunsupported\b|\b(?:not|n't) supported\b/i);
/** What nobody passes as an argument, or has a kind of its own. */
const OF_SYSTEMS =
  /\b(?:architecture|browser|client|edition|extension|format|media|method|mime|node|operating system|platform|protocol|python|runtime|server|version)s?\b/i;
const OTHERS =
  /(?:[;.,:(]|\s[-\u2013\u2014])\s{0,2}(?:please )?(?:use|try|choose|pick|select|must be|expected|options?|one of|only|valid|allowed|accepted|supported|available|possible)\b[^.;\n]{0,40}?[\w"'`](?:, | or | and )["'`]?\w/i;

/** Does a text name what would do in place of a value that is not supported? Then the caller can choose. */
export function offersOthers(text: string): boolean {
  return NOT_SUPPORTED.test(text) && OTHERS.test(text) && !OF_SYSTEMS.test(text);
}

const KEPT = /* @__PURE__ */ formOf(
  /\b(?:not|n't) (?:accessible|available|enabled|meant|open|permitted|shared|visible) (?:for|to|with) you(?= (?:here|now|yet)|[.,;!)]|$)/i,
);

/** Does a text say of something that it is not for whoever asked? */
export function isKeptFromYou(text: string): boolean {
  return KEPT.test(text);
}

const RESETS = /* @__PURE__ */ formOf(
  /\b(?:refills?|refreshes|renews?|replenish(?:es)?|resets?)(?: (?:again|is|at))? (?:in|after) (?:about )?\d+(?:\.\d+)? ?(?:ms|s|secs?|seconds?|m|mins?|minutes?)\b/i,
);

/** Is what is used up there again in seconds or minutes? Then it is a rate, whatever it is called. */
export function resetsSoon(text: string): boolean {
  return RESETS.test(text);
}
