/** Somebody else was faster: what the caller has read is no longer what is there. */
import { formOf, matchesOne } from './forms.ts';

const THING =
  '(?:file|document|page|contents?|records?|rows?|notes?|issue|object|resource|entity|sheet|spreadsheet|buffer|item|task|ticket)';

const CHANGED = [
  // A mark of what was read: GitHub names the file, and the mark.
  /^\W*(?:the )?(?:blob |file |content |base |current |given |provided )*(?:sha|etag|revision|(?:content|file) hash)(?: of [\w./-]{1,100})? (?:does not|doesn't|do not) match\b/i,
  /^\W*\S{1,200} (?:does not|doesn't) match [0-9a-f]{40}\b/i,
  /\b(?:blob|file|content|base) (?:sha|hash|revision|version) mismatch\b/i,
  /\bmismatch\b[^.\n]{0,40}\b(?:file|content|document|page) (?:has|was)(?: been)? (?:changed|modified|edited)\b/i,
  new RegExp(
    `\\b${THING}\\b[^.;\\n]{0,30}\\b(?:changed|modified|edited|updated)\\b[^.;\\n]{0,20}\\b(?:since|after) (?:(?:it|they) (?:was|were) |you |the |your |last )*(?:read|opened|loaded|fetched)\\b`,
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
