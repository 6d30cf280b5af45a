/** Somebody else was faster: what the caller has read is no longer what is there. */
import { formOf, matchesOne } from './forms.ts';

const THING =
  '(?:file|document|page|contents?|records?|rows?|notes?|issue|object|resource|entity|sheet|spreadsheet|buffer|item|task|ticket)';

/** What a thing is called may have any signs in it: in quotes, or as a path. */
const NAME =
  '(?:"[^"\\n]{1,200}"|\'[^\'\\n]{1,200}\'|`[^`\\n]{1,200}`|(?<=\\s)[^\\s.;]{0,100}[.][^\\s;]{1,200}(?=\\s))';
/** The name of a file says what it is. */
const FILE = `(?:(?<![^\\s"'\`(])[\\w~:/\\\\.@-]{1,200}\\.[a-z]\\w{0,7}["'\`]?(?=\\s))`;

const CHANGED = [
  // A mark of what was read: GitHub names the file, and the mark.
  /^\W*(?:the )?(?:blob |file |content |base |current |given |provided )*(?:sha|etag|revision|(?:content|file) hash)(?: of [\w./-]{1,100})? (?:does not|doesn't|do not) match\b/i,
  /^\W*\S{1,200} (?:does not|doesn't) match [0-9a-f]{40}\b/i,
  /\b(?:blob|file|content|base) (?:sha|hash|revision|version) mismatch\b/i,
  /\bmismatch\b[^.\n]{0,40}\b(?:file|content|document|page) (?:has|was)(?: been)? (?:changed|modified|edited)\b/i,
  new RegExp(
    `(?:\\b${THING}\\b[^.;\\n]{0,30}(?:${NAME}[^.;\\n]{0,30})?|${FILE}[^.;\\n]{0,30})\\b(?:changed|modified|edited|updated)\\b[^.;\\n]{0,20}\\b(?:since|after) (?:(?:it|they|the \\w{2,20}) (?:was|were) |you |the |your |last )*(?:read|opened|loaded|fetched)\\b`,
    'i',
  ),
  /\b(?:revision|version) [\w.-]{1,40} is (?:outdated|stale|not the latest)\b/i,
  /\bis newer than (?:your|the) (?:copy|version|buffer)\b/i,
  // Transactions that lost against others.
  /\b(?:updated|deleted|modified|changed) by another transaction\b|\brecord has changed since last read\b|\bwrite ?conflict\b|\bunexpected row count\b/i,
].map(formOf);

/** Does a text say that something was changed by others in the meantime? */
export function hasChangedMeanwhile(text: string): boolean {
  return matchesOne(CHANGED, text);
}

/** A transaction that lost, or a lock that a program holds: nothing was done, and soon it can be. */
const HELD = /* @__PURE__ */ formOf(
  new RegExp(
    [
      String.raw`\bdeadlock (?:detected|found)\b|\bdeadlocked on\b|\bdeadlock victim\b`,
      String.raw`\b(?:re-?run|re-?start(?:ing)?|retry(?:ing)?) (?:the |this |your )?transaction\b|\btransaction (?:was )?aborted[,;:] (?:please )?retry\b`,
      String.raw`\bcould not serialize access\b|\bserialization failure\b`,
      String.raw`\banother (?:[\w-]{1,20} ){0,2}process (?:seems to be|appears to be|is)(?: already| currently| still)? (?:accessing|holding|running|using|writing)\b`,
      String.raw`\b(?:held|locked|used) by (?:another (?:[\w-]{1,20} )?(?:client|process|session|transaction)\b|process \d)`,
      String.raw`\b(?:acquir(?:e|ing)|get|obtain(?:ing)?) (?:the |a )?(?:[\w-]{1,20} )?lock (?:after|in|within) \d`,
      String.raw`\bresource (?:is )?busy\b`,
    ].join('|'),
    'i',
  ),
);
/** Another program on the same port stays there. */
const STAYS = /\b(?:port|address|socket|eaddrinuse)\b/i;

/** That it is asked for again, and nothing else is. */
const AGAIN = /* @__PURE__ */ formOf(
  /\b(?:try again|retry)(?: (?:it|later|shortly|soon|in a (?:few|moment|while)\b[\w ]{0,20}|in \d[^.\n]{0,20}|your (?:operation|request|call)\b[^.\n]{0,40}))?[.!]?\s{0,4}$/i,
);
/** What ends by itself: a conflict of which nothing is known does not. */
const RUNS = /\b(?:in progress|locked|lock|busy|running|in use|being \w{3,20}ed|under ?way)\b/i;
/** What has to be done before it would be. */
const OTHERWISE =
  /\b(?:apply|change|choose|different|fetch|latest|merge|newer|pull|rebase|refresh|reload|remove|rename|resolve|stop|update your|use another)\b/i;

/** Does a text say that somebody else holds what is needed, and only for now? */
export function isHeldForNow(text: string): boolean {
  return HELD.test(text) && !STAYS.test(text);
}

/** Does a text of something that ends ask for the same again, and for nothing else before? */
export function asksForTheSame(text: string): boolean {
  return AGAIN.test(text) && RUNS.test(text) && !OTHERWISE.test(text);
}
